"""Image classifiers from transformers' configurations, with random weights, for 224×224 pictures."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from plumb.zoo.weights import calibrate_batch_norms, randomize, spread_logits

Built = tuple[nn.Module, tuple[torch.Tensor, ...]]


class LogitsOnly(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, pixel_values: torch.Tensor) -> torch.Tensor:
        return self.model(pixel_values).logits


def _classifier(config_name: str, model_name: str, **settings: Any) -> Built:
    import transformers

    config = getattr(transformers, config_name)(num_labels=1000, **settings)
    network = randomize(getattr(transformers, model_name)(config))
    model = LogitsOnly(network).eval()
    inputs = (torch.randn(1, 3, 224, 224),)
    calibrate_batch_norms(model, inputs)
    head = [module for module in network.classifier.modules() if isinstance(module, nn.Linear)][-1]
    return spread_logits(model, inputs, head), inputs


def resnet50() -> Built:
    return _classifier("ResNetConfig", "ResNetForImageClassification")


def mobilenet_v2() -> Built:
    return _classifier("MobileNetV2Config", "MobileNetV2ForImageClassification")


def vit_small() -> Built:
    sizes = {"hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 6, "intermediate_size": 1536}
    return _classifier("ViTConfig", "ViTForImageClassification", **sizes)


def deit_small() -> Built:
    sizes = {"hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 6, "intermediate_size": 1536}
    return _classifier("DeiTConfig", "DeiTForImageClassification", **sizes)


def convnext_tiny() -> Built:
    return _classifier("ConvNextConfig", "ConvNextForImageClassification", layer_scale_init_value=1.0)


def swin_tiny() -> Built:
    return _classifier("SwinConfig", "SwinForImageClassification")


def regnet() -> Built:
    return _classifier("RegNetConfig", "RegNetForImageClassification")
