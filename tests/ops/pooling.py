"""Pooling: windows, strides, padding, ceil_mode, dilation, NaN and infinities, adaptive cells."""

import torch
from case import FLOATS, INF, NAN, Tensors, case

make = Tensors("pooling")


def channels_last(x):
    return x.contiguous(memory_format=torch.channels_last)


def with_specials(x):
    flat = x.flatten()
    flat[:: max(1, flat.numel() // 7)] = NAN
    flat[3 :: max(1, flat.numel() // 5)] = -INF
    return flat.view_as(x)


CASES = []
for channels in (1, 3, 16, 65):
    x = make.normal(2, channels, 13, 14)
    for op in ("aten.max_pool2d_with_indices.default", "aten.avg_pool2d.default"):
        CASES += [
            case(op, x, [2, 2], [2, 2]),
            case(op, x, [3, 3], [2, 2], [1, 1]),
            case(op, channels_last(x), [3, 3], [2, 2], [1, 1]),
        ]

image = make.normal(1, 5, 11, 12)
for kernel, stride, padding in [
    ([3], [], [0]),
    ([3, 2], [2, 3], [1, 1]),
    ([2, 3], [3, 1], [0, 1]),
    ([5, 5], [1, 1], [2, 2]),
    ([11, 12], [1, 1], [0, 0]),
    ([3, 3], [4, 5], [1, 0]),
]:
    for ceil_mode in (False, True):
        CASES += [
            case("aten.max_pool2d_with_indices.default", image, kernel, stride, padding, [1, 1], ceil_mode),
            case("aten.max_pool2d.default", image, kernel, stride, padding, [1, 1], ceil_mode),
            case("aten.avg_pool2d.default", image, kernel, stride, padding, ceil_mode, True),
            case("aten.avg_pool2d.default", image, kernel, stride, padding, ceil_mode, False),
            case("aten.avg_pool2d.default", image, kernel, stride, padding, ceil_mode, True, 7),
        ]
CASES += [
    case("aten.max_pool2d_with_indices.default", image, [3, 2], [2, 1], [1, 1], [2, 3], ceil_mode)
    for ceil_mode in (False, True)
]
CASES += [
    case(
        "aten.max_pool2d_with_indices.default", with_specials(make.normal(2, 3, 9, 9)), [3, 3], [2, 2], [1, 1]
    ),
    case("aten.max_pool2d_with_indices.default", torch.full((1, 1, 4, 4), -INF), [2, 2]),
    case("aten.max_pool2d_with_indices.default", torch.zeros(1, 2, 5, 5), [3, 3], [1, 1], [1, 1]),
    case("aten.max_pool2d_with_indices.default", image[0], [2, 2]),
    case("aten.max_pool2d_with_indices.default", make.integers(1, 2, 6, 6), [2, 2]),
    case("aten.max_pool2d_with_indices.default", make.integers(1, 2, 6, 6, dtype=torch.int8), [3, 3]),
    case("aten.avg_pool2d.default", with_specials(make.normal(2, 3, 9, 9)), [3, 3], [2, 2], [1, 1]),
    case("aten.avg_pool2d.default", image[0], [2, 2]),
    case("aten.avg_pool2d.default", make.integers(1, 2, 6, 6), [3, 3]),
    case("aten.avg_pool2d.default", make.normal(0, 2, 6, 6), [3, 3]),
    case("aten.avg_pool2d.default", channels_last(make.normal(2, 33, 7, 7)), [7, 7]),
]

line = make.normal(2, 3, 17)
volume = make.normal(1, 2, 5, 7, 6)
for ceil_mode in (False, True):
    CASES += [
        case("aten.avg_pool1d.default", line, [4], [3], [2], ceil_mode, False),
        case("aten.avg_pool1d.default", line, [4], [3], [1], ceil_mode, True),
        case("aten.max_pool1d.default", line, [4], [3], [1], [1], ceil_mode),
        case("aten.max_pool1d_with_indices.default", line, [4], [3], [1], [2], ceil_mode),
        case("aten.avg_pool3d.default", volume, [2, 3, 2], [2, 2, 3], [1, 1, 0], ceil_mode, False),
        case("aten.avg_pool3d.default", volume, [2, 3, 2], [2, 2, 3], [1, 1, 0], ceil_mode, True, 5),
        case("aten.max_pool3d.default", volume, [2, 3, 2], [2, 2, 3], [1, 1, 0], [1, 1, 1], ceil_mode),
        case(
            "aten.max_pool3d_with_indices.default",
            volume,
            [2, 3, 2],
            [1, 2, 2],
            [1, 1, 1],
            [2, 1, 2],
            ceil_mode,
        ),
    ]
CASES += [
    case("aten.avg_pool3d.default", volume[0], [2, 2, 2]),
    case("aten.avg_pool1d.default", line[0], [2]),
]

for size in ([1, 1], [2, 3], [7, 7], [5, 1], [11, 12], [13, 17]):
    CASES += [
        case("aten._adaptive_avg_pool2d.default", image, size),
        case("aten.adaptive_avg_pool2d.default", channels_last(make.normal(2, 19, 11, 12)), size),
        case("aten.adaptive_max_pool2d.default", image, size),
    ]
CASES += [
    case("aten._adaptive_avg_pool2d.default", make.normal(1, 65, 7, 7), [1, 1]),
    case("aten.adaptive_avg_pool2d.default", image[0], [3, 3]),
    case("aten.adaptive_avg_pool1d.default", line, [5]),
    case("aten.adaptive_avg_pool1d.default", line[0], [4]),
    case("aten.adaptive_avg_pool3d.default", volume, [2, 3, 4]),
    case("aten._adaptive_avg_pool3d.default", volume, [1, 1, 1]),
    case("aten.adaptive_max_pool1d.default", line, [4]),
    case("aten.adaptive_max_pool2d.default", with_specials(make.normal(1, 2, 8, 8)), [3, 3]),
    case("aten.adaptive_max_pool3d.default", volume, [2, 3, 4]),
]
for dtype in FLOATS[1:]:
    x = make.normal(1, 3, 9, 10, dtype=dtype)
    CASES += [
        case("aten.max_pool2d_with_indices.default", x, [3, 3], [2, 2], [1, 1]),
        case("aten.avg_pool2d.default", x, [3, 3], [2, 2], [1, 1]),
        case("aten._adaptive_avg_pool2d.default", x, [4, 3]),
        case("aten.adaptive_max_pool2d.default", x, [4, 3]),
    ]
