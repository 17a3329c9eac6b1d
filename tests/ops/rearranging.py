"""Elements in another order or more than once: flip, roll, repeat, pixel shuffles; dropout in inference."""

import torch
from case import Tensors, case

make = Tensors("rearranging")

x = make.normal(3, 4, 5)
strided = make.normal(5, 3, 4).permute(1, 2, 0)
CASES = []
for value in (
    x,
    strided,
    make.integers(3, 4, 5, dtype=torch.int16),
    make.bools(3, 4, 5),
    x.half(),
    x.double(),
):
    CASES += [
        case("aten.flip.default", value, [0]),
        case("aten.flip.default", value, [-1, 1]),
        case("aten.flip.default", value, []),
        case("aten.roll.default", value, [1], [0]),
        case("aten.roll.default", value, [-2, 7], [1, 2]),
        case("aten.roll.default", value, [1, 2], [2, 2]),
        case("aten.roll.default", value, [17]),
        case("aten.roll.default", value, [-1]),
        case("aten.repeat.default", value, [2, 1, 3]),
        case("aten.repeat.default", value, [2, 1, 1, 1]),
        case("aten.repeat.default", value, [1, 0, 2]),
    ]
CASES += [
    case("aten.repeat.default", torch.tensor(2.5), [3, 2]),
    case("aten.repeat.default", torch.tensor(2.5), []),
    case("aten.roll.default", torch.empty(0, 3), [1], [0]),
    case("aten.flip.default", torch.empty(0, 3), [1]),
    case("aten.roll.default", make.normal(1, 8, 8, 6), [-3, -3], [1, 2]),
]
for factor in (1, 2, 3):
    CASES += [
        case("aten.pixel_shuffle.default", make.normal(2, 5 * factor**2, 3, 4), factor),
        case("aten.pixel_shuffle.default", make.normal(factor**2, 3, 7), factor),
        case("aten.pixel_unshuffle.default", make.normal(2, 5, 3 * factor, 4 * factor), factor),
        case("aten.pixel_unshuffle.default", make.normal(2, 3, 5, 4 * factor, 2 * factor), factor),
    ]
CASES += [
    case("aten.dropout.default", strided, 0.5, False),
    case("aten.native_dropout.default", x, 0.5, False),
]
