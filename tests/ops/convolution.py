"""Convolutions of every rank, stride, dilation, group and padding; depthwise; transposed; the fused form."""

import torch
import torch.nn.functional as F
from case import FLOATS, Stored, Tensors, case

make = Tensors("convolution")


def conv(x, w, b=None, stride=1, padding=0, dilation=1, groups=1, transposed=False, output_padding=0):
    """aten.convolution on a stored weight; a number stands for one entry a spatial dimension."""
    spatial = x.dim() - 2

    def entries(value):
        return list(value) if isinstance(value, (tuple, list)) else [value] * spatial

    return case(
        "aten.convolution.default",
        x,
        Stored(w),
        None if b is None else Stored(b),
        entries(stride),
        entries(padding),
        entries(dilation),
        transposed,
        entries(output_padding),
        groups,
    ).within(1e-4, 1e-4)


def layer(cin, cout, kernel, groups=1, dtype=torch.float32):
    """A weight whose outputs stay of order 1, and a bias."""
    kernel = (kernel, kernel) if isinstance(kernel, int) else kernel
    terms = cin // groups
    for k in kernel:
        terms *= k
    return (
        make.normal(cout, cin // groups, *kernel, scale=terms**-0.5, dtype=dtype),
        make.normal(cout, dtype=dtype),
    )


def channels_last(x):
    return x.contiguous(memory_format=torch.channels_last)


CASES = []

# 1×1: channels and pixels at and around tiles of 8, 16 and 64.
for cin, cout in [(1, 1), (3, 5), (8, 16), (16, 24), (17, 33), (24, 64), (65, 40), (40, 65), (128, 48)]:
    w, b = layer(cin, cout, 1)
    CASES += [conv(make.normal(1, cin, 7, 9), w, b)]
w, b = layer(19, 31, 1)
CASES += [
    conv(make.normal(3, 19, 5, 13), w, b),
    conv(channels_last(make.normal(2, 19, 6, 11)), w, b),
    conv(make.normal(2, 19, 9, 8), w, None, stride=2),
    conv(make.normal(1, 19, 1, 1), w, b),
    conv(make.normal(1, 19, 1, 65), w, b, padding=1),
    conv(make.normal(2, 2048, 3, 3), *layer(2048, 17, 1)),
    conv(make.normal(2, 24, 5, 7), *layer(24, 36, 1, groups=3), groups=3),
]

# k×k: first layers with 3 channels, strides, dilations, uneven padding and kernels.
CASES += [
    conv(make.normal(1, 3, 33, 35), *layer(3, 32, 3), stride=2, padding=1),
    conv(make.normal(2, 3, 31, 29), *layer(3, 24, 7), stride=2, padding=3),
    conv(make.normal(1, 3, 32, 32), *layer(3, 17, 4), stride=4),
    conv(make.normal(1, 3, 32, 48), *layer(3, 65, 16), stride=16),
    conv(make.normal(1, 1, 5, 5), *layer(1, 1, 3)),
    conv(make.normal(2, 16, 14, 14), *layer(16, 16, 3), padding=1),
    conv(channels_last(make.normal(2, 16, 13, 17)), *layer(16, 48, 3), padding=1),
    conv(make.normal(1, 37, 11, 13), *layer(37, 43, 3), padding=1),
    conv(make.normal(1, 64, 7, 7), *layer(64, 67, 3), padding=1),
    conv(make.normal(1, 257, 4, 5), *layer(257, 19, 3), padding=1),
    conv(make.normal(1, 13, 15, 17), *layer(13, 29, 5), padding=2),
    conv(make.normal(1, 8, 9, 12), *layer(8, 12, (1, 3)), padding=(0, 1)),
    conv(make.normal(1, 8, 12, 9), *layer(8, 12, (3, 1)), padding=(1, 0)),
    conv(make.normal(1, 8, 12, 9), *layer(8, 12, (2, 5)), stride=(1, 3), padding=(0, 2)),
    conv(make.normal(1, 8, 17, 19), *layer(8, 12, 3), padding=2, dilation=2),
    conv(make.normal(1, 8, 17, 19), *layer(8, 12, 3), stride=2, padding=(3, 1), dilation=(3, 2)),
    conv(make.normal(1, 8, 3, 3), *layer(8, 12, 3), padding=4),
    conv(make.normal(1, 8, 3, 3), *layer(8, 12, 3)),
    conv(make.normal(1, 8, 7, 7), layer(8, 12, 3)[0], None, padding=1),
    conv(make.normal(0, 8, 7, 7), *layer(8, 12, 3), padding=1),
    conv(make.normal(2, 12, 9, 10), *layer(12, 20, 3, groups=4), padding=1, groups=4),
    conv(make.normal(1, 34, 9, 10), *layer(34, 68, 3, groups=17), stride=2, padding=1, groups=17),
]

# Depthwise, with and without a multiplier.
for kernel in (3, 5, 7):
    for channels, stride in [(1, 1), (16, 1), (33, 2), (67, 1)]:
        w, b = layer(channels, channels, kernel, groups=channels)
        x = make.normal(2, channels, 15, 14)
        CASES += [conv(x, w, b, stride=stride, padding=kernel // 2, groups=channels)]
w, b = layer(24, 24, 3, groups=24)
CASES += [
    conv(channels_last(make.normal(2, 24, 11, 9)), w, b, padding=1, groups=24),
    conv(make.normal(1, 24, 1, 1), w, b, padding=1, groups=24),
    conv(make.normal(1, 24, 2, 3), w, b, padding=1, groups=24),
    conv(make.normal(1, 24, 12, 13), w, None, groups=24),
    conv(make.normal(1, 24, 12, 13), w, b, padding=(1, 2), dilation=(1, 2), groups=24),
    conv(make.normal(1, 24, 13, 12), w, b, stride=(2, 1), padding=1, groups=24),
    conv(make.normal(1, 9, 8, 8), *layer(9, 18, 3, groups=9), padding=1, groups=9),
    conv(make.normal(1, 6, 29, 31), *layer(6, 6, (9, 11), groups=6), padding=(4, 5), groups=6),
]

# One and three dimensions.
CASES += [
    conv(make.normal(2, 7, 33), *layer(7, 19, (3,)), padding=1),
    conv(make.normal(2, 6, 40), *layer(6, 12, (5,), groups=3), stride=2, padding=2, dilation=2, groups=3),
    conv(make.normal(1, 16, 21), *layer(16, 16, (3,), groups=16), padding=1, groups=16),
    conv(make.normal(1, 4, 5, 9, 8), *layer(4, 10, (3, 3, 3)), padding=1),
    conv(
        make.normal(2, 6, 7, 6, 5),
        *layer(6, 8, (2, 3, 1), groups=2),
        stride=(2, 1, 2),
        padding=(1, 0, 0),
        groups=2,
    ),
]

# Transposed: weight [in, out/groups, k…].
for cin, cout, kernel, groups, options in [
    (5, 7, (3, 3), 1, {"stride": 2, "padding": 1, "output_padding": 1}),
    (16, 8, (2, 2), 1, {"stride": 2}),
    (6, 9, (4, 3), 3, {"stride": (3, 1), "padding": (1, 0)}),
    (8, 8, (3, 3), 8, {"stride": 2, "padding": 1}),
    (3, 4, (3, 3), 1, {"dilation": 2, "padding": 2}),
    (3, 4, (5,), 1, {"stride": 3, "padding": 2, "output_padding": 2}),
    (3, 4, (2, 3, 2), 1, {"stride": 2, "output_padding": (1, 0, 1)}),
]:
    w = make.normal(cin, cout // groups, *kernel, scale=(cin / groups) ** -0.5)
    x = make.normal(2, cin, *[6, 5, 4][: len(kernel)])
    CASES += [conv(x, w, make.normal(cout), groups=groups, transposed=True, **options)]

# Weights that are not constant, other dtypes, and the forms that exporters may keep.
x = make.normal(1, 6, 8, 9)
w, b = layer(6, 10, 3)
CASES += [case("aten.convolution.default", x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)]
for dtype in FLOATS[1:]:
    tolerance = {torch.float64: 1e-9, torch.float16: 4e-3, torch.bfloat16: 3e-2}[dtype]
    wide = conv(make.normal(1, 6, 8, 9, dtype=dtype), w.to(dtype), b.to(dtype), padding=1)
    CASES += [wide.within(tolerance, tolerance)]
CASES += [
    case("aten.conv1d.default", make.normal(2, 3, 17), make.normal(4, 3, 3), make.normal(4), [2], [1]),
    case("aten.conv2d.default", x, w, b, [2, 1], [1, 0], [1, 1], 1).within(1e-4, 1e-4),
    case("aten.conv2d.default", x[0], w, b).within(1e-4, 1e-4),
    case("aten.conv3d.default", make.normal(1, 2, 4, 5, 6), make.normal(3, 2, 2, 2, 2)).within(1e-4, 1e-4),
    case("aten.conv1d.padding", make.normal(2, 3, 17), make.normal(4, 3, 4), make.normal(4), [1], "same"),
    case("aten.conv2d.padding", x, w, b, [1, 1], "same", [2, 1]).within(1e-4, 1e-4),
    case("aten.conv2d.padding", x, w, b, [2, 2], "valid").within(1e-4, 1e-4),
    case(
        "aten.conv3d.padding", make.normal(1, 2, 4, 5, 6), make.normal(3, 2, 2, 3, 2), padding="same"
    ).within(1e-4, 1e-4),
    case(
        "aten.convolution.default",
        make.integers(2, 3, 5, 6),
        make.integers(4, 3, 3, 3),
        None,
        [1, 1],
        [1, 1],
        [1, 1],
        False,
        [0, 0],
        1,
    ),
]

ACTIVATIONS = {
    "none": lambda y: y,
    "relu": F.relu,
    "clamp": lambda y: y.clamp(0.0, 6.0),
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu_tanh": lambda y: F.gelu(y, approximate="tanh"),
    "sigmoid": torch.sigmoid,
    "hardswish": F.hardswish,
    "tanh": torch.tanh,
}


def fused(x, w, b, activation, residual=False, stride=1, padding=(0, 0, 0, 0), groups=1):
    """plumb.convolution with padding [top, left, bottom, right]."""
    top, left, bottom, right = padding

    def convolve():
        return F.conv2d(F.pad(x, (left, right, top, bottom)), w, b, stride=stride, groups=groups)

    added = make.normal(*convolve().shape) if residual else None
    limits = {"min": 0.0, "max": 6.0} if activation == "clamp" else {}
    return (
        case(
            "plumb.convolution",
            input=x,
            weight=Stored(w),
            bias=None if b is None else Stored(b),
            stride=[stride, stride],
            padding=list(padding),
            dilation=[1, 1],
            transposed=False,
            output_padding=[0, 0],
            groups=groups,
            residual=added,
            activation=activation,
            **limits,
        )
        .gives(lambda: ACTIVATIONS[activation](convolve() + (0 if added is None else added)))
        .within(1e-4, 1e-4)
    )


for name in ACTIVATIONS:
    CASES += [
        fused(make.normal(1, 9, 10, 11), *layer(9, 21, 1), name, residual=True),
        fused(make.normal(2, 5, 10, 11), *layer(5, 18, 3), name, stride=2, padding=(0, 0, 1, 1)),
        fused(make.normal(1, 20, 9, 8), *layer(20, 20, 3, groups=20), name, padding=(1, 1, 1, 1), groups=20),
    ]
CASES += [
    fused(make.normal(1, 8, 6, 5), layer(8, 16, 3)[0], None, "relu", residual=True, padding=(1, 1, 1, 1)),
    fused(make.normal(1, 8, 6, 5), *layer(8, 16, 3), "clamp", padding=(2, 0, 1, 3)),
    fused(make.normal(1, 12, 14, 15), *layer(12, 12, 5, groups=12), "clamp", True, 1, (2, 2, 2, 2), 12),
    fused(make.normal(1, 12, 14, 15), *layer(12, 12, 5, groups=12), "relu", False, 2, (1, 1, 2, 2), 12),
]
