"""Reading and writing `.ptn` files, without torch."""
