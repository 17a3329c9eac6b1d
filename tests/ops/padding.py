"""Padding of every mode, on every rank, and negative padding, which cuts."""

import torch
from case import FLOATS, INTEGERS, Tensors, case

make = Tensors("padding")

line = make.normal(2, 3, 7)
image = make.normal(2, 3, 6, 7)
volume = make.normal(1, 2, 4, 5, 6)
strided = make.normal(2, 6, 7, 3).permute(0, 3, 1, 2)

CASES = []
for value in (image, strided):
    CASES += [
        case("aten.constant_pad_nd.default", value, pads, 1.5)
        for pads in (
            [1, 2],
            [0, 1, 0, 1],
            [1, 2, 3, 4],
            [-1, 2],
            [-2, -3, 1, -1],
            [0, 0, 0, 0, 2, 1],
            [0] * 8,
            [],
        )
    ]
    CASES += [
        case("aten.reflection_pad2d.default", value, [1, 2, 3, 4]),
        case("aten.reflection_pad2d.default", value, [6, 6, 5, 5]),
        case("aten.replication_pad2d.default", value, [1, 2, 3, 4]),
        case("aten.replication_pad2d.default", value, [9, 0, 0, 8]),
        case("aten.replication_pad2d.default", value, [-1, 2, 3, -2]),
        case("aten.pad.default", value, [1, 2, 0, 3], "reflect"),
        case("aten.pad.default", value, [1, 2, 0, 3], "replicate"),
        case("aten.pad.default", value, [1, 2, 0, 3], "circular"),
        case("aten.pad.default", value, [1, 2, 0, 3], "constant", 0.25),
        case("aten.pad.default", value, [1, 2]),
    ]
CASES += [
    case("aten.constant_pad_nd.default", line, [1, 2]),
    case("aten.constant_pad_nd.default", torch.empty(0, 3), [1, 1, 2, 0], 3.0),
    case("aten.constant_pad_nd.default", line, [-3, -4]),
    case("aten.reflection_pad1d.default", line, [3, 6]),
    case("aten.reflection_pad1d.default", line[0], [1, 0]),
    case("aten.replication_pad1d.default", line, [3, 9]),
    case("aten.reflection_pad3d.default", volume, [1, 2, 3, 0, 2, 1]),
    case("aten.replication_pad3d.default", volume, [1, 2, 3, 0, 2, 7]),
    case("aten.constant_pad_nd.default", make.bools(3, 4), [1, 1], True),
]
for dtype in FLOATS[1:] + INTEGERS:
    value = make.integers(1, 2, 4, 5, low=0, high=100).to(dtype)
    CASES += [case("aten.constant_pad_nd.default", value, [1, 0, 0, 2], 3)]
for dtype in FLOATS[1:]:
    CASES += [case("aten.reflection_pad2d.default", image.to(dtype), [1, 2, 3, 4])]
