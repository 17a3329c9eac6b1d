"""The exporter's exception: its message names the method, node or value, and what was expected."""


class ExportError(ValueError):
    """A model that cannot be written as a package."""


class ExportWarning(UserWarning):
    """A package is written, but perhaps not the one that was meant."""
