"""The program of a package as plain dataclasses: one class for each FlatBuffer table.

A field's position is its FlatBuffer id (a union takes two ids), so the order here is part of the format.
Reading and writing the bytes is in flatbuffer.py; what the fields mean is told in schema/program.fbs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

FILE_IDENTIFIER = b"NPTG"
FORMAT_VERSION = "1"
UNBOUNDED = -1


class ScalarType(IntEnum):
    BYTE = 0
    CHAR = 1
    SHORT = 2
    INT = 3
    LONG = 4
    HALF = 5
    FLOAT = 6
    DOUBLE = 7
    BOOL = 11
    BFLOAT16 = 15
    UINT16 = 16
    UINT32 = 17
    UINT64 = 18


class OpKind(IntEnum):
    CALL_FUNCTION = 0
    PLACEHOLDER = 1
    OUTPUT = 2


class InputKind(IntEnum):
    USER_INPUT = 0
    PARAMETER = 1
    BUFFER = 2
    CONSTANT_TENSOR = 3


class OutputKind(IntEnum):
    USER_OUTPUT = 0
    BUFFER_MUTATION = 1
    USER_INPUT_MUTATION = 2


class OutputValueKind(IntEnum):
    TENSOR = 0
    TENSOR_LIST = 1
    INT = 2
    BOOL = 3
    FLOAT = 4


@dataclass(frozen=True)
class Wire:
    """How one field is stored: a scalar, a string, a table, a union, or a vector of the first three."""

    kind: str  # "scalar", "string", "table" or "union"
    type: str = ""  # the scalar's width, or the table's class name
    is_vector: bool = False
    required: bool = False
    kept_empty: bool = False  # write a vector without elements, which the schema lets us leave out
    default: float = 0
    enum: type[IntEnum] | None = None
    members: tuple[str, ...] = ()  # of a union, in id order from 1


def wire_of(dataclass_field: Any) -> Wire:
    return dataclass_field.metadata["wire"]


def _stored(wire: Wire, default: Any) -> Any:
    return field(default=default, metadata={"wire": wire})


def _scalar(width: str, default: float = 0) -> Any:
    return _stored(Wire("scalar", width, default=default), default)


def _enum(enum: type[IntEnum]) -> Any:
    return _stored(Wire("scalar", "int8", enum=enum), enum(0))


def _flag() -> Any:
    return _stored(Wire("scalar", "bool"), False)


def _string(required: bool = False) -> Any:
    return _stored(Wire("string", required=required), "" if required else None)


def _table(name: str, required: bool = False) -> Any:
    return _stored(Wire("table", name, required=required), None)


def _union(*members: str) -> Any:
    return _stored(Wire("union", members=members), None)


def _vector(kind: str, type_name: str = "", required: bool = False, kept_empty: bool = False) -> Any:
    wire = Wire(kind, type_name, is_vector=True, required=required, kept_empty=required or kept_empty)
    return field(default_factory=list, metadata={"wire": wire})


@dataclass
class AffineGroup:
    scale_data_key: str = _string(required=True)
    scale_dtype: ScalarType = _enum(ScalarType)
    quant_min: int = _scalar("int32")
    quant_max: int = _scalar("int32")
    group_size: int = _scalar("int32")
    zero_point_data_key: str | None = _string()
    zero_point_dtype: ScalarType = _enum(ScalarType)


@dataclass
class PackedQuant:
    codec: str = _string(required=True)


@dataclass
class QuantSpec:
    scheme: AffineGroup | PackedQuant | None = _union("AffineGroup", "PackedQuant")


@dataclass
class Dim:
    min: int = _scalar("int64")
    max: int = _scalar("int64", UNBOUNDED)


@dataclass
class TensorMeta:
    dtype: ScalarType = _enum(ScalarType)
    sizes: list[Dim] = _vector("table", "Dim", kept_empty=True)  # other readers insist on it for scalars
    dim_order: list[int] = _vector("scalar", "int32")
    quant: QuantSpec | None = _table("QuantSpec")


@dataclass
class TensorValue:
    name: str = _string(required=True)
    meta: TensorMeta = _table("TensorMeta", required=True)


@dataclass
class TensorArg:
    name: str = _string(required=True)


@dataclass
class NoneArg:
    pass


@dataclass
class IntArg:
    value: int = _scalar("int64")
    ref: str | None = _string()


@dataclass
class FloatArg:
    value: float = _scalar("float64", 0.0)
    ref: str | None = _string()


@dataclass
class BoolArg:
    value: bool = _flag()
    ref: str | None = _string()


@dataclass
class StringArg:
    value: str = _string(required=True)


@dataclass
class ScalarTypeArg:
    value: ScalarType = _enum(ScalarType)


@dataclass
class IntListArg:
    values: list[int] = _vector("scalar", "int64", required=True)
    refs: list[str] = _vector("string")


@dataclass
class FloatListArg:
    values: list[float] = _vector("scalar", "float64", required=True)


@dataclass
class BoolListArg:
    values: list[bool] = _vector("scalar", "bool", required=True)


@dataclass
class TensorListArg:
    names: list[str] = _vector("string", required=True)


@dataclass
class OptionalTensorListArg:
    names: list[str] = _vector("string", required=True)
    has_value: list[bool] = _vector("scalar", "bool", required=True)


@dataclass
class GraphArg:
    name: str = _string(required=True)
    graph: Graph = _table("Graph", required=True)


ARGUMENT_VALUES = (
    "TensorArg",
    "NoneArg",
    "IntArg",
    "FloatArg",
    "BoolArg",
    "StringArg",
    "ScalarTypeArg",
    "IntListArg",
    "FloatListArg",
    "BoolListArg",
    "TensorListArg",
    "OptionalTensorListArg",
    "GraphArg",
)


@dataclass
class Argument:
    value: Any = _union(*ARGUMENT_VALUES)


@dataclass
class NamedArgument:
    name: str | None = _string()
    arg: Argument = _table("Argument", required=True)
    mutated: bool = _flag()


@dataclass
class KeyValue:
    key: str = _string(required=True)
    value: str = _string(required=True)


@dataclass
class Output:
    name: str = _string(required=True)
    alias_of: str | None = _string()
    kind: OutputValueKind = _enum(OutputValueKind)
    names: list[str] = _vector("string")


@dataclass
class Node:
    name: str = _string(required=True)
    op_kind: OpKind = _enum(OpKind)
    target: str | None = _string()
    inputs: list[NamedArgument] = _vector("table", "NamedArgument")
    outputs: list[Output] = _vector("table", "Output")
    metadata: list[KeyValue] = _vector("table", "KeyValue")


@dataclass
class NamedTensorRef:
    name: str = _string(required=True)
    data_key: str = _string(required=True)
    meta: TensorMeta = _table("TensorMeta", required=True)
    kind: InputKind = _enum(InputKind)
    mutated: bool = _flag()


@dataclass
class OutputSpec:
    name: str = _string(required=True)
    kind: OutputKind = _enum(OutputKind)
    target: str | None = _string()


@dataclass
class MutableBufferSpec:
    name: str = _string(required=True)
    fqn: str = _string(required=True)


@dataclass
class Graph:
    nodes: list[Node] = _vector("table", "Node", required=True)
    inputs: list[str] = _vector("string")
    outputs: list[str] = _vector("string")
    tensor_values: list[TensorValue] = _vector("table", "TensorValue")


@dataclass
class Method:
    name: str = _string(required=True)
    graph: Graph = _table("Graph", required=True)
    constants: list[NamedTensorRef] = _vector("table", "NamedTensorRef")
    output_specs: list[OutputSpec] = _vector("table", "OutputSpec")
    mutable_buffers: list[MutableBufferSpec] = _vector("table", "MutableBufferSpec")


@dataclass
class Program:
    version: str | None = _string()
    methods: list[Method] = _vector("table", "Method", required=True)


TABLES: dict[str, type] = {
    cls.__name__: cls
    for cls in (
        AffineGroup, PackedQuant, QuantSpec, Dim, TensorMeta, TensorValue, TensorArg, NoneArg, IntArg,
        FloatArg, BoolArg, StringArg, ScalarTypeArg, IntListArg, FloatListArg, BoolListArg, TensorListArg,
        OptionalTensorListArg, GraphArg, Argument, NamedArgument, KeyValue, Output, Node, NamedTensorRef,
        OutputSpec, MutableBufferSpec, Graph, Method, Program,
    )
}  # fmt: skip
