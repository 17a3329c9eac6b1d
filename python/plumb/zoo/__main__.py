"""`python -m plumb.zoo NAME --out DIR`: writes a model's package, its inputs, and PyTorch's logits."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

import plumb
from plumb.zoo.official import export_official
from plumb.zoo.registry import MODELS, Example, build


def write(name: str, folder: Path, official: bool = False) -> Path:
    example = build(name)
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name}_official" if official else name
    with torch.no_grad():
        expected = example.model(*example.inputs)
    _write_arrays(folder / stem, example, expected)
    path = folder / f"{stem}.ptn"
    if official:
        export_official(example.model, example.inputs, path)
    else:
        plumb.export(
            example.model, example.inputs, path, labels=example.labels, preprocessing=example.preprocessing
        )
    return path


def _write_arrays(stem: Path, example: Example, expected: torch.Tensor) -> None:
    for index, tensor in enumerate(example.inputs):
        suffix = "" if len(example.inputs) == 1 else str(index)
        np.save(f"{stem}.input{suffix}.npy", tensor.numpy())
    np.save(f"{stem}.expected.npy", expected.numpy())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m plumb.zoo", description=__doc__)
    parser.add_argument(
        "names", nargs="+", choices=[*MODELS, "all"], metavar="NAME", help=", ".join([*MODELS, "all"])
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go")
    parser.add_argument(
        "--official", action="store_true", help="write with executorch's exporter instead of plumb's"
    )
    arguments = parser.parse_args()
    for name in MODELS if "all" in arguments.names else arguments.names:
        print(write(name, arguments.out, arguments.official), flush=True)


if __name__ == "__main__":
    main()
