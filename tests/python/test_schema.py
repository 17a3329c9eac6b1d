"""The three statements of the format agree: schema/program.fbs, the dataclasses, and the official schema."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
import shutil
import subprocess
from enum import IntEnum
from pathlib import Path

import pytest

from plumb.package import program
from plumb.package.program import TABLES, wire_of

SCHEMA = Path(__file__).parents[2] / "schema" / "program.fbs"
FBS_SCALARS = {"byte": "int8", "int": "int32", "long": "int64", "double": "float64", "bool": "bool"}


def parse(text: str) -> dict[str, tuple]:
    """Tables as (name, type, required, default) in order, enums as (name, value), unions as member names."""
    text = re.sub(r"//[^\n]*", "", text)
    found: dict[str, tuple] = {}
    for kind, name, body in re.findall(r"\b(table|enum|union)\s+(\w+)(?:\s*:\s*\w+)?\s*\{([^}]*)\}", text):
        if kind == "table":
            fields = re.findall(r"(\w+)\s*:\s*(\[?\w+\]?)\s*(?:=\s*([-\w]+))?\s*(\(required\))?\s*;", body)
            found[name] = tuple(
                (field, type_, bool(req), default or "0") for field, type_, default, req in fields
            )
        else:
            members = [entry.strip() for entry in body.split(",") if entry.strip()]
            found[name] = tuple(re.sub(r"\s+", "", member) for member in members)
    return found


def described() -> dict[str, tuple]:
    """The dataclasses in the words of a schema."""
    names = {width: fbs for fbs, width in FBS_SCALARS.items()}
    unions = {"QuantSpec.scheme": "QuantScheme", "Argument.value": "ArgumentValue"}
    found: dict[str, tuple] = {}
    for name, table in TABLES.items():
        rows = []
        for member in dataclasses.fields(table):
            wire = wire_of(member)
            if wire.kind == "union":
                type_ = unions[f"{name}.{member.name}"]
                found[type_] = wire.members
            elif wire.enum is not None:
                type_ = wire.enum.__name__
            else:
                type_ = {"string": "string", "table": wire.type}.get(wire.kind) or names[wire.type]
            default = str(int(wire.default)) if not wire.is_vector else "0"
            rows.append((member.name, f"[{type_}]" if wire.is_vector else type_, wire.required, default))
        found[name] = tuple(rows)
    for enum in vars(program).values():
        if isinstance(enum, type) and issubclass(enum, IntEnum) and enum is not IntEnum:
            found[enum.__name__] = tuple(f"{member.name}={member.value}" for member in enum)
    return found


def normalized(schema: dict[str, tuple]) -> dict[str, tuple]:
    return {
        name: tuple(
            (*row[:3], "0" if row[3] == "false" else row[3]) if isinstance(row, tuple) else row
            for row in rows
        )
        for name, rows in schema.items()
    }


def test_the_dataclasses_follow_the_schema():
    assert described() == normalized(parse(SCHEMA.read_text()))


def test_the_schema_has_the_official_ids():
    spec = importlib.util.find_spec("executorch")
    if spec is None:
        pytest.skip("executorch is not installed")
    folder = Path(next(iter(spec.submodule_search_locations)))
    official = (folder / "backends/native/serialization/native_graph.fbs").read_text()
    ours = SCHEMA.read_text()
    assert normalized(parse(ours)) == normalized(parse(official))
    for statement in (r"file_identifier\s+\"(\w+)\"", r"root_type\s+(\w+)"):
        assert re.search(statement, ours)[1] == re.search(statement, official)[1]


def test_the_schema_compiles(tmp_path):
    flatc = shutil.which("flatc")
    if flatc is None:
        pytest.skip("flatc is not installed")
    done = subprocess.run([flatc, "--cpp", "-o", str(tmp_path), str(SCHEMA)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
