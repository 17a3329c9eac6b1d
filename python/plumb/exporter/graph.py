"""Turns one fx graph into a Graph of the format: nodes, names of their results, tensor metadata.

What binds a graph to constants and state (placeholders of a method) is in method.py.
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch.fx import GraphModule
from torch.fx import Node as FxNode

from plumb.exporter.arguments import ArgumentEncoder, is_tensor
from plumb.exporter.errors import ExportError
from plumb.exporter.tensors import SymbolRanges, tensor_meta
from plumb.package.program import (
    Graph,
    NamedArgument,
    Node,
    OpKind,
    Output,
    OutputValueKind,
    TensorMeta,
    TensorValue,
)


def op_name(target: Any) -> str:
    """`torch.ops.aten.add.Tensor` for operators, `_operator.mul` and the like for symbolic arithmetic."""
    if isinstance(target, str):
        return target
    name = getattr(target, "__name__", str(target))
    module = (getattr(target, "__module__", None) or "").replace("torch._ops", "torch.ops")
    return f"{module}.{name}" if module else name


class GraphBuilder:
    def __init__(self, module: GraphModule, ranges: SymbolRanges):
        self._module = module
        self._ranges = ranges
        self._values: dict[str, TensorMeta] = {}
        self._names = {node.name for node in module.graph.nodes}
        self._results = self._collect_getitems()
        self._encoder = ArgumentEncoder(self.name_of, self._nested_graph)

    def build(self, inputs: list[str] | None = None, without_meta: frozenset[str] = frozenset()) -> Graph:
        """`inputs` are the user inputs (all placeholders in a nested graph); values in `without_meta`
        carry their metadata elsewhere, which suffices unless they are results."""
        nodes = [self._node(node) for node in self._module.graph.nodes if not self._is_folded(node)]
        if inputs is None:
            inputs = [node.name for node in self._module.graph.nodes if node.op == "placeholder"]
        outputs = [self.name_of(node) for node in self.tensor_outputs()]
        left_out = without_meta.difference(outputs)
        values = [TensorValue(name, meta) for name, meta in self._values.items() if name not in left_out]
        return Graph(nodes, inputs, outputs, values)

    def name_of(self, node: FxNode) -> str:
        if _is_getitem_of_tuple(node):
            producer, index = node.args
            return self._results[producer][index]
        return node.name

    def tensor_outputs(self) -> list[FxNode]:
        return [value for value in self.outputs() if isinstance(value, FxNode) and is_tensor(value)]

    def outputs(self) -> list[Any]:
        """Every result in order, literals included."""
        returned = self._module.graph.output_node().args[0]
        return list(returned) if isinstance(returned, (list, tuple)) else [returned]

    def _collect_getitems(self) -> dict[FxNode, dict[int, str]]:
        """For each node with several results, the SSA name of each: the first getitem's, or a fresh one."""
        results: dict[FxNode, dict[int, str]] = {}
        for node in self._module.graph.nodes:
            if _is_getitem_of_tuple(node):
                producer, index = node.args
                results.setdefault(producer, {}).setdefault(index, node.name)
        for node in self._module.graph.nodes:
            if isinstance(node.meta.get("val"), (tuple, list)):
                names = results.setdefault(node, {})
                for index in range(len(node.meta["val"])):
                    if index not in names:
                        names[index] = self._fresh(f"{node.name}_out{index}")
        return results

    def _fresh(self, wanted: str) -> str:
        name = wanted
        while name in self._names:
            name += "_"
        self._names.add(name)
        return name

    def _is_folded(self, node: FxNode) -> bool:
        return _is_getitem_of_tuple(node) or self._submodule(node) is not None

    def _submodule(self, node: FxNode) -> GraphModule | None:
        if node.op != "get_attr":
            return None
        try:
            found = operator.attrgetter(str(node.target))(self._module)
        except AttributeError:
            return None
        return found if isinstance(found, GraphModule) else None

    def _nested_graph(self, node: FxNode) -> tuple[str, Graph] | None:
        module = self._submodule(node)
        return None if module is None else (node.name, GraphBuilder(module, self._ranges).build())

    def _node(self, node: FxNode) -> Node:
        if node.op == "output":
            inputs = [NamedArgument(None, self._encoder.encode(value)) for value in self.outputs()]
            return Node(node.name, OpKind.OUTPUT, inputs=inputs)
        if node.op == "placeholder":
            return Node(node.name, OpKind.PLACEHOLDER, outputs=self._node_outputs(node))
        if node.op == "call_function":
            target, inputs = op_name(node.target), self._encoder.call(node)
            return Node(node.name, OpKind.CALL_FUNCTION, target, inputs, self._node_outputs(node))
        raise ExportError(f"node {node.name!r} is a {node.op} of {node.target!r}; expected an exported graph")

    def _node_outputs(self, node: FxNode) -> list[Output]:
        value = node.meta.get("val")
        if isinstance(node.target, torch._ops.OpOverload) and not node.target._schema.returns:
            return []
        if not isinstance(value, (tuple, list)):
            return [self._output(node.name, value, _aliased_input(node))]
        names = [self._results[node][index] for index in range(len(value))]
        if _returns_tensor_list(node):
            for name, element in zip(names, value, strict=True):
                self._record(name, element)
            return [Output("", kind=OutputValueKind.TENSOR_LIST, names=names)]
        return [self._output(name, element, None) for name, element in zip(names, value, strict=True)]

    def _output(self, name: str, value: Any, alias_of: FxNode | None) -> Output:
        if isinstance(value, torch.Tensor):
            self._record(name, value)
            return Output(name, self.name_of(alias_of) if alias_of is not None else None)
        if isinstance(value, (bool, torch.SymBool)):
            return Output(name, kind=OutputValueKind.BOOL)
        if isinstance(value, (int, torch.SymInt)):
            return Output(name, kind=OutputValueKind.INT)
        if isinstance(value, (float, torch.SymFloat)):
            return Output(name, kind=OutputValueKind.FLOAT)
        raise ExportError(f"value {name!r} is a {type(value).__name__}; expected a tensor or a number")

    def _record(self, name: str, tensor: torch.Tensor) -> None:
        self._values[name] = tensor_meta(tensor, self._ranges, f"value {name!r}")


def _is_getitem_of_tuple(node: FxNode) -> bool:
    return (
        node.op == "call_function"
        and node.target is operator.getitem
        and isinstance(node.args[0].meta.get("val"), (tuple, list))
    )


def _returns_tensor_list(node: FxNode) -> bool:
    """One `Tensor[]` (split, unbind), as opposed to a tuple of results (topk)."""
    return (
        isinstance(node.target, torch._ops.OpOverload)
        and len(node.target._schema.returns) == 1
        and str(node.target._schema.returns[0].type) == "List[Tensor]"
    )


def _aliased_input(node: FxNode) -> FxNode | None:
    """The argument whose storage the result shares, as the operator's schema declares it."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return None
    schema = node.target._schema
    for result in schema.returns:
        shared = set(result.alias_info.before_set) if result.alias_info is not None else set()
        for position, parameter in enumerate(schema.arguments):
            if parameter.alias_info is None or not shared & set(parameter.alias_info.before_set):
                continue
            value = node.args[position] if position < len(node.args) else node.kwargs.get(parameter.name)
            if isinstance(value, FxNode):
                return value
    return None
