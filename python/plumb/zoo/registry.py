"""The list of models by name, and what a built model consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from plumb.zoo import efficientnet, text, vision


@dataclass
class Example:
    """A model in eval mode that returns logits only, and inputs for it."""

    model: torch.nn.Module
    inputs: tuple[torch.Tensor, ...]
    labels: list[str] | None = None
    preprocessing: dict[str, Any] | None = None


MODELS: dict[str, Callable[[], tuple]] = {
    "efficientnet_lite0": efficientnet.efficientnet_lite0,
    "resnet50": vision.resnet50,
    "mobilenet_v2": vision.mobilenet_v2,
    "vit_small": vision.vit_small,
    "deit_small": vision.deit_small,
    "convnext_tiny": vision.convnext_tiny,
    "swin_tiny": vision.swin_tiny,
    "regnet": vision.regnet,
    "bert": text.bert,
}


def build(name: str, seed: int = 0) -> Example:
    if name not in MODELS:
        raise KeyError(f"no model {name!r}; expected one of {', '.join(MODELS)}")
    torch.manual_seed(seed)
    return Example(*MODELS[name]())
