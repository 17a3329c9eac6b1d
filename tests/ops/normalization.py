"""Batch, layer, group, instance and RMS normalisation, with and without weights and statistics."""

import torch
from case import FLOATS, Tensors, case

make = Tensors("normalization")
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12, torch.float16: 4e-3, torch.bfloat16: 3e-2}
BATCH_NORM = "aten._native_batch_norm_legit_no_training.default"


def near(c, dtype=torch.float32):
    return c.within(TOLERANCE[dtype], TOLERANCE[dtype])


def channel_parameters(channels, dtype=torch.float32):
    """weight, bias, running mean and running variance."""
    return (
        make.normal(channels, dtype=dtype),
        make.normal(channels, dtype=dtype),
        make.normal(channels, dtype=dtype),
        make.uniform(channels, low=0.1, high=3, dtype=dtype),
    )


CASES = []
for sizes in [(2, 1, 3, 3), (1, 17, 5, 7), (3, 65, 4, 4), (5, 19), (2, 6, 11), (2, 5, 3, 4, 2), (0, 3, 2, 2)]:
    weight, bias, mean, variance = channel_parameters(sizes[1])
    x = make.normal(*sizes, scale=2)
    CASES += [
        near(case(BATCH_NORM, x, weight, bias, mean, variance, 0.1, 1e-5)),
        near(case(BATCH_NORM, x, None, None, mean, variance, 0.1, 1e-3)),
        near(case("aten.batch_norm.default", x, weight, bias, mean, variance, False, 0.1, 1e-5, True)),
        near(case("aten.native_batch_norm.default", x, weight, bias, mean, variance, False, 0.1, 1e-5)),
    ]
    if x.numel() > 0:
        CASES += [near(case("aten._native_batch_norm_legit.no_stats", x, weight, bias, True, 0.1, 1e-5))]
weight, bias, mean, variance = channel_parameters(9)
image = make.normal(2, 9, 6, 7) + 3
CASES += [
    near(
        case(
            BATCH_NORM,
            image.contiguous(memory_format=torch.channels_last),
            weight,
            bias,
            mean,
            variance,
            0.1,
            1e-5,
        )
    ),
    near(case("aten.instance_norm.default", image, weight, bias, None, None, True, 0.1, 1e-5, True)),
    near(case("aten.instance_norm.default", image, None, None, None, None, True, 0.1, 1e-5, True)),
    near(case("aten.instance_norm.default", image, weight, bias, mean, variance, False, 0.1, 1e-5, True)),
]

for sizes, normalized in [
    ((3, 1), [1]),
    ((2, 5, 96), [96]),
    ((4, 65), [65]),
    ((2, 3, 1000), [1000]),
    ((2, 7, 5, 6), [5, 6]),
    ((6,), [6]),
    ((2, 3, 4), [2, 3, 4]),
    ((0, 8), [8]),
]:
    x = make.normal(*sizes, scale=3) + 1
    weight, bias = make.normal(*normalized), make.normal(*normalized)
    for op in ("aten.native_layer_norm.default", "aten.layer_norm.default"):
        CASES += [
            near(case(op, x, normalized, weight, bias, 1e-5)),
            near(case(op, x, normalized, None, None, 1e-6)),
            near(case(op, x, normalized, weight, None, 1e-5)),
        ]
    if x.numel() > 0:
        CASES += [
            near(case("aten.rms_norm.default", x, normalized, weight, 1e-6)),
            near(case("aten._fused_rms_norm.default", x, normalized, weight, 1e-6)),
            near(case("aten.rms_norm.default", x, normalized, None, None)),
        ]
permuted = make.normal(2, 24, 5, 7).permute(0, 2, 3, 1)
CASES += [
    near(case("aten.native_layer_norm.default", permuted, [24], make.normal(24), make.normal(24), 1e-6))
]
# A mean far from zero: one-pass sums of squares would lose the variance.
far = make.normal(3, 64) + 1000
CASES += [case("aten.native_layer_norm.default", far, [64], None, None, 1e-5).within(1e-3, 1e-3)]

for channels, groups, spatial in [
    (6, 3, (5, 4)),
    (32, 8, (7, 7)),
    (6, 1, (5, 4)),
    (6, 6, (3, 5)),
    (10, 5, (9,)),
    (15, 5, (2, 3, 2)),
]:
    x = make.normal(2, channels, *spatial) * 2 - 1
    weight, bias = make.normal(channels), make.normal(channels)
    pixels = x[0, 0].numel()
    CASES += [
        near(case("aten.native_group_norm.default", x, weight, bias, 2, channels, pixels, groups, 1e-5)),
        near(case("aten.native_group_norm.default", x, None, None, 2, channels, pixels, groups, 1e-5)),
        near(case("aten.group_norm.default", x, groups, weight, bias, 1e-6)),
    ]

for dtype in FLOATS[1:]:
    parameters = channel_parameters(6, dtype)
    x = make.normal(2, 6, 3, 5, dtype=dtype)
    weight, bias = make.normal(5, dtype=dtype), make.normal(5, dtype=dtype)
    CASES += [
        near(case(BATCH_NORM, x, *parameters, 0.1, 1e-5), dtype),
        near(case("aten.native_layer_norm.default", x, [5], weight, bias, 1e-5), dtype),
        near(case("aten.native_group_norm.default", x, *parameters[:2], 2, 6, 15, 3, 1e-5), dtype),
        near(case("aten.rms_norm.default", x, [5], weight, 1e-6), dtype),
    ]
for dtype in (torch.float16, torch.bfloat16):  # parameters kept in float32
    x = make.normal(2, 6, 3, 5, dtype=dtype)
    CASES += [
        near(case(BATCH_NORM, x, *channel_parameters(6), 0.1, 1e-5), dtype),
        near(case("aten.native_layer_norm.default", x, [5], make.normal(5), make.normal(5), 1e-5), dtype),
        near(
            case("aten.native_group_norm.default", x, make.normal(6), make.normal(6), 2, 6, 15, 3, 1e-5),
            dtype,
        ),
    ]
