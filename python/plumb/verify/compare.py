"""Judges an array against a reference. The formulas are those of docs/validation.md, written out in NumPy.

Independent of the runtime on purpose: the two implementations check each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TOP_K = 5
_SIGN = 0x80000000


@dataclass(frozen=True)
class Place:
    """A value at a flat index."""

    index: int
    value: float


@dataclass(frozen=True)
class Comparison:
    count: int
    rtol: float
    atol: float
    failures: int
    first_failure: int | None
    worst_absolute: Place | None
    worst_relative: Place | None
    max_ulp: int | None
    cosine: float | None
    top1_agrees: bool | None
    top5_common: int | None

    @property
    def passed(self) -> bool:
        return self.failures == 0


def compare(actual: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> Comparison:
    """Both are flat float32 arrays of one length."""
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(a) & np.isfinite(e)
    error = np.zeros(a.size)
    error[finite] = np.abs(a[finite] - e[finite])
    within = np.zeros(a.size, dtype=bool)
    within[finite] = error[finite] <= atol + rtol * np.abs(e[finite])
    failed = np.flatnonzero(~within)

    has_ratio = finite & (e != 0.0)
    ratio = np.zeros(a.size)
    ratio[has_ratio] = error[has_ratio] / np.abs(e[has_ratio])

    top_actual, top_expected = top_k(actual, TOP_K), top_k(expected, TOP_K)
    return Comparison(
        count=a.size,
        rtol=rtol,
        atol=atol,
        failures=failed.size,
        first_failure=int(failed[0]) if failed.size else None,
        worst_absolute=_largest(error, finite),
        worst_relative=_largest(ratio, has_ratio),
        max_ulp=_max_ulp(actual[finite], expected[finite]),
        cosine=_cosine(a, e) if a.size and finite.all() else None,
        top1_agrees=bool(top_actual[0] == top_expected[0]) if a.size else None,
        top5_common=len(set(top_actual) & set(top_expected)) if a.size else None,
    )


def top_k(values: np.ndarray, k: int) -> list[int]:
    """Indices of the largest values: equal ones by lowest index, NaN after everything else."""
    is_nan = np.isnan(values)
    keys = np.where(is_nan, 0.0, -values.astype(np.float64))
    return [int(index) for index in np.lexsort((keys, is_nan))[:k]]


def _largest(values: np.ndarray, where: np.ndarray) -> Place | None:
    candidates = np.flatnonzero(where)
    if not candidates.size:
        return None
    index = int(candidates[np.argmax(values[candidates])])
    return Place(index, float(values[index]))


def _max_ulp(a: np.ndarray, e: np.ndarray) -> int | None:
    if not a.size:
        return None
    return int(np.abs(_ordinal(a) - _ordinal(e)).max())


def _ordinal(values: np.ndarray) -> np.ndarray:
    """Numbers the floats in their order, so that neighbours differ by one and both zeros are 0."""
    bits = values.view(np.uint32).astype(np.int64)
    return np.where(bits & _SIGN, -(bits & ~_SIGN), bits)


def _cosine(a: np.ndarray, e: np.ndarray) -> float:
    norms = float(np.sqrt(a @ a) * np.sqrt(e @ e))
    if norms == 0.0:
        return 1.0 if not a.any() and not e.any() else 0.0
    return float(a @ e) / norms
