"""Resizing images up and down, by sizes and by factors, and sampling at places that a grid names."""

import torch
from case import FLOATS, Tensors, case

make = Tensors("resize")
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-9, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def near(c, dtype=torch.float32):
    return c.within(TOLERANCE[dtype], TOLERANCE[dtype])


line = make.normal(2, 3, 7)
image = make.normal(2, 3, 6, 7)
volume = make.normal(1, 2, 4, 5, 3)
wide = make.normal(1, 4, 40, 64)
channels_last = make.normal(1, 40, 64, 4).permute(0, 3, 1, 2)
strided = make.normal(2, 6, 7, 3).permute(0, 3, 1, 2)

CASES = []
for size in ([12, 14], [6, 7], [3, 3], [1, 1], [13, 29], [17, 5], [65, 66]):
    for value in (image, strided):
        CASES += [case("aten.upsample_nearest2d.default", value, size)]
        for align_corners in (False, True):
            CASES += [
                near(case("aten.upsample_bilinear2d.default", value, size, align_corners)),
                near(case("aten.upsample_bicubic2d.default", value, size, align_corners)),
            ]
for factors in ([2.0, 2.0], [1.5, 2.7], [0.5, 0.34], [3.0, 1.0]):
    CASES += [
        case("aten.upsample_nearest2d.vec", image, None, factors),
        near(case("aten.upsample_bilinear2d.vec", image, None, False, factors)),
        near(case("aten.upsample_bilinear2d.vec", image, None, True, factors)),
        near(case("aten.upsample_bicubic2d.vec", image, None, False, factors)),
    ]
CASES += [
    # With factors whose quotient is no float, where a rounding more or less moves the sources.
    *(case("aten.upsample_bilinear2d.vec", v, None, False, [1.5, 2.7]) for v in (wide, channels_last)),
    case("aten.upsample_nearest2d.vec", image, [9, 10], None),
    case("aten.upsample_nearest2d.default", image, [13, 15], 2.2, 2.2),
    near(case("aten.upsample_bilinear2d.vec", image, [9, 10], False, None)),
    near(case("aten.upsample_bilinear2d.default", image, [13, 15], False, 2.2, 2.2)),
    case("aten.upsample_nearest1d.default", line, [16]),
    case("aten.upsample_nearest1d.default", line, [9], 1.3),
    case("aten.upsample_nearest1d.vec", line, None, [1.3]),
    case("aten.upsample_nearest3d.default", volume, [8, 3, 7]),
    case("aten.upsample_nearest3d.vec", volume, None, [2.0, 1.5, 3.0]),
    near(case("aten.upsample_linear1d.default", line, [16], False)),
    near(case("aten.upsample_linear1d.default", line, [4], True)),
    near(case("aten.upsample_linear1d.vec", line, None, False, [1.7])),
    near(case("aten.upsample_trilinear3d.default", volume, [7, 3, 8], False)),
    near(case("aten.upsample_trilinear3d.default", volume, [7, 3, 8], True)),
    near(case("aten.upsample_trilinear3d.vec", volume, None, False, [2.0, 1.5, 3.0])),
]
for dtype in FLOATS[1:]:
    value = image.to(dtype)
    CASES += [
        case("aten.upsample_nearest2d.default", value, [9, 16]),
        near(case("aten.upsample_bilinear2d.default", value, [9, 16], False), dtype),
    ]

grid = make.uniform(2, 4, 5, 2, low=-1.6, high=1.6)
for mode in (0, 1):
    for border in (0, 1, 2):
        for align_corners in (False, True):
            CASES += [near(case("aten.grid_sampler_2d.default", image, grid, mode, border, align_corners))]
CASES += [
    near(case("aten.grid_sampler_2d.default", strided.double(), grid.double(), 0, 0, False), torch.float64)
]
