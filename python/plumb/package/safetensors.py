"""The bytes of `program.safetensors`: header and tensor order on writing, a checked view of it on reading.

Only the file format is here; which constants are stored and under which keys is decided by the caller.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import prod

from plumb.package.errors import PackageError
from plumb.package.program import ScalarType

ALIGNMENT = 64
RESERVED_KEY = "__metadata__"

# dtype code of the file format, and bytes an element.
DTYPES: dict[ScalarType, tuple[str, int]] = {
    ScalarType.BYTE: ("U8", 1),
    ScalarType.CHAR: ("I8", 1),
    ScalarType.SHORT: ("I16", 2),
    ScalarType.INT: ("I32", 4),
    ScalarType.LONG: ("I64", 8),
    ScalarType.HALF: ("F16", 2),
    ScalarType.FLOAT: ("F32", 4),
    ScalarType.DOUBLE: ("F64", 8),
    ScalarType.BOOL: ("BOOL", 1),
    ScalarType.BFLOAT16: ("BF16", 2),
    ScalarType.UINT16: ("U16", 2),
    ScalarType.UINT32: ("U32", 4),
    ScalarType.UINT64: ("U64", 8),
}
_SCALAR_TYPES = {code: scalar_type for scalar_type, (code, _) in DTYPES.items()}


@dataclass(frozen=True)
class Constant:
    """A contiguous little-endian tensor: `data` is its bytes, owned by whoever made the view."""

    dtype: ScalarType
    shape: tuple[int, ...]
    data: memoryview

    def __post_init__(self) -> None:
        expected = prod(self.shape) * DTYPES[self.dtype][1]
        if self.data.nbytes != expected:
            raise PackageError(
                f"a {self.dtype.name} constant of shape {list(self.shape)} has {self.data.nbytes} bytes; "
                f"expected {expected}"
            )


def layout(constants: dict[str, Constant]) -> tuple[bytes, list[str]]:
    """The header, and the keys in the order in which their data follows it.

    The format allows no holes, so alignment must come from the order: tensors are sorted by the largest
    power of two (at most 64) that divides their size. Then whatever precedes a tensor is a multiple of
    that power: every tensor is aligned to its elements, and those of whole cache lines to 64 bytes.
    """
    if RESERVED_KEY in constants:
        raise PackageError(f"{RESERVED_KEY!r} is reserved by safetensors and cannot name a constant")
    order = sorted(constants, key=lambda key: (-_alignment_kept(constants[key].data.nbytes), key))
    header: dict[str, dict] = {}
    offset = 0
    for key in order:
        constant = constants[key]
        end = offset + constant.data.nbytes
        header[key] = {
            "dtype": DTYPES[constant.dtype][0],
            "shape": list(constant.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    return len(text).to_bytes(8, "little") + text, order


def _alignment_kept(size: int) -> int:
    return min(size & -size, ALIGNMENT) if size else ALIGNMENT


def parse(data: memoryview) -> dict[str, Constant]:
    """The tensors of a file as views into `data`."""
    if data.nbytes < 8:
        raise PackageError(f"program.safetensors has {data.nbytes} bytes; expected at least 8")
    start = 8 + int.from_bytes(data[:8], "little")
    if start > data.nbytes:
        raise PackageError(f"program.safetensors has a header of {start - 8} bytes in {data.nbytes} bytes")
    try:
        header = json.loads(bytes(data[8:start]))
        return {key: _entry(data[start:], key, entry) for key, entry in header.items() if key != RESERVED_KEY}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, PackageError):
            raise
        raise PackageError(f"program.safetensors has a bad header: {error}") from error


def _entry(data: memoryview, key: str, entry: dict) -> Constant:
    begin, end = entry["data_offsets"]
    if not 0 <= begin <= end <= data.nbytes:
        raise PackageError(f"program.safetensors: {key!r} spans {begin}..{end} of {data.nbytes} bytes")
    if entry["dtype"] not in _SCALAR_TYPES:
        raise PackageError(
            f"program.safetensors: {key!r} has dtype {entry['dtype']!r}, which no program uses"
        )
    return Constant(_SCALAR_TYPES[entry["dtype"]], tuple(entry["shape"]), data[begin:end])
