"""The one exception of the package reader and writer: its message names the thing and what was expected."""


class PackageError(ValueError):
    """A package, or a program about to become one, that breaks the format's rules."""
