"""`plumb.export`: from a PyTorch model or exported programs to a package on disk."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.export import ExportedProgram

from plumb.exporter.constants import ConstantPool
from plumb.exporter.errors import ExportError, ExportWarning
from plumb.exporter.method import build_method, mutated_names
from plumb.exporter.prepare import decompose, trace
from plumb.package.container import Package, write_package
from plumb.package.metadata import make_metadata
from plumb.package.program import FORMAT_VERSION, Program

DEFAULT_METHOD = "forward"
# What only a model in training mode leaves in its graph.
TRAINING_OPS = {
    "aten._native_batch_norm_legit_functional.default",
    "aten._native_batch_norm_legit.default",
    "aten.native_dropout.default",
}


def export(
    model_or_exported_program: torch.nn.Module | ExportedProgram | None,
    example_inputs: Any = None,
    path: str | os.PathLike[str] | None = None,
    dynamic_shapes: Any = None,
    methods: Mapping[str, ExportedProgram] | None = None,
    labels: Sequence[str] | None = None,
    preprocessing: Mapping[str, Any] | None = None,
) -> Path:
    """Writes a package and returns its path. Nothing appears at `path` unless all of it is written.

    model_or_exported_program: becomes the method `forward`. A module is exported in inference mode with
        `example_inputs` (a tensor, a tuple of arguments, or a dict of keyword arguments) and
        `dynamic_shapes` as in torch.export.export. May be None when `methods` are given.
    methods: exported programs by method name. Buffers and constants of one name are shared between them.
    labels: class names, index by index.
    preprocessing: how an image becomes the input, see docs/package-format.md.
    """
    if path is None:
        raise ExportError("path is missing: the file to write")
    programs = dict(methods or {})
    if model_or_exported_program is not None:
        if DEFAULT_METHOD in programs:
            raise ExportError(f"method {DEFAULT_METHOD!r} is given twice: as the model and in methods")
        main = as_program(model_or_exported_program, example_inputs, dynamic_shapes)
        programs = {DEFAULT_METHOD: main, **programs}
    package = build_package(programs)
    package.metadata = make_metadata(labels, preprocessing)
    write_package(path, package)
    return Path(path)


def build_package(programs: Mapping[str, ExportedProgram]) -> Package:
    if not programs:
        raise ExportError("there is nothing to export: give a model or methods")
    for name, program in programs.items():
        if not name or not isinstance(program, ExportedProgram):
            raise ExportError(
                f"method {name!r} is a {type(program).__name__}; expected a name and an ExportedProgram"
            )
    decomposed = {name: decompose(program) for name, program in programs.items()}
    for name, program in decomposed.items():
        _warn_of_training(name, program)
    mutable = set().union(*(mutated_names(program) for program in decomposed.values()))
    pool = ConstantPool(mutable)
    methods = [build_method(name, program, mutable, pool) for name, program in decomposed.items()]
    return Package(Program(FORMAT_VERSION, methods), pool.constants)


def _warn_of_training(name: str, program: ExportedProgram) -> None:
    targets = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
    found = sorted(targets & TRAINING_OPS)
    if found:
        warnings.warn(
            f"method {name!r} was exported in training mode: it computes {', '.join(found)}; "
            f"call .eval() before torch.export.export",
            ExportWarning,
            stacklevel=4,
        )


def as_program(model: Any, example_inputs: Any = None, dynamic_shapes: Any = None) -> ExportedProgram:
    if isinstance(model, ExportedProgram):
        return model
    if not isinstance(model, torch.nn.Module):
        raise ExportError(
            f"cannot export a {type(model).__name__}; expected a torch.nn.Module or an ExportedProgram"
        )
    if example_inputs is None:
        raise ExportError("example_inputs are missing: a module is exported by running it on them")
    return trace(model, example_inputs, dynamic_shapes)
