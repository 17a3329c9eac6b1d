"""Turns a Program into the bytes of `program.ptg` and back, driven by the dataclasses of program.py.

Nothing is generated: each field carries its wire type. The bytes depend on the program only.
"""

from __future__ import annotations

import math
import struct
from dataclasses import fields
from typing import Any

import flatbuffers
from flatbuffers import encode, number_types, packer
from flatbuffers.table import Table

from plumb.package.errors import PackageError
from plumb.package.program import FILE_IDENTIFIER, TABLES, Program, Wire, wire_of

# Nested graphs are the only recursion of the format; real programs nest a handful of levels.
MAX_DEPTH = 200

_SCALARS = {
    "bool": (number_types.BoolFlags, packer.boolean),
    "int8": (number_types.Int8Flags, packer.int8),
    "uint8": (number_types.Uint8Flags, packer.uint8),
    "int32": (number_types.Int32Flags, packer.int32),
    "int64": (number_types.Int64Flags, packer.int64),
    "float64": (number_types.Float64Flags, packer.float64),
}


def encode_program(program: Program) -> bytes:
    builder = flatbuffers.Builder(1 << 16)
    builder.Finish(_write_table(builder, program), FILE_IDENTIFIER)
    return bytes(builder.Output())


def _write_table(builder: flatbuffers.Builder, table: Any) -> int:
    slots = []  # (flags, id, value, default); children must be complete before the table starts
    field_id = 0
    for member in fields(table):
        wire, value = wire_of(member), getattr(table, member.name)
        where = f"{type(table).__name__}.{member.name}"
        if wire.kind == "union":
            slots += _write_union(builder, wire, value, field_id, where)
            field_id += 2
            continue
        if wire.kind == "scalar" and not wire.is_vector:
            slots.append((_SCALARS[wire.type][0], field_id, value, wire.default))
        elif (offset := _write_child(builder, wire, value, where)) is not None:
            slots.append((None, field_id, offset, 0))
        field_id += 1

    builder.StartObject(field_id)
    for flags, slot, value, default in slots:
        if flags is None:
            builder.PrependUOffsetTRelativeSlot(slot, value, 0)
        elif not _is_default(value, default):
            builder.Prepend(flags, value)
            builder.Slot(slot)
    return builder.EndObject()


def _is_default(value: Any, default: Any) -> bool:
    # -0.0 equals 0.0 but is another number to a program that divides by it.
    return value == default and math.copysign(1.0, value) == math.copysign(1.0, default)


def _write_union(builder: flatbuffers.Builder, wire: Wire, value: Any, field_id: int, where: str) -> list:
    if value is None:
        return []
    name = type(value).__name__
    if name not in wire.members:
        raise PackageError(f"{where} cannot hold {name}; expected one of {', '.join(wire.members)}")
    offset = _write_table(builder, value)
    tag = wire.members.index(name) + 1
    return [(number_types.Uint8Flags, field_id, tag, 0), (None, field_id + 1, offset, 0)]


def _write_child(builder: flatbuffers.Builder, wire: Wire, value: Any, where: str) -> int | None:
    if wire.is_vector:
        if not value and not wire.kept_empty:
            return None
        return _write_vector(builder, wire, value)
    if value is None:
        if wire.required:
            raise PackageError(f"{where} is required")
        return None
    return builder.CreateSharedString(value) if wire.kind == "string" else _write_table(builder, value)


def _write_vector(builder: flatbuffers.Builder, wire: Wire, values: list) -> int:
    if wire.kind == "scalar":
        flags = _SCALARS[wire.type][0]
        builder.StartVector(flags.bytewidth, len(values), flags.bytewidth)
        for value in reversed(values):
            builder.Prepend(flags, value)
        return builder.EndVector()
    if wire.kind == "string":
        offsets = [builder.CreateSharedString(value) for value in values]
    else:
        offsets = [_write_table(builder, value) for value in values]
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def decode_program(data: bytes) -> Program:
    if data[4:8] != FILE_IDENTIFIER:
        raise PackageError(
            f"program.ptg has file identifier {bytes(data[4:8])!r}; expected {FILE_IDENTIFIER!r}"
        )
    try:
        root = encode.Get(packer.uoffset, data, 0)
        return _read_table(Table(data, root), Program, 0)
    except (struct.error, IndexError, TypeError, UnicodeDecodeError) as error:
        raise PackageError(f"program.ptg is damaged: {error}") from error


def _read_table(table: Table, cls: type, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise PackageError(f"program.ptg nests tables deeper than {MAX_DEPTH}")
    values: dict[str, Any] = {}
    field_id = 0
    for member in fields(cls):
        wire, where = wire_of(member), f"{cls.__name__}.{member.name}"
        position = table.Offset(4 + 2 * field_id)
        if wire.kind == "union":
            values[member.name] = _read_union(table, wire, field_id, where, depth)
            field_id += 2
            continue
        if position:
            values[member.name] = _read_field(table, table.Pos + position, wire, where, depth)
        elif wire.required:
            raise PackageError(f"program.ptg lacks {where}, which is required")
        field_id += 1
    return cls(**values)


def _read_union(table: Table, wire: Wire, field_id: int, where: str, depth: int) -> Any:
    tag_position = table.Offset(4 + 2 * field_id)
    tag = table.Get(number_types.Uint8Flags, table.Pos + tag_position) if tag_position else 0
    if tag == 0:
        return None
    if tag > len(wire.members):
        raise PackageError(
            f"program.ptg: {where} has union member {tag}; this reader knows {len(wire.members)}"
        )
    position = table.Offset(4 + 2 * (field_id + 1))
    if not position:
        raise PackageError(f"program.ptg: {where} names a union member but holds no value")
    inner = Table(table.Bytes, table.Indirect(table.Pos + position))
    return _read_table(inner, TABLES[wire.members[tag - 1]], depth + 1)


def _read_field(table: Table, position: int, wire: Wire, where: str, depth: int) -> Any:
    if wire.is_vector:
        start = table.Indirect(position)
        length = table.Get(number_types.UOffsetTFlags, start)
        width = _SCALARS[wire.type][0].bytewidth if wire.kind == "scalar" else 4
        if start + 4 + length * width > len(table.Bytes):
            raise PackageError(f"program.ptg: {where} has {length} elements, more than the file holds")
        return [_read_element(table, start + 4 + i * width, wire, where, depth) for i in range(length)]
    return _read_element(table, position, wire, where, depth)


def _read_element(table: Table, position: int, wire: Wire, where: str, depth: int) -> Any:
    if wire.kind == "string":
        return table.String(position).decode("utf-8")
    if wire.kind == "table":
        return _read_table(Table(table.Bytes, table.Indirect(position)), TABLES[wire.type], depth + 1)
    value = table.Get(_SCALARS[wire.type][0], position)
    if wire.enum is None:
        return value
    try:
        return wire.enum(value)
    except ValueError:
        raise PackageError(f"program.ptg: {where} is {value}, which is no {wire.enum.__name__}") from None
