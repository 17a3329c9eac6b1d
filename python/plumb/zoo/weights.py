"""Random weights under which a deep network stays lively, so that a wrong kernel shows in the logits.

The usual initialisation makes nearly equal logits, and fresh batch norms hide errors in their statistics.
"""

from __future__ import annotations

import torch
from torch import nn


@torch.no_grad()
def randomize(model: nn.Module) -> nn.Module:
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Conv1d, nn.Conv2d)):
            fan_in = module.weight[0].numel()
            module.weight.normal_(0.0, fan_in**-0.5)
            if module.bias is not None:
                module.bias.normal_(0.0, 0.1)
        elif isinstance(module, (nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)):
            module.weight.uniform_(0.8, 1.2)
            module.bias.normal_(0.0, 0.1)
        elif isinstance(module, nn.Embedding):
            module.weight.normal_(0.0, 0.5)
    return model.eval()


@torch.no_grad()
def calibrate_batch_norms(model: nn.Module, inputs: tuple[torch.Tensor, ...]) -> nn.Module:
    """Sets running statistics near what the layers really see, but not equal to it."""
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.train()
        norm.momentum = 1.0
    model(*inputs)
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.eval()
        norm.momentum = momentum
        norm.running_mean.add_(0.1 * torch.randn_like(norm.running_mean) * norm.running_var.sqrt())
        norm.running_var.mul_(torch.empty_like(norm.running_var).uniform_(0.8, 1.25))
    return model


@torch.no_grad()
def spread_logits(model: nn.Module, inputs: tuple[torch.Tensor, ...], classifier: nn.Linear) -> nn.Module:
    """Scales the classifier so that the logits have a standard deviation of about 1."""
    deviation = model(*inputs).std()
    classifier.weight.div_(deviation)
    if classifier.bias is not None:
        classifier.bias.div_(deviation)
    return model
