"""PyTorch dtypes, shapes and tensors as the format stores them."""

from __future__ import annotations

import sympy
import torch
from torch.utils._sympy.value_ranges import ValueRanges, bound_sympy

from plumb.exporter.errors import ExportError
from plumb.package.program import UNBOUNDED, Dim, ScalarType, TensorMeta
from plumb.package.safetensors import Constant

SCALAR_TYPES: dict[torch.dtype, ScalarType] = {
    torch.uint8: ScalarType.BYTE,
    torch.int8: ScalarType.CHAR,
    torch.int16: ScalarType.SHORT,
    torch.int32: ScalarType.INT,
    torch.int64: ScalarType.LONG,
    torch.float16: ScalarType.HALF,
    torch.float32: ScalarType.FLOAT,
    torch.float64: ScalarType.DOUBLE,
    torch.bool: ScalarType.BOOL,
    torch.bfloat16: ScalarType.BFLOAT16,
    torch.uint16: ScalarType.UINT16,
    torch.uint32: ScalarType.UINT32,
    torch.uint64: ScalarType.UINT64,
}

SymbolRanges = dict[object, ValueRanges]


def scalar_type(dtype: torch.dtype, owner: str) -> ScalarType:
    if dtype not in SCALAR_TYPES:
        known = ", ".join(str(name).removeprefix("torch.") for name in SCALAR_TYPES)
        raise ExportError(f"{owner} has dtype {dtype}, which a package cannot hold; expected one of {known}")
    return SCALAR_TYPES[dtype]


def tensor_meta(tensor: torch.Tensor, ranges: SymbolRanges, owner: str) -> TensorMeta:
    # Strides are not recorded: a functional graph has only logical shapes, and our inputs and constants
    # are contiguous by contract.
    return TensorMeta(
        dtype=scalar_type(tensor.dtype, owner),
        sizes=[_dim(size, ranges) for size in tensor.shape],
        dim_order=list(range(tensor.dim())),
    )


def _dim(size: int | torch.SymInt, ranges: SymbolRanges) -> Dim:
    concrete = size.node.maybe_as_int() if isinstance(size, torch.SymInt) else int(size)
    if concrete is not None:
        return Dim(concrete, concrete)
    # The ShapeEnv's own ranges begin at 2 because 0 and 1 are specialised while tracing; the program's
    # range constraints keep the minimum that the user declared.
    bounds = bound_sympy(size.node.expr, {**size.node.shape_env.var_to_range, **ranges})
    lower = int(bounds.lower) if isinstance(bounds.lower, sympy.Integer) else 0
    upper = int(bounds.upper) if isinstance(bounds.upper, sympy.Integer) else UNBOUNDED
    return Dim(max(lower, 0), upper)


def constant_from(tensor: torch.Tensor, owner: str) -> Constant:
    """The tensor's bytes, contiguous; shares the memory of a tensor that already is."""
    if tensor.is_sparse or tensor.layout is not torch.strided:
        raise ExportError(f"{owner} has layout {tensor.layout}; expected torch.strided")
    dtype = scalar_type(tensor.dtype, owner)
    plain = tensor.detach().cpu().resolve_neg().contiguous()
    data = plain.flatten().view(torch.uint8).numpy()
    return Constant(dtype, tuple(plain.shape), memoryview(data))
