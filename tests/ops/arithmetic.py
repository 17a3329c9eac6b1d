"""Arithmetic of tensors and numbers: broadcasting, type promotion, integers that wrap, strided operands."""

import torch
from case import FLOATS, INF, INTEGERS, NAN, SPECIAL, Tensors, case

make = Tensors("arithmetic")

BASIC = ["aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.div.Tensor"]
DIVISIONS = ["aten.floor_divide.default", "aten.remainder.Tensor", "aten.fmod.Tensor"]


def nonzero(*sizes, dtype):
    magnitudes = make.integers(*sizes, low=1, high=9)
    signs = make.integers(*sizes, low=0, high=2) * 2 - 1
    return (magnitudes * signs).to(dtype) if dtype.is_signed else magnitudes.to(dtype)


CASES = []
for op in BASIC + DIVISIONS:
    for dtype in FLOATS:
        CASES += [case(op, make.normal(4, 33, dtype=dtype, scale=4), nonzero(4, 33, dtype=dtype))]
    for dtype in INTEGERS:
        CASES += [case(op, make.integers(5, 7, low=0, high=100, dtype=dtype), nonzero(5, 7, dtype=dtype))]
    CASES += [
        case(op, make.normal(2, 1, 4, 1), nonzero(3, 1, 5, dtype=torch.float32)),
        case(op, make.normal(6, 4).t(), nonzero(4, 6, dtype=torch.float32)),
        case(op, make.normal(3, 4), torch.tensor(2.5)),
        case(op, torch.tensor(7.25), nonzero(3, 4, dtype=torch.float32)),
        case(op, make.normal(0, 3), make.normal(3)),
    ]
    # Promotion: dimensions outweigh 0-d tensors, floating point outweighs integers.
    CASES += [
        case(op, make.integers(4, dtype=torch.int32), nonzero(4, dtype=torch.float32)),
        case(op, make.normal(4, dtype=torch.float16), nonzero(4, dtype=torch.bfloat16)),
        case(op, make.normal(4, dtype=torch.float32), torch.tensor(3.0, dtype=torch.float64)),
        case(op, make.integers(4, dtype=torch.int32), torch.tensor(3.5, dtype=torch.float64)),
        case(op, make.integers(4, low=0, dtype=torch.uint8), nonzero(4, dtype=torch.int8)),
        case(op, make.integers(4, dtype=torch.int16), torch.tensor(3, dtype=torch.int64)),
    ]

x = make.normal(3, 5, scale=5)
i = make.integers(3, 5, low=-50, high=50, dtype=torch.int32)
for of_tensor, of_scalar in (
    ("aten.add.Tensor", "aten.add.Scalar"),
    ("aten.sub.Tensor", "aten.sub.Scalar"),
    ("aten.rsub.Tensor", "aten.rsub.Scalar"),
):
    CASES += [
        case(of_tensor, x, make.normal(5), alpha=2.5),
        case(of_tensor, i, i.flip(0), alpha=-3),
        case(of_scalar, x, 1.25),
        case(of_scalar, i, 7, 2),
        case(of_scalar, i, 0.5),
        case(of_scalar, x.half(), 0.25),
    ]
CASES += [
    case("aten.add.Tensor", x, 1.5),
    case("aten.mul.Tensor", i, 2.5),
    case(
        "aten.add.Tensor",
        torch.tensor([127, -128], dtype=torch.int8),
        torch.tensor([1, -1], dtype=torch.int8),
    ),
    case("aten.mul.Tensor", torch.tensor([2**62, -3]), torch.tensor([4, 2**62])),
    case("aten.add.Tensor", make.bools(8), make.bools(8)),
    case("aten.mul.Tensor", make.bools(8), make.bools(8)),
    case("aten.add.Tensor", make.bools(8), 3),
    case("aten.add.Tensor", SPECIAL, SPECIAL.flip(0)),
    case("aten.mul.Scalar", x, -0.75),
    case("aten.mul.Scalar", i, 3),
    case("aten.mul.Scalar", make.bools(4), 2.0),
    case("aten.div.Scalar", x, 3.0),
    case("aten.div.Scalar", i, 4),
    case("aten.div.Tensor", x, torch.zeros(5)),
    case("aten.div.Tensor", make.bools(6), make.integers(6, low=1)),
    case("aten.floor_divide.Scalar", i, 7),
    case("aten.floor_divide.Scalar", x, -0.3),
    case("aten.floor_divide.default", x, torch.zeros(5)),
    case(
        "aten.floor_divide.default", torch.tensor([1.0, -1.0, 0.3, 0.0]), torch.tensor([0.1, 0.1, 0.1, -2.0])
    ),
    case("aten.square.default", x),
    case("aten.square.default", i),
    case("aten.square.default", make.bools(4)),
]
for mode in (None, "trunc", "floor"):
    CASES += [
        case("aten.div.Tensor_mode", x, nonzero(3, 5, dtype=torch.float32) / 4, rounding_mode=mode),
        case(
            "aten.div.Tensor_mode",
            torch.tensor([0.9, 0.3, 1.2]),
            torch.tensor([0.3, 0.1, 0.4]),
            rounding_mode=mode,
        ),
        case("aten.div.Tensor_mode", i, nonzero(3, 5, dtype=torch.int32), rounding_mode=mode),
        case("aten.div.Tensor_mode", x.half(), nonzero(3, 5, dtype=torch.float16), rounding_mode=mode),
        case("aten.div.Scalar_mode", x, 0.7, rounding_mode=mode),
        case("aten.div.Scalar_mode", i, -3, rounding_mode=mode),
    ]
