#!/usr/bin/env python3
"""Refuses includes against the flow of src/README.md: a folder may include itself and what is listed here."""

import re
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src"
MAY_INCLUDE = {
    "base": set(),
    "graph": {"base"},
    "package": {"base", "graph"},
    "passes": {"base", "graph"},
    "engines": {"base"},
    "engines/cpu": {"base", "engines"},
    "engines/reference": {"base", "engines"},
    "plan": {"base", "graph", "package", "passes", "engines"},
    "runners": {"base"},
    "cli": {"base", "runners"},
}
REGISTRY = SRC / "engines/registry.cpp"  # the one place that knows every engine


def folder_of(path: str) -> str:
    """The longest name in MAY_INCLUDE that `path`, relative to src, lies in; empty for other headers."""
    return max((name for name in MAY_INCLUDE if path.startswith(f"{name}/")), key=len, default="")


def main() -> int:
    wrong = 0
    for source in sorted(path for path in SRC.rglob("*") if path.suffix in (".cpp", ".h", ".inc")):
        folder = folder_of(source.relative_to(SRC).as_posix())
        if not folder:
            print(f"{source}: lies in no folder that check_includes.py knows")
            wrong += 1
            continue
        for included in re.findall(r'^#include "([^"]+)"', source.read_text(), re.MULTILINE):
            target = folder_of(included)
            if target in ("", folder) or target in MAY_INCLUDE[folder] or source == REGISTRY:
                continue
            print(f"{source}: {folder} includes {included}; it may include {sorted(MAY_INCLUDE[folder])}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
