"""What a family file consists of: cases, and seeded tensors to make them from.

A case is one call of an operator. What it must give is what PyTorch gives, or what `gives` says for operators
that PyTorch lacks. Running cases is in harness.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch


@dataclass(frozen=True)
class Stored:
    """A tensor that the package holds as a constant, as it holds weights; other tensors are inputs."""

    tensor: torch.Tensor


@dataclass(frozen=True)
class Case:
    op: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    rtol: float | None = None  # None: PyTorch's default for the dtype
    atol: float | None = None
    reference: Callable[[], Any] | None = None

    def within(self, rtol: float, atol: float) -> Case:
        return replace(self, rtol=rtol, atol=atol)

    def gives(self, reference: Callable[[], Any]) -> Case:
        return replace(self, reference=reference)

    def arguments(self) -> dict[str, Any]:
        """All arguments by the schema's names, defaults included."""
        schema = self._schema()
        if schema is None:
            return dict(self.kwargs)
        named = {}
        for position, parameter in enumerate(schema.arguments):
            if position < len(self.args):
                named[parameter.name] = self.args[position]
            elif parameter.name in self.kwargs:
                named[parameter.name] = self.kwargs[parameter.name]
            else:
                named[parameter.name] = parameter.default_value
        return named

    def declared_types(self) -> dict[str, str]:
        schema = self._schema()
        return {} if schema is None else {p.name: str(p.type) for p in schema.arguments}

    def returns_list(self) -> bool:
        schema = self._schema()
        return schema is not None and [str(r.type) for r in schema.returns] == ["List[Tensor]"]

    def expected(self) -> list[torch.Tensor]:
        result = (
            self.reference()
            if self.reference
            else self._overload()(*_plain(self.args), **_plain(self.kwargs))
        )
        return list(result) if isinstance(result, (tuple, list)) else [result]

    def _overload(self) -> Any:
        namespace, name, overload = self.op.split(".")
        return getattr(getattr(getattr(torch.ops, namespace), name), overload)

    def _schema(self) -> Any:
        return None if self.op.startswith("plumb.") else self._overload()._schema


def case(op: str, *args: Any, **kwargs: Any) -> Case:
    return Case(op, args, kwargs)


def _plain(value: Any) -> Any:
    """`value` with stored tensors in place of their markers."""
    if isinstance(value, Stored):
        return value.tensor
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(item) for item in value)
    return value


class Tensors:
    """Reproducible tensors: the same family gets the same ones in every run."""

    def __init__(self, family: str):
        self._generator = torch.Generator().manual_seed(int.from_bytes(family.encode()[:6], "big"))

    def normal(self, *sizes: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
        return (torch.randn(sizes, generator=self._generator, dtype=torch.float64) * scale).to(dtype)

    def uniform(
        self, *sizes: int, low: float = 0.0, high: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> torch.Tensor:
        unit = torch.rand(sizes, generator=self._generator, dtype=torch.float64)
        return (low + (high - low) * unit).to(dtype)

    def integers(
        self, *sizes: int, low: int = -10, high: int = 10, dtype: torch.dtype = torch.int64
    ) -> torch.Tensor:
        """From `low` up to but not including `high`."""
        return torch.randint(low, high, sizes, generator=self._generator).to(dtype)

    def bools(self, *sizes: int) -> torch.Tensor:
        return torch.randint(0, 2, sizes, generator=self._generator).to(torch.bool)


FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
NAN = float("nan")
INF = float("inf")
# Values at which functions of real numbers go wrong.
SPECIAL = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-30, 3e38, INF, -INF, NAN])
