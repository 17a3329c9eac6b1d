"""Writes and reads the `.ptn` file: a zip of stored members. What the members contain is in the files beside.

A package appears under its name only when it is complete: a failure leaves what was there before.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import struct
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from plumb.package import safetensors
from plumb.package.errors import PackageError
from plumb.package.flatbuffer import decode_program, encode_program
from plumb.package.program import Program
from plumb.package.safetensors import ALIGNMENT, Constant

PROGRAM_MEMBER = "program.ptg"
CONSTANTS_MEMBER = "program.safetensors"
ALIASES_MEMBER = "aliases.json"
METADATA_MEMBER = "plumb.json"

_ALIGNMENT_EXTRA_ID = 0xD935  # the id by which zipalign marks padding that other readers skip
_ALIGNMENT_EXTRA_HEAD = struct.calcsize("<HHH")
_LOCAL_HEADER_SIZE = 30
_ZIP64_EXTRA_SIZE = 20
_ZIP64_THRESHOLD = (1 << 31) - 1
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same program gives the same bytes on any day


@dataclass
class Package:
    """A program, every data key it uses, and what travels with it for the runners."""

    program: Program
    constants: dict[str, Constant] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


def mutable_keys(program: Program) -> set[str]:
    """Keys that some method writes to: equal bytes do not make two of them the same state."""
    return {ref.data_key for method in program.methods for ref in method.constants if ref.mutated}


def share_equal_constants(
    constants: dict[str, Constant], never_shared: set[str]
) -> tuple[dict[str, Constant], dict[str, str]]:
    """Splits constants into those to store and a map from each duplicate's key to its owner's key."""
    owners: dict[str, Constant] = {}
    aliases: dict[str, str] = {}
    owner_of: dict[tuple, str] = {}
    for key in sorted(constants):
        constant = constants[key]
        if key in never_shared:
            owners[key] = constant
            continue
        content = (constant.dtype, constant.shape, hashlib.sha256(constant.data).digest())
        owner = owner_of.setdefault(content, key)
        if owner == key:
            owners[key] = constant
        else:
            aliases[key] = owner
    return owners, aliases


def write_package(path: str | os.PathLike[str], package: Package) -> None:
    program = encode_program(package.program)
    owners, aliases = share_equal_constants(package.constants, mutable_keys(package.program))
    with _replaced_when_complete(Path(path)) as stream, zipfile.ZipFile(stream, "w") as archive:
        _write_member(archive, PROGRAM_MEMBER, len(program), [program])
        if owners:
            header, order = safetensors.layout(owners)
            size = len(header) + sum(owner.data.nbytes for owner in owners.values())
            _write_member(archive, CONSTANTS_MEMBER, size, _chunks(header, order, owners))
        for name, content in ((ALIASES_MEMBER, aliases), (METADATA_MEMBER, package.metadata)):
            if content:
                text = json.dumps(content, indent=2, sort_keys=True).encode()
                _write_member(archive, name, len(text), [text])


def _chunks(header: bytes, order: list[str], owners: dict[str, Constant]) -> Iterator[bytes | memoryview]:
    yield header
    for key in order:
        yield owners[key].data


def _write_member(
    archive: zipfile.ZipFile, name: str, size: int, chunks: Iterable[bytes | memoryview]
) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.create_system = 3  # the platform would show in the bytes otherwise
    info.external_attr = 0o644 << 16
    needs_zip64 = size > _ZIP64_THRESHOLD
    fixed = _LOCAL_HEADER_SIZE + len(name.encode()) + (_ZIP64_EXTRA_SIZE if needs_zip64 else 0)
    info.extra = _alignment_extra(archive.fp.tell() + fixed)
    with archive.open(info, "w", force_zip64=needs_zip64) as member:
        if archive.fp.tell() % ALIGNMENT:
            raise PackageError(f"{name} would begin at byte {archive.fp.tell()}, which is not aligned")
        for chunk in chunks:
            member.write(chunk)


def _alignment_extra(data_offset: int) -> bytes:
    padding = -(data_offset + _ALIGNMENT_EXTRA_HEAD) % ALIGNMENT
    return struct.pack("<HHH", _ALIGNMENT_EXTRA_ID, 2 + padding, ALIGNMENT) + bytes(padding)


@contextmanager
def _replaced_when_complete(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not path.is_file():
        raise PackageError(f"cannot write {path}: it exists and is no regular file")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(6)}.partial")
    try:
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as error:
        # Under the name that the user knows.
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # Without this the new name may be lost with the power although the data is safe.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_package(path: str | os.PathLike[str]) -> Package:
    """Reads a whole package into memory: for tools and tests, the runtime has its own reader."""
    members = _read_members(path)
    if PROGRAM_MEMBER not in members:
        raise PackageError(f"{path} has no member {PROGRAM_MEMBER}")
    constants = safetensors.parse(memoryview(members.get(CONSTANTS_MEMBER, b"\2" + bytes(7) + b"{}")))
    owners = dict(constants)
    for key, owner in _json_object(members, ALIASES_MEMBER).items():
        if owner not in owners or key in owners:
            raise PackageError(
                f"{ALIASES_MEMBER}: {key!r} is an alias of {owner!r}, which must be stored and {key!r} not"
            )
        constants[key] = owners[owner]
    return Package(decode_program(members[PROGRAM_MEMBER]), constants, _json_object(members, METADATA_MEMBER))


def read_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What travels with the program, without reading the program."""
    return _json_object(_read_members(path, METADATA_MEMBER), METADATA_MEMBER)


def _read_members(path: str | os.PathLike[str], *wanted: str) -> dict[str, bytes]:
    """The members of these names that there are; all members if no name is given."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            return {name: archive.read(name) for name in names if not wanted or name in wanted}
    except zipfile.BadZipFile as error:
        raise PackageError(f"{path} is no zip file: {error}") from error


def _json_object(members: dict[str, bytes], name: str) -> dict[str, Any]:
    try:
        content = json.loads(members.get(name, b"{}"))
    except ValueError as error:
        raise PackageError(f"{name} is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise PackageError(f"{name} holds {type(content).__name__}; expected an object")
    return content
