"""Exports with executorch's own exporter, to test that packages from it run as well as ours."""

from __future__ import annotations

import copy
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval


def export_official(model: nn.Module, inputs: tuple[torch.Tensor, ...], path: Path) -> None:
    from executorch.exir.native import to_native

    # That exporter refuses batch norm, whose result is one of a tuple.
    folded = fold_batch_norms(copy.deepcopy(model), inputs)
    with torch.no_grad():
        program = torch.export.export(folded, inputs)
    to_native(program).save(str(path))


def fold_batch_norms(model: nn.Module, inputs: tuple[torch.Tensor, ...]) -> nn.Module:
    """Folds each batch norm that directly follows a convolution when the model runs."""
    for convolution, norm in _convolutions_before_norms(model, inputs).items():
        fused = fuse_conv_bn_eval(convolution, norm)
        convolution.weight, convolution.bias = fused.weight, fused.bias
        _replace(model, norm, nn.Identity())
    return model


def _convolutions_before_norms(
    model: nn.Module, inputs: tuple[torch.Tensor, ...]
) -> dict[nn.Module, nn.Module]:
    made_by: dict[int, nn.Module] = {}
    kept_alive: list[torch.Tensor] = []  # so that no id is given twice
    pairs: dict[nn.Module, nn.Module] = {}

    def after_convolution(module: nn.Module, _: tuple, output: torch.Tensor) -> None:
        made_by[id(output)] = module
        kept_alive.append(output)

    def before_norm(module: nn.Module, arguments: tuple) -> None:
        if convolution := made_by.get(id(arguments[0])):
            pairs[convolution] = module

    hooks = []
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            hooks.append(module.register_forward_hook(after_convolution))
        elif isinstance(module, nn.BatchNorm2d):
            hooks.append(module.register_forward_pre_hook(before_norm))
    with torch.no_grad():
        model(*inputs)
    for hook in hooks:
        hook.remove()
    return pairs


def _replace(model: nn.Module, old: nn.Module, new: nn.Module) -> None:
    for parent in model.modules():
        for name, child in parent.named_children():
            if child is old:
                setattr(parent, name, new)
