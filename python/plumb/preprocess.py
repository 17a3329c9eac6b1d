"""From a picture to a network's input, by Pillow: what the runners' own code is tested against.

The steps and their rounding are told in docs/package-format.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plumb.command import EXIT_FAILURE, EXIT_OK, Parser
from plumb.package.container import read_metadata
from plumb.package.errors import PackageError
from plumb.package.metadata import make_metadata


def preprocess(image: Any, settings: Mapping[str, Any]) -> np.ndarray:
    """`image` is a PIL.Image; the result has the shape [1, 3, H, W], or [1, H, W, 3]."""
    settings = make_metadata(None, settings)["preprocessing"]
    image = image.convert("RGB")
    if settings["resize"] is not None:
        image = _resize_shorter_side(image, settings["resize"], settings["interpolation"])
    if settings["crop"] is not None:
        image = _crop_centre(image, settings["crop"])
    pixels = np.asarray(image, dtype=np.float64)
    if settings["channels"] == "BGR":
        pixels = pixels[..., ::-1]
    values = (pixels * settings["scale"] - np.array(settings["mean"])) / np.array(settings["std"])
    if settings["layout"] == "NCHW":
        values = values.transpose(2, 0, 1)
    return np.ascontiguousarray(values[None], dtype=np.float32)


def _resize_shorter_side(image: Any, shorter: int, interpolation: str) -> Any:
    from PIL import Image

    longer = shorter * max(image.size) // min(image.size)
    size = (shorter, longer) if image.width <= image.height else (longer, shorter)
    return image.resize(size, Image.Resampling[interpolation.upper()])


def _crop_centre(image: Any, side: int) -> Any:
    left, top = (_crop_start(size, side) for size in image.size)
    return image.crop((left, top, left + side, top + side))  # Pillow pads with black


def _crop_start(size: int, side: int) -> int:
    return -((side - size) // 2) if side > size else round((size - side) / 2)


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="plumb-preprocess", description="Turns a picture into a network's input (.npy).")
    parser.add_argument("image", type=Path, metavar="IMAGE")
    parser.add_argument("output", type=Path, metavar="OUT", help="the .npy file to write")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--package", type=Path, metavar="F", help="do as this package says")
    source.add_argument("--preprocessing", type=Path, metavar="F", help="do as this JSON file says")
    options = parser.parse_args(arguments)
    try:
        _write(options)
    except (OSError, PackageError, ImportError, ValueError) as error:
        print(f"plumb-preprocess: {error}", file=sys.stderr)
        return EXIT_FAILURE
    print(options.output)
    return EXIT_OK


def _write(options: argparse.Namespace) -> None:
    from PIL import Image

    if options.package is not None:
        settings = read_metadata(options.package).get("preprocessing")
        if settings is None:
            raise PackageError(f"{options.package} does not say how a picture becomes its input")
    else:
        settings = json.loads(options.preprocessing.read_text(encoding="utf-8"))
    with Image.open(options.image) as image:
        np.save(options.output, preprocess(image, settings))


if __name__ == "__main__":
    sys.exit(main())
