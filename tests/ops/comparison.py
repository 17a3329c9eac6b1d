"""Comparisons, logic and bit operations of tensors and numbers."""

import torch
from case import FLOATS, INTEGERS, SPECIAL, Tensors, case

make = Tensors("comparison")

COMPARISONS = [
    ("aten.eq.Tensor", "aten.eq.Scalar"),
    ("aten.ne.Tensor", "aten.ne.Scalar"),
    ("aten.lt.Tensor", "aten.lt.Scalar"),
    ("aten.le.Tensor", "aten.le.Scalar"),
    ("aten.gt.Tensor", "aten.gt.Scalar"),
    ("aten.ge.Tensor", "aten.ge.Scalar"),
]
LOGIC = ["aten.logical_and.default", "aten.logical_or.default", "aten.logical_xor.default"]
BITS = [
    ("aten.bitwise_and.Tensor", "aten.bitwise_and.Scalar"),
    ("aten.bitwise_or.Tensor", "aten.bitwise_or.Scalar"),
    ("aten.bitwise_xor.Tensor", "aten.bitwise_xor.Scalar"),
]

CASES = []
for of_tensor, of_scalar in COMPARISONS:
    for dtype in FLOATS + INTEGERS:
        CASES += [
            case(of_tensor, *(make.integers(5, 6, low=0, high=3, dtype=dtype) for _ in range(2))),
            case(of_scalar, make.integers(9, low=0, high=3, dtype=dtype), 1),
        ]
    CASES += [
        case(of_tensor, make.bools(3, 1), make.bools(4)),
        case(of_tensor, SPECIAL, SPECIAL.flip(0)),
        case(of_tensor, make.integers(3, 4, low=0, high=3).t(), make.integers(4, 3, low=0, high=3)),
        case(of_tensor, make.integers(4, low=0, high=3), make.integers(4, low=0, high=3).float()),
        case(of_tensor, torch.tensor([2**53, 2**53 + 1]), torch.tensor([2**53 + 1, 2**53 + 1])),
        case(of_scalar, make.integers(6, low=0, high=3, dtype=torch.int32), 1.5),
        case(of_scalar, torch.tensor([0.1, 0.2]), 0.1),
        case(of_scalar, make.bools(4), True),
    ]
for op in LOGIC:
    CASES += [case(op, make.bools(3, 5), make.bools(5))]
    for dtype in FLOATS + INTEGERS:
        CASES += [case(op, *(make.integers(9, low=0, high=2, dtype=dtype) for _ in range(2)))]
    CASES += [case(op, SPECIAL, make.bools(11))]
for of_tensor, of_scalar in BITS:
    CASES += [case(of_tensor, make.bools(3, 5), make.bools(5))]
    CASES += [case(of_scalar, make.bools(5), True)]
    for dtype in INTEGERS:
        low = -100 if dtype.is_signed else 0
        CASES += [
            case(of_tensor, *(make.integers(9, low=low, high=100, dtype=dtype) for _ in range(2))),
            case(of_scalar, make.integers(9, low=low, high=100, dtype=dtype), 37),
        ]
    CASES += [case(of_tensor, make.integers(5, dtype=torch.int16), make.integers(5))]
