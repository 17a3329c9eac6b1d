"""Prints a comparison, for people and as JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from plumb.verify.compare import TOP_K, Comparison, Place, top_k


def as_text(result: Comparison, actual: np.ndarray, expected: np.ndarray, labels: list[str] | None) -> str:
    lines = [f"compared  {result.count} values, rtol {result.rtol:g}, atol {result.atol:g}"]
    if result.first_failure is not None:
        i = result.first_failure
        lines.append(
            f"failures  {result.failures}, the first at {i}: {actual[i]:.9g}, expected {expected[i]:.9g}"
        )
    lines.append(
        f"worst     absolute {_place(result.worst_absolute)}, relative {_place(result.worst_relative)}"
    )
    lines.append(f"distance  {_shown(result.max_ulp)} ULP, cosine similarity {_shown(result.cosine)}")
    if result.count:
        agrees = "agrees" if result.top1_agrees else "differs"
        lines.append(
            f"top 1     {agrees}; top {TOP_K}: {result.top5_common} of {min(TOP_K, result.count)} in common"
        )
    if labels is not None:
        lines += [f"  {actual[i]:>12.6g}  {labels[i]}" for i in top_k(actual, TOP_K)]
    lines.append("PASS" if result.passed else "FAIL")
    return "\n".join(lines)


def as_json(result: Comparison, actual: np.ndarray, expected: np.ndarray) -> str:
    first = result.first_failure
    fields: dict[str, Any] = {
        "result": "PASS" if result.passed else "FAIL",
        "count": result.count,
        "rtol": result.rtol,
        "atol": result.atol,
        "failures": result.failures,
        "first_failure": None
        if first is None
        else {"index": first, "actual": _number(actual[first]), "expected": _number(expected[first])},
        "worst_absolute_error": _place_json(result.worst_absolute),
        "worst_relative_error": _place_json(result.worst_relative),
        "max_ulp_distance": result.max_ulp,
        "cosine_similarity": result.cosine,
        "top1_agrees": result.top1_agrees,
        "top5_common": result.top5_common,
    }
    return json.dumps(fields, indent=2, allow_nan=False)


def _place(place: Place | None) -> str:
    return "none" if place is None else f"{place.value:.3g} (at {place.index})"


def _place_json(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"index": place.index, "value": place.value}


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value)


def _number(value: np.float32) -> float | str:
    # JSON has no word for these.
    return float(value) if math.isfinite(value) else str(float(value))
