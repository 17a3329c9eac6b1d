"""The data keys of a whole package: one tensor for a key, whichever methods use it.

Methods of one model share constants by name; names that clash by accident are told apart.
"""

from __future__ import annotations

import torch

from plumb.exporter.errors import ExportError
from plumb.exporter.tensors import constant_from
from plumb.package.safetensors import Constant


class ConstantPool:
    def __init__(self, mutable: set[str]):
        """`mutable` are the names that some method writes to: state that all methods share."""
        self._mutable = mutable
        self._tensors: dict[str, torch.Tensor] = {}
        self._keys_by_storage: dict[tuple, str] = {}
        self.constants: dict[str, Constant] = {}

    def add(self, method: str, name: str, tensor: torch.Tensor) -> str:
        """Returns the key under which the tensor is stored."""
        key = name
        while key in self._tensors and not _same(self._tensors[key], tensor):
            if name in self._mutable:
                raise ExportError(
                    f"method {method!r}: buffer {name!r} differs from the one in another method; "
                    f"methods that share state must start from the same values"
                )
            key = f"{method}.{key}"
        if key not in self._tensors:
            self._refuse_shared_state(key, tensor)
            self._tensors[key] = tensor
            self.constants[key] = constant_from(tensor, f"constant {name!r}")
        return key

    def _refuse_shared_state(self, key: str, tensor: torch.Tensor) -> None:
        # The format has no way to say that writing one buffer changes another.
        if tensor.numel() == 0:
            return
        storage = (tensor.device, tensor.untyped_storage().data_ptr())
        other = self._keys_by_storage.setdefault(storage, key)
        if other != key and (key in self._mutable or other in self._mutable):
            raise ExportError(
                f"buffers {other!r} and {key!r} share memory and one is written to; give each its own"
            )


def _same(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a is b:
        return True
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.data_ptr() == b.data_ptr() and a.stride() == b.stride():
        return True
    # Bytes, not values: 0.0 equals -0.0, and NaN does not equal itself.
    return bytes_of(a) == bytes_of(b)


def bytes_of(tensor: torch.Tensor) -> memoryview:
    return constant_from(tensor, "a constant").data
