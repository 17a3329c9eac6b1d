"""Reads a flat float32 array from `.npy` or from raw little-endian bytes, or says why it cannot."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np

RAW_SUFFIXES = (".bin", ".raw", ".f32")


class LoadError(Exception):
    """A file that holds no float32 array."""


def load(path: Path) -> np.ndarray:
    if path.suffix != ".npy" and path.suffix not in RAW_SUFFIXES:
        raise LoadError(f"cannot read {path}: expected a file that ends in .npy, {', '.join(RAW_SUFFIXES)}")
    require_regular_file(path)
    try:
        return _load_npy(path) if path.suffix == ".npy" else _load_raw(path)
    except OSError as error:
        raise LoadError(f"cannot read {path}: {error.strerror or error}") from error


def require_regular_file(path: Path) -> None:
    """Refuses what would never end or never begin when read: devices, pipes, folders."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        raise LoadError(f"cannot read {path}: {error.strerror or error}") from error
    if not regular:
        raise LoadError(f"cannot read {path}: it is no regular file")


def _load_npy(path: Path) -> np.ndarray:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OverflowError, MemoryError) as error:
        raise LoadError(f"cannot read {path}: it is no .npy file ({error})") from error
    if array.dtype != np.dtype("<f4"):
        raise LoadError(
            f"cannot read {path}: it holds {array.dtype.str}; expected <f4 (little-endian float32)"
        )
    return np.ascontiguousarray(array).reshape(-1)


def _load_raw(path: Path) -> np.ndarray:
    data = path.read_bytes()
    if len(data) % 4:
        raise LoadError(f"cannot read {path}: {len(data)} bytes are no whole number of float32 values")
    return np.frombuffer(data, dtype="<f4")
