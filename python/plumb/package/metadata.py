"""What travels with a program for the runners: class names, and how an image becomes the input.

Stored as the member `plumb.json`, which other readers of the format ignore.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from plumb.package.errors import PackageError

INTERPOLATIONS = ("nearest", "bilinear", "bicubic", "lanczos")
CHANNELS = ("RGB", "BGR")
LAYOUTS = ("NCHW", "NHWC")
_DEFAULTS = {
    "resize": None,
    "crop": None,
    "interpolation": "bilinear",
    "mean": [0.0, 0.0, 0.0],
    "std": [1.0, 1.0, 1.0],
    "scale": 1.0,
    "channels": "RGB",
    "layout": "NCHW",
}


def make_metadata(labels: Sequence[str] | None, preprocessing: Mapping[str, Any] | None) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    if labels is not None:
        metadata["labels"] = _checked_labels(labels)
    if preprocessing is not None:
        metadata["preprocessing"] = _checked_preprocessing(preprocessing)
    return metadata


def _checked_labels(labels: Sequence[str]) -> list[str]:
    for index, label in enumerate(labels):
        if not isinstance(label, str) or any(unicodedata.category(each) == "Cc" for each in label):
            raise PackageError(f"label {index} is {label!r}; expected a string without control characters")
    return list(labels)


def _checked_preprocessing(given: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(given) - set(_DEFAULTS))
    if unknown:
        raise PackageError(f"preprocessing has unknown key {unknown[0]!r}; expected {', '.join(_DEFAULTS)}")
    settings = {**_DEFAULTS, **given}
    for key in ("resize", "crop"):
        value = settings[key]
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise PackageError(f"preprocessing {key} is {value!r}; expected a positive number of pixels")
    for key, choices in (("interpolation", INTERPOLATIONS), ("channels", CHANNELS), ("layout", LAYOUTS)):
        if settings[key] not in choices:
            raise PackageError(
                f"preprocessing {key} is {settings[key]!r}; expected one of {', '.join(choices)}"
            )
    settings["scale"] = _number("scale", settings["scale"])
    for key in ("mean", "std"):
        if not isinstance(settings[key], (list, tuple)) or len(settings[key]) != 3:
            raise PackageError(f"preprocessing {key} is {settings[key]!r}; expected three numbers")
        settings[key] = [_number(key, value) for value in settings[key]]
    if 0.0 in settings["std"]:
        raise PackageError("preprocessing std holds 0; expected divisors")
    return settings


def _number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise PackageError(f"preprocessing {key} is {value!r}; expected a finite number")
    return float(value)