for of_tensor, of_scalar in (
    ("aten.remainder.Tensor", "aten.remainder.Scalar"),
    ("aten.fmod.Tensor", "aten.fmod.Scalar"),
):
    CASES += [
        case(of_scalar, x, 1.3),
        case(of_scalar, x, -1.3),
        case(of_scalar, i, -7),
        case(of_tensor, x, torch.tensor([INF, -INF, 0.0, NAN, 2.0])),
    ]
CASES += [
    case("aten.remainder.Scalar_Tensor", 10, nonzero(6, dtype=torch.int64)),
    case("aten.remainder.Scalar_Tensor", 10.5, nonzero(6, dtype=torch.float32)),
]

positive = make.uniform(3, 5, low=0.1, high=4)
CASES += [
    *(case("aten.pow.Tensor_Tensor", positive.to(t), make.normal(5, dtype=t)) for t in FLOATS),
    *(case("aten.pow.Tensor_Scalar", positive, e) for e in (0.5, 2, 3, -1, -2.5, 0)),
    case("aten.pow.Tensor_Scalar", x, 2),
    *(case("aten.pow.Tensor_Scalar", SPECIAL, e) for e in (1.5, -1.5, 5, -3, 4, -4, 1 / 3)),
    *(case("aten.pow.Tensor_Scalar", make.uniform(5, 77, high=60), e) for e in (0.1, 2.2, -0.7, 7, 21.5)),
    case("aten.pow.Tensor_Scalar", torch.tensor([1e-42, -1e-42, 1e-38, 2e38, 0.999999, 1.000001]), 5 / 3),
    case("aten.pow.Tensor_Scalar", torch.tensor([1e-9, 1e-8, 3e-9, 1e8, 0.5]), 5),
    case("aten.pow.Tensor_Scalar", x.half(), 4),
    case("aten.pow.Tensor_Scalar", positive.half(), 1.3),
    case("aten.pow.Tensor_Scalar", x, 3.0),
    case("aten.pow.Tensor_Scalar", i, 3),
    case("aten.pow.Tensor_Scalar", i, 0.0),
    case("aten.pow.Tensor_Scalar", make.bools(4), 2),
    case("aten.pow.Scalar", 2.0, x),
    case("aten.pow.Scalar", 2, make.integers(6, low=0)),
    case("aten.pow.Tensor_Tensor", torch.tensor([2, -1, 1, -1, 0, 7]), torch.tensor([-2, -3, -5, -4, 3, 40])),
    case("aten.pow.Tensor_Tensor", SPECIAL, torch.tensor(2.0)),
    case("aten.atan2.default", x, make.normal(5)),
    case("aten.atan2.default", i, make.integers(5)),
    case("aten.atan2.default", SPECIAL, SPECIAL.flip(0)),
]
for dtype in FLOATS:
    a, b, c = (make.normal(3, 4, dtype=dtype) for _ in range(3))
    CASES += [
        case("aten.addcmul.default", a, b, c, value=0.5),
        case("aten.addcdiv.default", a, b, c.abs() + 1, value=-2),
        case("aten.lerp.Scalar", a, b, 0.25),
        case("aten.lerp.Tensor", a, b, c.abs()),
    ]
CASES += [
    case("aten.addcmul.default", i, i.flip(1), make.integers(5, dtype=torch.int32), value=2),
    case("aten.addcmul.default", make.normal(2, 1), make.normal(3), make.normal(2, 3)),
    case("aten.addcdiv.default", make.normal(2, 1), make.normal(3), make.uniform(2, 3, low=1, high=2)),
    case("aten.lerp.Scalar", x, x.flip(0), 0.9),
    case("aten.lerp.Tensor", make.normal(2, 1), make.normal(3), torch.tensor(0.7)),
]
