"""Brings a model to the form that is written: exported, in inference mode, functional core ATen.

Writing the result is in method.py and graph.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.export import ExportedProgram

from plumb.exporter.branches import lift_branch_constants
from plumb.exporter.errors import ExportWarning
from plumb.exporter.restride import simplify_restrides

# Engines run these whole: fused kernels beat what they decompose into.
KEPT_WHOLE = (
    torch.ops.aten.linear.default,
    torch.ops.aten.matmul.default,
    torch.ops.aten.addmm.default,
    torch.ops.aten.scaled_dot_product_attention.default,
)

# Checks made while tracing. They compute nothing, and a runtime checks shapes anyway.
_ASSERTIONS = frozenset(
    {
        "aten::_assert_async",
        "aten::_assert_scalar",
        "aten::_assert_tensor_metadata",
        "aten::sym_constrain_range",
        "aten::sym_constrain_range_for_size",
    }
)


def trace(model: torch.nn.Module, example_inputs: Any, dynamic_shapes: Any) -> ExportedProgram:
    args, kwargs = _as_call(example_inputs)
    if any(module.training for module in model.modules()):
        # Counted from here, plumb.export's caller is the fifth frame.
        warnings.warn(
            "the model is in training mode; it is exported as after model.eval()", ExportWarning, stacklevel=5
        )
    with _inference_mode_of(model), torch.no_grad():
        return torch.export.export(model, args, kwargs, dynamic_shapes=dynamic_shapes)


def _as_call(example_inputs: Any) -> tuple[tuple, dict]:
    if isinstance(example_inputs, dict):
        return (), example_inputs
    if isinstance(example_inputs, (tuple, list)):
        return tuple(example_inputs), {}
    return (example_inputs,), {}


@contextmanager
def _inference_mode_of(model: torch.nn.Module) -> Iterator[None]:
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


def decompose(program: ExportedProgram) -> ExportedProgram:
    table = torch.export.default_decompositions()
    for op in KEPT_WHOLE:
        table.pop(op, None)
    with torch.no_grad():
        program = lift_branch_constants(program).run_decompositions(table)
    for module in program.graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            _remove_assertions(module)
            simplify_restrides(module)
            module.graph.eliminate_dead_code()
    return program


def _remove_assertions(module: torch.fx.GraphModule) -> None:
    for node in list(module.graph.nodes):
        if isinstance(node.target, torch._ops.OpOverload) and node.target.name().split(".")[0] in _ASSERTIONS:
            module.graph.erase_node(node)
