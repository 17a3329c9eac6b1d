"""`plumb-export`: the exporter as a command."""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import sys
import warnings
from pathlib import Path
from typing import Any

from plumb.command import EXIT_FAILURE, EXIT_OK, Parser

_DESCRIPTION = """Writes a .ptn package from PyTorch programs.

A SOURCE is a file that torch.export.save wrote (.pt2), or `package.module:function` whose function returns an
ExportedProgram, (model, example_inputs), or (model, example_inputs, dynamic_shapes)."""


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="plumb-export", description=_DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="what becomes the method `forward`")
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="F", help="the package to write")
    parser.add_argument(
        "--method", action="append", default=[], metavar="NAME=SOURCE", help="a further method; repeatable"
    )
    parser.add_argument("--labels", type=Path, metavar="F", help="class names, one a line")
    parser.add_argument(
        "--preprocessing", type=Path, metavar="F", help="a JSON file: how an image becomes the input"
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    sources = [("forward", options.source)] if options.source else []
    for entry in options.method:
        name, separator, source = entry.partition("=")
        if not (name and separator and source):
            parser.error(f"--method {entry!r}: expected NAME=SOURCE")
        if name in dict(sources):
            parser.error(f"method {name!r} is given twice")
        sources.append((name, source))
    if not sources:
        parser.error("nothing to export: give SOURCE or --method")
    warnings.showwarning = _show_warning
    logging.disable(logging.WARNING)  # torch's own running commentary
    try:
        _export(sources, options)
    except Exception as error:  # whatever user code and torch raise becomes one line
        first_line = (str(error).strip() or "no message").splitlines()[0]
        print(f"plumb-export: {type(error).__name__}: {first_line}", file=sys.stderr)
        return EXIT_FAILURE
    print(options.output)
    return EXIT_OK


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """plumb's warnings in one line each; those of libraries about their own code are not the user's."""
    from plumb.exporter.errors import ExportWarning

    if issubclass(category, ExportWarning):
        print(f"plumb-export: warning: {message}", file=sys.stderr)


def _export(sources: list[tuple[str, str]], options: argparse.Namespace) -> None:
    # Files that are quick to read come first: a missing one is reported before torch is loaded.
    labels = options.labels.read_text(encoding="utf-8").splitlines() if options.labels else None
    preprocessing = (
        json.loads(options.preprocessing.read_text(encoding="utf-8")) if options.preprocessing else None
    )

    from plumb.exporter.api import export

    methods = {name: _load(source) for name, source in sources}
    export(None, path=options.output, methods=methods, labels=labels, preprocessing=preprocessing)


def _load(source: str) -> Any:
    import torch

    from plumb.exporter.api import as_program
    from plumb.exporter.errors import ExportError

    module_name, separator, function_name = source.rpartition(":")
    if not separator or Path(source).exists():
        if not Path(source).is_file():
            raise ExportError(
                f"cannot read {source}: there is no such file; expected a .pt2 file or module:function"
            )
        return torch.export.load(source)
    sys.path.insert(0, str(Path.cwd()))
    made = getattr(importlib.import_module(module_name), function_name)()
    return as_program(*made) if isinstance(made, tuple) else as_program(made)


if __name__ == "__main__":
    sys.exit(main())
