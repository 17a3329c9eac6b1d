"""The exporter: needs torch, which the rest of plumb's Python does not."""

from plumb.exporter.api import build_package, export
from plumb.exporter.errors import ExportError

__all__ = ["ExportError", "build_package", "export"]
