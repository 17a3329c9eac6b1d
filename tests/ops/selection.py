"""Choosing between operands: extremes, clamping, where, masked_fill; NaN wins."""

import torch
from case import FLOATS, INF, INTEGERS, NAN, SPECIAL, Tensors, case

make = Tensors("selection")

CASES = []
for op in ("aten.maximum.default", "aten.minimum.default", "aten.max.other", "aten.min.other"):
    for dtype in FLOATS + INTEGERS:
        CASES += [case(op, *(make.integers(5, 6, low=0, high=50, dtype=dtype) for _ in range(2)))]
    CASES += [
        case(op, make.bools(7), make.bools(7)),
        case(op, SPECIAL, SPECIAL.flip(0)),
        case(op, make.normal(3, 1), make.normal(4)),
        case(op, make.integers(4), make.normal(4)),
        case(op, make.normal(5, 3).t(), make.normal(3, 5)),
    ]

x = make.normal(4, 6, scale=3)
i = make.integers(4, 6, low=-20, high=20, dtype=torch.int32)
for low, high in ((-1.5, 2.0), (None, 1.0), (0.5, None), (2.0, -2.0)):
    CASES += [
        case("aten.clamp.default", x, low, high),
        case("aten.clamp.default", x.half(), low, high),
        case("aten.clamp.default", i, low, high),
        case("aten.clamp.default", SPECIAL, low, high),
    ]
CASES += [
    *(case("aten.clamp.default", make.integers(9, low=0, high=99, dtype=t), 7, 50) for t in INTEGERS),
    case("aten.clamp.default", x, -INF, INF),
    case("aten.clamp.default", x, NAN, 1.0),
    case("aten.clamp.default", x.t(), None, NAN),
    case("aten.clamp.default", x.half(), NAN, None),
    case("aten.clamp.Tensor", x, make.normal(6), make.normal(4, 1)),
    case("aten.clamp.Tensor", x, None, torch.tensor(0.5)),
    case("aten.clamp.Tensor", i, make.integers(6, dtype=torch.int32), None),
    case("aten.clamp.Tensor", SPECIAL, torch.full((11,), NAN), None),
    case("aten.clamp_min.default", x, 0.25),
    case("aten.clamp_min.default", i, 3),
    case("aten.clamp_max.default", x, 0.25),
    case("aten.clamp_max.default", i, -3),
]

mask = make.bools(4, 6)
for dtype in FLOATS + INTEGERS:
    a, b = (make.integers(4, 6, low=0, high=50, dtype=dtype) for _ in range(2))
    CASES += [
        case("aten.where.self", mask, a, b),
        case("aten.masked_fill.Scalar", a, mask, 7),
        case("aten.masked_fill.Tensor", a, mask, torch.tensor(9, dtype=dtype)),
    ]
CASES += [
    case("aten.where.self", make.bools(3, 1), make.normal(4), make.normal(2, 1, 1)),
    case("aten.where.self", mask, i, x),
    case("aten.where.self", mask.t(), x.t(), torch.tensor(-INF)),
    case("aten.where.self", mask, make.bools(4, 6), make.bools(6)),
    case("aten.where.self", mask, x, torch.tensor(2.0, dtype=torch.float64)),
    case("aten.where.ScalarSelf", mask, 2.5, x),
    case("aten.where.ScalarSelf", mask, 2.5, i),
    case("aten.where.ScalarOther", mask, x, -INF),
    case("aten.where.ScalarOther", mask, i, 3),
    case("aten.where.Scalar", mask, 1.5, 2.5),
    case("aten.where.Scalar", mask, 1, 0),
    case("aten.where.Scalar", mask, True, False),
    case("aten.masked_fill.Scalar", x, make.bools(6), -INF),
    case("aten.masked_fill.Scalar", x.half(), mask, -65504.0),
    case("aten.masked_fill.Scalar", make.bools(6), make.bools(6), True),
    case("aten.masked_fill.Scalar", make.normal(3, 1), make.bools(3, 5), 0.5),
    case("aten.masked_fill.Tensor", x.t(), mask.t(), torch.tensor(NAN)),
]
