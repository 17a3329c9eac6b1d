"""The independent judge of dumps: needs NumPy only and shares no code with the runtime."""
