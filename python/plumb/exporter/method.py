"""Writes one exported program as a Method: its graph, and what binds placeholders to constants and state."""

from __future__ import annotations

import torch
from torch.export import ExportedProgram
from torch.export import graph_signature as signature
from torch.fx import Node as FxNode

from plumb.exporter.constants import ConstantPool, bytes_of
from plumb.exporter.errors import ExportError
from plumb.exporter.graph import GraphBuilder
from plumb.exporter.tensors import tensor_meta
from plumb.package.program import (
    InputKind,
    Method,
    MutableBufferSpec,
    NamedTensorRef,
    OutputKind,
    OutputSpec,
)

_CONSTANT_KINDS = {
    signature.InputKind.PARAMETER: InputKind.PARAMETER,
    signature.InputKind.BUFFER: InputKind.BUFFER,
    signature.InputKind.CONSTANT_TENSOR: InputKind.CONSTANT_TENSOR,
}
_STATE_MUTATIONS = (signature.OutputKind.BUFFER_MUTATION, signature.OutputKind.PARAMETER_MUTATION)


def mutated_names(program: ExportedProgram) -> set[str]:
    """Buffers and parameters that the program writes to, by fully qualified name."""
    return {spec.target for spec in program.graph_signature.output_specs if spec.kind in _STATE_MUTATIONS}


def build_method(name: str, program: ExportedProgram, mutable: set[str], pool: ConstantPool) -> Method:
    """`mutable` are the names that any method of the package writes to."""
    try:
        return _Writer(name, program, mutable, pool).write()
    except ExportError as error:
        raise ExportError(f"method {name!r}: {error}") from error


class _Writer:
    def __init__(self, name: str, program: ExportedProgram, mutable: set[str], pool: ConstantPool):
        self._name = name
        self._program = program
        self._mutable = mutable
        self._pool = pool
        self._placeholders = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
        self._method = Method(name)

    def write(self) -> Method:
        inputs = [name for spec in self._program.graph_signature.input_specs if (name := self._bind(spec))]
        builder = GraphBuilder(self._program.graph_module, self._program.range_constraints)
        bound_elsewhere = frozenset(ref.name for ref in self._method.constants)
        self._method.graph = builder.build(inputs, bound_elsewhere)
        self._method.output_specs = self._output_specs(builder)
        return self._method

    def _bind(self, spec: signature.InputSpec) -> str | None:
        """Binds one placeholder; returns its name if it is an input of the method."""
        node = self._placeholders[spec.arg.name]
        if spec.kind in _CONSTANT_KINDS:
            if node.users or spec.target in self._mutable:
                self._bind_tensor(spec, node)
            else:
                self._program.graph.erase_node(node)
            return None
        if spec.kind is not signature.InputKind.USER_INPUT:
            raise ExportError(
                f"input {node.name!r} is a {spec.kind.name}; expected tensors and constants only"
            )
        if isinstance(spec.arg, signature.TensorArgument):
            return node.name
        if node.users or not isinstance(spec.arg, signature.ConstantArgument):
            raise ExportError(
                f"input {node.name!r} is no tensor; expected tensor inputs, sizes come from their shapes"
            )
        # A literal that tracing has built into the graph.
        self._program.graph.erase_node(node)
        return None

    def _bind_tensor(self, spec: signature.InputSpec, node: FxNode) -> None:
        tensor = self._data(spec)
        is_mutable = spec.target in self._mutable
        if is_mutable and not spec.persistent and not any(bytes_of(tensor)):
            self._method.mutable_buffers.append(MutableBufferSpec(node.name, spec.target))
            return
        # Also a buffer that is not persistent: without its values the program would compute with zeros.
        key = self._pool.add(self._name, spec.target, tensor)
        meta = tensor_meta(tensor, {}, f"constant {spec.target!r}")
        self._method.constants.append(
            NamedTensorRef(node.name, key, meta, _CONSTANT_KINDS[spec.kind], is_mutable)
        )

    def _data(self, spec: signature.InputSpec) -> torch.Tensor:
        for source in (self._program.state_dict, self._program.constants):
            if isinstance(found := source.get(spec.target), torch.Tensor):
                return found
        raise ExportError(f"the program holds no values for {spec.kind.name} {spec.target!r}")

    def _output_specs(self, builder: GraphBuilder) -> list[OutputSpec]:
        """Parallel to the graph's outputs, that is without literals and numbers.

        By position, not by name: one value may be both a write-back and a result.
        """
        specs = []
        for value, spec in zip(builder.outputs(), self._program.graph_signature.output_specs, strict=True):
            if not isinstance(value, FxNode) or not isinstance(value.meta.get("val"), torch.Tensor):
                continue
            name = builder.name_of(value)
            if spec.kind in _STATE_MUTATIONS:
                specs.append(OutputSpec(name, OutputKind.BUFFER_MUTATION, spec.target))
            elif spec.kind is signature.OutputKind.USER_INPUT_MUTATION:
                specs.append(OutputSpec(name, OutputKind.USER_INPUT_MUTATION, spec.target))
            elif spec.kind is signature.OutputKind.USER_OUTPUT:
                specs.append(OutputSpec(name, OutputKind.USER_OUTPUT))
            else:
                raise ExportError(f"output {name!r} is a {spec.kind.name}; expected results and mutations")
        return specs
