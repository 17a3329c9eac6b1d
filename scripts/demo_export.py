"""The PyTorch side of the demo: the package, the photo, and the logits that PyTorch gives for it."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import torch
from PIL import Image

import plumb
from plumb.preprocess import preprocess
from plumb.zoo.registry import build


def sample_photo() -> Path:
    import skimage

    return Path(skimage.__file__).parent / "data" / "chelsea.png"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    folder = parser.parse_args().out

    example = build("efficientnet_lite0")
    photo = folder / "cat.png"
    shutil.copyfile(sample_photo(), photo)
    package = plumb.export(
        example.model,
        example.inputs,
        folder / "efficientnet_lite0.ptn",
        labels=example.labels,
        preprocessing=example.preprocessing,
    )
    with torch.no_grad():
        logits = example.model(torch.from_numpy(preprocess(Image.open(photo), example.preprocessing)))
    reference = folder / "reference.npy"
    np.save(reference, logits.numpy())
    print(f"   {package}: {package.stat().st_size / 1e6:.1f} MB; reference logits in {reference}")


if __name__ == "__main__":
    main()
