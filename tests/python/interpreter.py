"""Runs a method of a package with PyTorch's own operators: proof that the file says what the model does.

Knows nothing of the exporter; it reads what a runtime would read.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import torch

from plumb.package import program as p
from plumb.package.container import Package

DTYPES = {
    p.ScalarType.BYTE: torch.uint8,
    p.ScalarType.CHAR: torch.int8,
    p.ScalarType.SHORT: torch.int16,
    p.ScalarType.INT: torch.int32,
    p.ScalarType.LONG: torch.int64,
    p.ScalarType.HALF: torch.float16,
    p.ScalarType.FLOAT: torch.float32,
    p.ScalarType.DOUBLE: torch.float64,
    p.ScalarType.BOOL: torch.bool,
    p.ScalarType.BFLOAT16: torch.bfloat16,
}


class Session:
    """The state of one loaded package: buffers of one fqn are one buffer for all methods."""

    def __init__(self, package: Package):
        self._methods = {method.name: method for method in package.program.methods}
        self._constants = {
            key: torch.frombuffer(bytearray(c.data), dtype=DTYPES[c.dtype]).reshape(c.shape)
            if c.data.nbytes
            else torch.empty(c.shape, dtype=DTYPES[c.dtype])
            for key, c in package.constants.items()
        }
        self._zero_state: dict[str, torch.Tensor] = {}

    def run(self, *inputs: torch.Tensor, method: str = "forward") -> list[Any]:
        """All results in order; write-backs are applied and left out."""
        chosen = self._methods[method]
        graph = chosen.graph
        environment: dict[str, Any] = dict(zip(graph.inputs, inputs, strict=True))
        places: dict[str, torch.Tensor] = {}
        metas = {value.name: value.meta for value in graph.tensor_values}
        for ref in chosen.constants:
            environment[ref.name] = places[ref.data_key] = self._constants[ref.data_key]
        for spec in chosen.mutable_buffers:
            meta = metas[spec.name]
            zeros = torch.zeros([dim.min for dim in meta.sizes], dtype=DTYPES[meta.dtype])
            environment[spec.name] = places[spec.fqn] = self._zero_state.setdefault(spec.fqn, zeros)
        places.update(zip(graph.inputs, inputs, strict=True))
        returned = run_graph(graph, environment)
        results, specs = [], iter(chosen.output_specs)
        write_backs = []
        for value in returned:
            spec = next(specs) if isinstance(value, torch.Tensor) else None
            if spec is not None and spec.kind is not p.OutputKind.USER_OUTPUT:
                write_backs.append((places[spec.target], value.clone()))
            else:
                results.append(value.clone() if isinstance(value, torch.Tensor) else value)
        for place, value in write_backs:
            place.copy_(value)
        return results


def run_graph(graph: p.Graph, environment: dict[str, Any]) -> list[Any]:
    returned: list[Any] = []
    for node in graph.nodes:
        if node.op_kind is p.OpKind.PLACEHOLDER:
            assert node.name in environment, node.name
        elif node.op_kind is p.OpKind.OUTPUT:
            returned = [_value(entry.arg.value, environment) for entry in node.inputs]
        else:
            _bind(node, _call(node, environment), environment)
    return returned


def _bind(node: p.Node, result: Any, environment: dict[str, Any]) -> None:
    if len(node.outputs) == 1 and node.outputs[0].kind is p.OutputValueKind.TENSOR_LIST:
        environment.update(zip(node.outputs[0].names, result, strict=True))
    elif len(node.outputs) == 1 and not isinstance(result, (tuple, list)):
        environment[node.outputs[0].name] = result
    elif node.outputs:
        environment.update(zip([output.name for output in node.outputs], result, strict=True))


def _call(node: p.Node, environment: dict[str, Any]) -> Any:
    values = [_value(entry.arg.value, environment) for entry in node.inputs]
    if node.target == "torch.ops.higher_order.cond":
        predicate, true_graph, false_graph, operands = values
        chosen = true_graph if bool(predicate) else false_graph
        return run_graph(chosen, dict(zip(chosen.inputs, operands, strict=True)))
    if node.target == "torch.ops.higher_order.while_loop":
        condition, body, carried, extra = values
        while bool(run_graph(condition, dict(zip(condition.inputs, [*carried, *extra], strict=True)))[0]):
            carried = run_graph(body, dict(zip(body.inputs, [*carried, *extra], strict=True)))
        return carried
    if node.target.startswith("_operator."):
        return getattr(operator, node.target.removeprefix("_operator."))(*values)
    if node.target.startswith("math."):
        return getattr(math, node.target.removeprefix("math."))(*values)
    if not node.target.startswith("torch.ops."):
        return getattr(torch, node.target.removeprefix("torch."))(*values)
    namespace, name, overload = node.target.removeprefix("torch.ops.").split(".")
    op = getattr(getattr(getattr(torch.ops, namespace), name), overload)
    by_name = dict(zip([entry.name for entry in node.inputs], values, strict=True))
    positional = [by_name.pop(a.name) for a in op._schema.arguments if not a.kwarg_only and a.name in by_name]
    return op(*positional, **by_name)


def _value(value: Any, environment: dict[str, Any]) -> Any:
    match value:
        case p.TensorArg():
            return environment[value.name]
        case p.NoneArg():
            return None
        case p.IntArg() | p.FloatArg() | p.BoolArg():
            return environment[value.ref] if value.ref else value.value
        case p.StringArg():
            return _named_thing(value.value)
        case p.ScalarTypeArg():
            return DTYPES[value.value]
        case p.IntListArg():
            refs = value.refs or [""] * len(value.values)
            return [environment[ref] if ref else v for v, ref in zip(value.values, refs, strict=True)]
        case p.FloatListArg() | p.BoolListArg():
            return value.values
        case p.TensorListArg():
            return [environment[name] for name in value.names]
        case p.OptionalTensorListArg():
            pairs = zip(value.names, value.has_value, strict=True)
            return [environment[name] if present else None for name, present in pairs]
        case p.GraphArg():
            return value.graph
    raise AssertionError(f"unknown argument {value!r}")


def _named_thing(text: str) -> Any:
    """Devices, layouts and memory formats travel as strings."""
    for prefix in ("torch.", ""):
        name = text.removeprefix(prefix) if prefix else text
        if prefix and text.startswith(prefix):
            return getattr(torch, name)
    return torch.device(text) if text in ("cpu", "meta") else text
