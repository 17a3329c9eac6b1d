"""Removes `as_strided` where it only restates the layout of its input.

A package has logical shapes and no strides, so what remains must be readable as a view of contiguous memory.
"""

from __future__ import annotations

import torch
from torch.fx import GraphModule

from plumb.exporter.errors import ExportError


def simplify_restrides(module: GraphModule) -> None:
    for node in list(module.graph.nodes):
        if node.target is not torch.ops.aten.as_strided.default:
            continue
        source = node.args[0]
        before, after = source.meta["val"], node.meta["val"]
        if before.storage_offset() == after.storage_offset() and _same_elements(before, after):
            node.replace_all_uses_with(source)
            module.graph.erase_node(node)
        elif not before.is_contiguous() or before.storage_offset() != 0:
            raise ExportError(
                f"node {node.name!r}: as_strided on a tensor of sizes {list(before.shape)} and strides "
                f"{list(before.stride())}; expected a contiguous one, because a package records no strides"
            )


def _same_elements(a: torch.Tensor, b: torch.Tensor) -> bool:
    if tuple(a.shape) != tuple(b.shape):
        return False
    # The stride of a dimension of size 1 addresses nothing.
    return all(size == 1 or x == y for size, x, y in zip(a.shape, a.stride(), b.stride(), strict=True))
