"""Encodes the arguments of an fx node: literals, references to values, lists of them, nested graphs.

Operators with a schema get every parameter written out by name, defaults included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Node

from plumb.exporter.errors import ExportError
from plumb.exporter.tensors import scalar_type
from plumb.package.program import (
    Argument,
    BoolArg,
    BoolListArg,
    FloatArg,
    FloatListArg,
    Graph,
    GraphArg,
    IntArg,
    IntListArg,
    NamedArgument,
    NoneArg,
    OptionalTensorListArg,
    ScalarTypeArg,
    StringArg,
    TensorArg,
    TensorListArg,
)


def is_tensor(node: Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)


def is_integer(node: Node) -> bool:
    value = node.meta.get("val")
    return isinstance(value, (int, torch.SymInt)) and not isinstance(value, bool)


class ArgumentEncoder:
    """Encodes for one graph: `name_of` gives a node's SSA name, `subgraph` builds a nested graph."""

    def __init__(self, name_of: Callable[[Node], str], subgraph: Callable[[Node], tuple[str, Graph] | None]):
        self._name_of = name_of
        self._subgraph = subgraph

    def call(self, node: Node) -> list[NamedArgument]:
        try:
            if isinstance(node.target, torch._ops.OpOverload):
                return self._bound_to_schema(node, node.target._schema)
            positional = [NamedArgument(None, self.encode(value)) for value in node.args]
            return positional + [NamedArgument(key, self.encode(value)) for key, value in node.kwargs.items()]
        except ExportError as error:
            raise ExportError(f"node {node.name!r} ({node.target}): {error}") from error

    def _bound_to_schema(self, node: Node, schema: torch._C.FunctionSchema) -> list[NamedArgument]:
        bound = []
        for position, parameter in enumerate(schema.arguments):
            if position < len(node.args):
                value = node.args[position]
            elif parameter.name in node.kwargs:
                value = node.kwargs[parameter.name]
            elif parameter.has_default_value():
                value = parameter.default_value
            else:
                raise ExportError(f"argument {parameter.name!r} is missing")
            written = parameter.alias_info is not None and parameter.alias_info.is_write
            bound.append(NamedArgument(parameter.name, self.encode(value, str(parameter.type)), written))
        return bound

    def encode(self, value: Any, declared: str = "") -> Argument:
        """`declared` is the parameter's type as the schema spells it, for example `Optional[List[int]]`."""
        if isinstance(value, (list, tuple)):
            return Argument(self._list(list(value), declared))
        return Argument(self._single(value, declared))

    def _single(self, value: Any, declared: str) -> Any:
        if value is None:
            return NoneArg()
        if isinstance(value, Node):
            return self._reference(value)
        if isinstance(value, bool):
            return BoolArg(value)
        if isinstance(value, int):
            return FloatArg(float(value)) if declared in ("float", "Optional[float]") else IntArg(value)
        if isinstance(value, float):
            return FloatArg(value)
        if isinstance(value, str):
            return StringArg(value)
        if isinstance(value, torch.dtype):
            return ScalarTypeArg(scalar_type(value, "the dtype argument"))
        if isinstance(value, (torch.device, torch.layout, torch.memory_format)):
            return StringArg(str(value))
        if isinstance(value, torch.SymInt):
            return IntArg(_concrete(value))
        raise ExportError(
            f"an argument of type {type(value).__name__} ({value!r}) has no place in the format"
        )

    def _reference(self, node: Node) -> Any:
        nested = self._subgraph(node)
        if nested is not None:
            return GraphArg(*nested)
        name, value = self._name_of(node), node.meta.get("val")
        if isinstance(value, (bool, torch.SymBool)):
            return BoolArg(ref=name)
        if isinstance(value, (int, torch.SymInt)):
            return IntArg(ref=name)
        if isinstance(value, (float, torch.SymFloat)):
            return FloatArg(ref=name)
        return TensorArg(name)

    def _list(self, items: list[Any], declared: str) -> Any:
        if not items:
            return _empty_list(declared)
        if (
            all(isinstance(item, Node) and is_tensor(item) for item in items)
            and "Optional[Tensor]" not in declared
        ):
            return TensorListArg([self._name_of(item) for item in items])
        if all(item is None or (isinstance(item, Node) and is_tensor(item)) for item in items):
            names = ["" if item is None else self._name_of(item) for item in items]
            return OptionalTensorListArg(names, [item is not None for item in items])
        if all(isinstance(item, bool) for item in items):
            return BoolListArg(items)
        if all(isinstance(item, (int, float)) for item in items) and (
            "float" in declared or any(isinstance(item, float) for item in items)
        ):
            return FloatListArg([float(item) for item in items])
        if all(
            isinstance(item, (int, torch.SymInt)) or (isinstance(item, Node) and is_integer(item))
            for item in items
        ):
            return self._int_list(items)
        kinds = ", ".join(sorted({type(item).__name__ for item in items}))
        raise ExportError(f"a list that mixes {kinds} has no place in the format: {items}")

    def _int_list(self, items: list[Any]) -> IntListArg:
        refs = [self._name_of(item) if isinstance(item, Node) else "" for item in items]
        values = [0 if isinstance(item, Node) else _concrete(item) for item in items]
        return IntListArg(values, refs if any(refs) else [])


def _concrete(value: int | torch.SymInt) -> int:
    concrete = value.node.maybe_as_int() if isinstance(value, torch.SymInt) else value
    if concrete is None:
        raise ExportError(f"the symbolic size {value} comes from no node of the graph")
    return concrete


def _empty_list(declared: str) -> Any:
    if "Optional[Tensor]" in declared:
        return OptionalTensorListArg()
    if "int" in declared or "SymInt" in declared:
        return IntListArg()
    if "float" in declared:
        return FloatListArg()
    if "bool" in declared:
        return BoolListArg()
    # Operators without a schema (cond, map, …) take operands, which are tensors.
    return TensorListArg()
