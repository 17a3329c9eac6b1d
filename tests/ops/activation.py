"""Activation functions, with and without their parameters."""

import torch
from case import FLOATS, INF, INTEGERS, NAN, SPECIAL, Tensors, case

make = Tensors("activation")

PLAIN = [
    "aten.relu.default",
    "aten.relu6.default",
    "aten.gelu.default",
    "aten.sigmoid.default",
    "aten.silu.default",
    "aten.hardtanh.default",
    "aten.hardswish.default",
    "aten.hardsigmoid.default",
    "aten.leaky_relu.default",
    "aten.elu.default",
    "aten.softplus.default",
    "aten.mish.default",
    "aten.log_sigmoid.default",
]

# Wide enough for every branch; what happens to infinities and NaN is asked apart.
BRANCHES = torch.tensor([-30.0, -6.0, -3.0, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0, 6.0, 21.0, 50.0])

CASES = []
for op in PLAIN:
    CASES += [case(op, make.normal(4, 129, dtype=dtype, scale=3)) for dtype in FLOATS]
    CASES += [
        case(op, BRANCHES),
        case(op, make.normal(2, 3, 4, 5).permute(0, 3, 1, 2)),
        case(op, torch.tensor(-0.7)),
    ]
    CASES += [case(op, torch.empty(2, 0))]
for op in ("aten.relu.default", "aten.hardtanh.default", "aten.leaky_relu.default", "aten.relu6.default"):
    CASES += [case(op, SPECIAL)]
for dtype in INTEGERS:
    CASES += [case("aten.relu.default", make.integers(9, dtype=dtype))]
    CASES += [case("aten.sigmoid.default", make.integers(9, dtype=dtype))]
    if dtype.is_signed:
        CASES += [case("aten.hardtanh.default", make.integers(9, dtype=dtype), -3, 4)]

x = make.normal(3, 40, scale=3)
NOT_FINITE = torch.tensor([INF, -INF, NAN])
CASES += [
    case("aten.gelu.default", NOT_FINITE[1:]),  # PyTorch gives infinity in scalar code and NaN in vectors
    case("aten.gelu.default", NOT_FINITE, approximate="tanh"),
    case("aten.softplus.default", NOT_FINITE),
    case("aten.elu.default", NOT_FINITE),
    case("aten.hardtanh.default", x, NAN, 1.0),
    case("aten.hardtanh.default", x, -1.0, NAN),
    case("aten.gelu.default", x, approximate="tanh"),
    case("aten.gelu.default", x.half(), approximate="tanh"),
    case("aten.hardtanh.default", x, -2.5, 0.75),
    case("aten.leaky_relu.default", x, 0.3),
    case("aten.elu.default", x, 0.5, 2.0, 1.5),
    case("aten.softplus.default", x, 2.0, 5.0),
    case("aten.threshold.default", x, 0.5, -7.0),
    case("aten.threshold.default", SPECIAL, 0.1, 20.0),
    case("aten._prelu_kernel.default", make.normal(2, 3, 4), make.uniform(1, 3, 1)),
    case(
        "aten._prelu_kernel.default",
        make.normal(5, dtype=torch.float64),
        make.uniform(1, dtype=torch.float64),
    ),
]
