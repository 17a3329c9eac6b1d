"""Scaled dot-product attention: masks of both kinds, causal, grouped heads, fully masked rows."""

import torch
from case import FLOATS, INF, Tensors, case

make = Tensors("attention")
SDPA = "aten.scaled_dot_product_attention.default"
FLASH = "aten._scaled_dot_product_flash_attention_for_cpu.default"
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-9, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def near(c, dtype=torch.float32):
    return c.within(TOLERANCE[dtype], TOLERANCE[dtype])


def operands(batch, rows, keys, depth, value_depth=None, dtype=torch.float32):
    return (
        make.normal(*batch, rows, depth, dtype=dtype),
        make.normal(*batch, keys, depth, dtype=dtype),
        make.normal(*batch, keys, value_depth or depth, dtype=dtype),
    )


CASES = []
for batch, rows, keys, depth in [
    ((1, 1), 1, 1, 1),
    ((1, 2), 5, 7, 8),
    ((2, 3), 17, 17, 16),
    ((1, 3), 65, 63, 33),
    ((1, 6), 197, 197, 64),
    ((2, 1), 1, 129, 32),
]:
    q, k, v = operands(batch, rows, keys, depth)
    CASES += [
        near(case(SDPA, q, k, v)),
        near(case(SDPA, q, k, v, None, 0.0, True)),
        near(case(SDPA, q, k, v, make.normal(rows, keys))),
        near(
            case(
                SDPA, q, k, v, make.bools(*batch, rows, keys) | torch.eye(rows, keys, dtype=torch.bool)[:, :1]
            )
        ),
        near(case(FLASH, q, k, v)),
        near(case(FLASH, q, k, v, 0.0, True, scale=0.3)),
    ]

q, k, v = operands((2, 4), 6, 9, 8)
padding = torch.ones(2, 1, 1, 9, dtype=torch.bool)
padding[0, :, :, 5:] = False
masked_row = torch.ones(6, 9, dtype=torch.bool)
masked_row[2] = False
CASES += [
    near(case(SDPA, q, k, v, padding)),
    near(case(SDPA, q, k, v, masked_row)),
    near(case(SDPA, q, k, v, torch.zeros(6, 9).masked_fill(~masked_row, -INF))),
    near(case(SDPA, q, k, v, scale=0.2)),
    near(case(SDPA, q, k, v, make.normal(2, 1, 6, 9), scale=1.0)),
    near(case(SDPA, q, k[:, :2], v[:, :2], enable_gqa=True)),
    near(case(SDPA, q, k[:, :1], v[:, :1], padding, enable_gqa=True)),
    near(case(SDPA, *operands((3,), 4, 5, 6))),
    near(case(SDPA, *operands((), 4, 5, 6))),
    near(case(SDPA, *operands((2, 2), 4, 5, 8, 12))),
    near(case(SDPA, *(make.normal(2, 7, 3, 8).transpose(1, 2) for _ in range(3)))),
    near(case(SDPA, q * 30, k * 30, v)),
    near(case(SDPA, *operands((1, 2), 3, 200, 8), torch.arange(200)[None, None, None, :] < 17)),
]
for dtype in FLOATS[1:]:
    q, k, v = operands((1, 2), 9, 11, 16, dtype=dtype)
    CASES += [
        near(case(SDPA, q, k, v), dtype),
        near(case(SDPA, q, k, v, None, 0.0, True), dtype),
        near(case(SDPA, q, k, v, make.normal(9, 11, dtype=dtype)), dtype),
    ]
