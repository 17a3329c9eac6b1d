"""plumb: exports PyTorch programs to packages (`.ptn`) and checks what a runtime makes of them.

Importing this package needs NumPy only; `plumb.export` loads torch when it is first called.
"""

from typing import Any

__version__ = "0.1.0"
__all__ = ["export"]


def export(*args: Any, **kwargs: Any) -> Any:
    """See plumb.exporter.api.export."""
    from plumb.exporter import export as run

    return run(*args, **kwargs)
