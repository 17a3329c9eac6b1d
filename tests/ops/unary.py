"""Functions of one tensor: every dtype, special values, strided views, empty and 0-d tensors."""

import torch
from case import FLOATS, INTEGERS, SPECIAL, Tensors, case

make = Tensors("unary")

# From where each function is real.
REAL = {
    "aten.exp.default": (-5, 5),
    "aten.exp2.default": (-5, 5),
    "aten.expm1.default": (-3, 3),
    "aten.log.default": (0.01, 20),
    "aten.log2.default": (0.01, 20),
    "aten.log10.default": (0.01, 20),
    "aten.log1p.default": (-0.9, 20),
    "aten.sqrt.default": (0, 20),
    "aten.rsqrt.default": (0.1, 20),
    "aten.reciprocal.default": (0.1, 20),
    "aten.sin.default": (-10, 10),
    "aten.cos.default": (-10, 10),
    "aten.tan.default": (-1.4, 1.4),
    "aten.asin.default": (-1, 1),
    "aten.acos.default": (-1, 1),
    "aten.atan.default": (-10, 10),
    "aten.sinh.default": (-4, 4),
    "aten.cosh.default": (-4, 4),
    "aten.tanh.default": (-4, 4),
    "aten.asinh.default": (-10, 10),
    "aten.acosh.default": (1, 10),
    "aten.atanh.default": (-0.9, 0.9),
    "aten.erf.default": (-3, 3),
    "aten.erfc.default": (-3, 3),
}
ROUNDING = [
    "aten.ceil.default",
    "aten.floor.default",
    "aten.trunc.default",
    "aten.round.default",
]
SIGNS = ["aten.abs.default", "aten.neg.default", "aten.sign.default", "aten.sgn.default"]
PREDICATES = [
    "aten.isnan.default",
    "aten.isinf.default",
    "aten.isfinite.default",
    "aten.logical_not.default",
]

CASES = []
for op, (low, high) in REAL.items():
    CASES += [case(op, make.uniform(3, 5, low=low, high=high, dtype=dtype)) for dtype in FLOATS]
    CASES += [
        case(op, make.integers(7, low=1, high=2, dtype=torch.int32)),
        case(op, make.bools(6)),
        case(op, SPECIAL),
        case(op, make.uniform(4, 2, 3, low=low, high=high).permute(2, 0, 1)),
    ]
for op in ROUNDING + SIGNS:
    CASES += [case(op, make.normal(3, 700, dtype=dtype, scale=3)) for dtype in FLOATS]
    CASES += [case(op, make.integers(9, dtype=dtype)) for dtype in INTEGERS if op != "aten.round.default"]
    CASES += [case(op, SPECIAL), case(op, make.normal(2, 3, 4).permute(1, 2, 0))]
for op in PREDICATES:
    CASES += [case(op, SPECIAL.to(dtype)) for dtype in FLOATS]
    CASES += [case(op, make.integers(9, low=0, high=2, dtype=dtype)) for dtype in INTEGERS]
    CASES += [case(op, make.bools(5))]

HALVES = torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 0.25, 12.345, -987.654])
CASES += [
    case("aten.round.default", HALVES),
    case("aten.round.decimals", HALVES, decimals=1),
    case("aten.round.decimals", HALVES, decimals=-2),
    case("aten.round.decimals", HALVES.double(), decimals=2),
    case("aten.frac.default", make.normal(11, scale=4)),
    case("aten.frac.default", make.normal(11, scale=4, dtype=torch.float64)),
    case("aten.bitwise_not.default", make.bools(6)),
    *(case("aten.bitwise_not.default", make.integers(9, low=0, dtype=dtype)) for dtype in INTEGERS),
    case("aten.neg.default", torch.tensor([-128, 127, 0], dtype=torch.int8)),
    case("aten.abs.default", torch.tensor([-(2**63), 2**63 - 1, -1])),
    case("aten.sign.default", make.bools(4)),
    *(case("aten.expm1.default", make.normal(200, scale=s)) for s in (1e-6, 1e-2, 40)),
    case("aten.expm1.default", torch.tensor([88.5, 88.72, 89.0, -17.0, -90.0, 1e-30])),
    *(case("aten.log1p.default", make.uniform(200, low=-s, high=s)) for s in (1e-6, 1e-2, 0.99)),
    case("aten.log1p.default", torch.tensor([-1.0, -1.5, 1e-30, 3e38, 1e-40])),
    case("aten.exp.default", torch.empty(0, 3)),
    case("aten.exp.default", torch.tensor(0.5)),
    case("aten.abs.default", torch.tensor(-3)),
]
