"""Tensors made of numbers, and copies that change the dtype."""

import torch
from case import FLOATS, INF, INTEGERS, SPECIAL, Tensors, case

make = Tensors("creation")
ALL = (*FLOATS, *INTEGERS, torch.bool)


def zeros_of(shape, dtype=torch.float32):
    """What memory without contents reads as here."""
    return lambda: torch.zeros(shape, dtype=dtype)


CASES = [
    *(case("aten.full.default", [2, 3], 1, dtype=dtype) for dtype in ALL),
    case("aten.full.default", [2, 3], 2.5),
    case("aten.full.default", [], 7),
    case("aten.full.default", [4], True),
    case("aten.full.default", [4], 0.5, dtype=torch.bool),
    case("aten.full.default", [2, 0], -INF),
    case("aten.full_like.default", make.integers(3), 2.75),
    case("aten.full_like.default", make.normal(3, 2), 7, dtype=torch.int64),
    case("aten.new_full.default", make.integers(3), [2, 2], 5),
    case("aten.new_full.default", make.integers(3), [2, 2], 0.5, dtype=torch.float64),
    case("aten.zeros.default", [2, 3]),
    case("aten.zeros.default", [2], dtype=torch.int64),
    case("aten.ones.default", [2, 3]),
    case("aten.ones.default", [2], dtype=torch.bool),
    case("aten.zeros_like.default", make.integers(3)),
    case("aten.zeros_like.default", make.normal(2, 3), dtype=torch.bfloat16),
    case("aten.ones_like.default", make.normal(2, 3).half()),
    case("aten.new_zeros.default", make.integers(3), [1, 4]),
    case("aten.new_ones.default", make.normal(3), [1, 4], dtype=torch.uint8),
    case("aten.empty.memory_format", [3, 2]).gives(zeros_of((3, 2))),
    case("aten.empty_like.default", make.integers(4)).gives(zeros_of((4,), torch.int64)),
    case("aten.new_empty.default", make.normal(4), [2]).gives(zeros_of((2,))),
    case("aten.scalar_tensor.default", 2.5),
    case("aten.scalar_tensor.default", 7, dtype=torch.int64),
    case("aten.scalar_tensor.default", -INF, dtype=torch.float16),
    case("aten.fill.Scalar", make.normal(3, 4), 1.25),
    case("aten.fill.Scalar", make.integers(3, 4), 3),
    case("aten.fill.Tensor", make.normal(3, 4), torch.tensor(4, dtype=torch.int64)),
    case("aten.clone.default", make.normal(2, 3)),
    case("aten.clone.default", make.normal(2, 3, 4).permute(2, 0, 1), memory_format=torch.contiguous_format),
    case("aten.copy.default", make.normal(2, 3), make.integers(3)),
    case("aten.copy.default", make.integers(2, 3), make.normal(2, 3, scale=9)),
    case("aten.arange.default", 7),
    case("aten.arange.default", 2.5),
    case("aten.arange.default", 0),
    case("aten.arange.default", 5, dtype=torch.float16),
    case("aten.arange.start", 3, 9),
    case("aten.arange.start", -1.5, 3.0),
    case("aten.arange.start_step", 0, 10, 3),
    case("aten.arange.start_step", 10, 0, -3),
    case("aten.arange.start_step", 0.0, 1.0, 0.1),
    case("aten.arange.start_step", 1, 6, 2, dtype=torch.float64),
    case("aten.linspace.default", -1.0, 1.0, 7),
    case("aten.linspace.default", 3, 5, 1),
    case("aten.linspace.default", 0.0, 1.0, 0),
    case("aten.linspace.default", 5.0, -2.5, 6, dtype=torch.float64),
    case("aten.eye.default", 3),
    case("aten.eye.default", 2, dtype=torch.bool),
    case("aten.eye.m", 2, 4),
    case("aten.eye.m", 4, 2, dtype=torch.int64),
]

# Every dtype to every other, with values that both hold or that saturate nowhere.
for source in ALL:
    values = make.integers(8, low=0, high=100).to(source)
    CASES += [case("aten._to_copy.default", values, dtype=target) for target in ALL]
CASES += [
    case("aten._to_copy.default", make.normal(3, 4, scale=50), dtype=torch.int32),
    case("aten._to_copy.default", SPECIAL, dtype=torch.float16),
    case("aten._to_copy.default", SPECIAL, dtype=torch.bfloat16),
    case("aten._to_copy.default", SPECIAL, dtype=torch.bool),
    case("aten._to_copy.default", make.uniform(3000, low=-1e-4, high=1e-4), dtype=torch.float16).within(0, 0),
    case("aten._to_copy.default", make.uniform(3000, low=-7e4, high=7e4), dtype=torch.float16).within(0, 0),
    case("aten._to_copy.default", make.normal(3000), dtype=torch.bfloat16).within(0, 0),
    case(
        "aten._to_copy.default", torch.arange(65536).to(torch.uint16).view(torch.float16), dtype=torch.float32
    ).within(0, 0),
    case("aten._to_copy.default", torch.tensor([300, -1, 128]), dtype=torch.uint8),
    case("aten._to_copy.default", torch.tensor([300, -1, 128]), dtype=torch.int8),
    case("aten._to_copy.default", make.normal(2, 3, 4).permute(1, 2, 0), dtype=torch.float64),
    case("aten._to_copy.default", torch.tensor([0, 1, 2**64 - 1], dtype=torch.uint64), dtype=torch.float64),
    case("aten._to_copy.default", torch.tensor([0, 1, 2**32 - 1], dtype=torch.uint32), dtype=torch.int64),
]

for op in ("aten.tril.default", "aten.triu.default"):
    CASES += [
        case(op, make.normal(4, 5)),
        case(op, make.normal(2, 5, 3), 1),
        case(op, make.normal(3, 3), -1),
        case(op, torch.full((4, 4), -INF), 1),
        case(op, make.integers(3, 4, dtype=torch.int32).t()),
        case(op, make.bools(3, 3)),
        case(op, make.normal(0, 3)),
    ]
