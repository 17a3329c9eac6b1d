"""Matrix products: linear layers, mm, bmm, matmul with all its broadcasting, and sums with a product."""

import torch
from case import FLOATS, INF, INTEGERS, NAN, Stored, Tensors, case
from convolution import ACTIVATIONS

make = Tensors("matmul")
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-9, torch.float16: 4e-3, torch.bfloat16: 4e-2}


def factor(*sizes, inner, dtype=torch.float32):
    """Entries that keep products with normal ones of order 1."""
    return make.normal(*sizes, scale=inner**-0.5, dtype=dtype)


def near(c, dtype=torch.float32):
    return c.within(TOLERANCE[dtype], TOLERANCE[dtype])


CASES = []

# Rows, columns and depths at and around tiles of 8, 16 and 64.
for rows, depth, columns in [
    (1, 1, 1),
    (1, 64, 65),
    (3, 17, 5),
    (7, 48, 24),
    (16, 16, 16),
    (17, 33, 65),
    (64, 64, 64),
    (65, 129, 31),
    (5, 1000, 3),
    (2, 2049, 17),
    (6, 13, 1),
]:
    a = make.normal(rows, depth)
    CASES += [
        near(case("aten.mm.default", a, factor(depth, columns, inner=depth))),
        near(
            case(
                "aten.linear.default",
                a,
                Stored(factor(columns, depth, inner=depth)),
                Stored(make.normal(columns)),
            )
        ),
    ]
    CASES += [
        near(case("aten.addmm.default", make.normal(columns), a, Stored(factor(depth, columns, inner=depth))))
    ]

CASES += [
    near(case("aten.linear.default", make.normal(2, 3, 19), Stored(factor(21, 19, inner=19)))),
    near(
        case(
            "aten.linear.default",
            make.normal(2, 1, 3, 19),
            Stored(factor(21, 19, inner=19)),
            Stored(make.normal(21)),
        )
    ),
    near(
        case(
            "aten.linear.default", make.normal(19), Stored(factor(21, 19, inner=19)), Stored(make.normal(21))
        )
    ),
    near(case("aten.linear.default", make.normal(4, 6), Stored(factor(7, 6, inner=6)), make.normal(1))),
    near(case("aten.linear.default", make.normal(4, 6, 5).permute(2, 0, 1), factor(7, 6, inner=6))),
    near(case("aten.linear.default", make.normal(5, 6), factor(6, 7, inner=6).t(), make.normal(7))),
    near(case("aten.linear.default", make.normal(4, 8), factor(8, inner=8))),
    case("aten.linear.default", make.normal(0, 8), make.normal(3, 8)),
    near(case("aten.mm.default", make.normal(9, 5).t(), factor(9, 6, inner=9))),
    near(case("aten.mm.default", make.normal(5, 9), factor(6, 9, inner=9).t())),
    case("aten.mm.default", make.normal(3, 0), make.normal(0, 4)),
    near(
        case(
            "aten.addmm.default",
            make.normal(4, 7),
            make.normal(4, 9),
            factor(9, 7, inner=9),
            beta=0.5,
            alpha=2,
        )
    ),
    near(
        case("aten.addmm.default", make.normal(4, 1), make.normal(4, 9), factor(7, 9, inner=9).t(), alpha=-1)
    ),
    near(case("aten.addmm.default", torch.full((7,), NAN), make.normal(4, 9), factor(9, 7, inner=9), beta=0)),
    near(case("aten.addmv.default", make.normal(4), make.normal(4, 9), factor(9, inner=9), beta=2)),
    near(case("aten.mv.default", make.normal(5, 33), factor(33, inner=33))),
    near(case("aten.dot.default", make.normal(1025), factor(1025, inner=1025))),
    case("aten.dot.default", torch.empty(0), torch.empty(0)),
    case("aten.mm.default", torch.tensor([[INF, 1.0], [NAN, 0.0]]), torch.tensor([[1.0, 0.0], [2.0, -INF]])),
    # A transformer's projections and a classifier.
    near(
        case(
            "aten.linear.default",
            make.normal(1, 50, 96),
            Stored(factor(288, 96, inner=96)),
            Stored(make.normal(288)),
        )
    ),
    near(
        case(
            "aten.linear.default",
            make.normal(1, 768),
            Stored(factor(1000, 768, inner=768)),
            Stored(make.normal(1000)),
        )
    ),
]

for rows, depth, columns in [(1, 1, 1), (5, 7, 3), (17, 32, 65), (33, 64, 16)]:
    a, b = make.normal(3, rows, depth), factor(3, depth, columns, inner=depth)
    transposed = factor(3, columns, depth, inner=depth).transpose(1, 2)
    CASES += [
        near(case("aten.bmm.default", a, b)),
        near(case("aten.bmm.default", a, transposed)),
        near(case("aten.baddbmm.default", make.normal(3, rows, columns), a, b, beta=0.5, alpha=-2)),
        near(case("aten.baddbmm.default", make.normal(columns), a, b)),
    ]
CASES += [
    near(case("aten.bmm.default", make.normal(4, 3, 6).transpose(0, 1), factor(3, 6, 5, inner=6))),
    case("aten.bmm.default", make.normal(0, 3, 6), make.normal(0, 6, 5)),
    near(
        case(
            "aten.baddbmm.default",
            torch.full((1, 1, 1), NAN),
            make.normal(2, 3, 4),
            make.normal(2, 4, 5),
            beta=0,
        )
    ),
]

for left, right in [
    ((5,), (5,)),
    ((5,), (5, 3)),
    ((4, 5), (5,)),
    ((4, 5), (5, 3)),
    ((2, 4, 5), (5,)),
    ((5,), (2, 5, 3)),
    ((2, 4, 5), (5, 3)),
    ((4, 5), (2, 5, 3)),
    ((2, 1, 4, 5), (3, 5, 6)),
    ((2, 3, 17, 33), (2, 3, 33, 65)),
    ((1, 3, 4, 5), (2, 1, 5, 6)),
    ((2, 0, 5), (5, 3)),
]:
    CASES += [near(case("aten.matmul.default", make.normal(*left), make.normal(*right)))]
heads = make.normal(2, 9, 3, 8)
CASES += [
    near(
        case(
            "aten.matmul.default", heads.permute(0, 2, 1, 3), factor(2, 9, 3, 8, inner=8).permute(0, 2, 3, 1)
        )
    )
]

for dtype in FLOATS[1:]:
    a, b = make.normal(5, 40, dtype=dtype), factor(40, 9, inner=40, dtype=dtype)
    CASES += [
        near(case("aten.mm.default", a, b), dtype),
        near(case("aten.addmm.default", make.normal(9, dtype=dtype), a, b), dtype),
        near(case("aten.linear.default", a, b.t(), make.normal(9, dtype=dtype)), dtype),
        near(case("aten.bmm.default", a[None], b[None]), dtype),
    ]
for dtype in INTEGERS:
    a, b = make.integers(4, 6, low=0, dtype=dtype), make.integers(6, 3, low=0, dtype=dtype)
    CASES += [
        case("aten.mm.default", a, b),
        case("aten.addmm.default", make.integers(3, low=0, dtype=dtype), a, b, beta=2, alpha=3),
        case("aten.matmul.default", a, b),
    ]
CASES += [case("aten.mm.default", make.integers(3, 4) * 2**60, make.integers(4, 3) * 2**40)]


def fused(x, w, b, activation, residual=False):
    def multiply():
        return torch.nn.functional.linear(x, w, b)

    added = make.normal(*multiply().shape) if residual else None
    limits = {"min": -0.5, "max": 1.5} if activation == "clamp" else {}

    def expected():
        y = multiply() + (0 if added is None else added)
        return y.clamp(-0.5, 1.5) if activation == "clamp" else ACTIVATIONS[activation](y)

    return near(
        case(
            "plumb.linear",
            input=x,
            weight=Stored(w),
            bias=None if b is None else Stored(b),
            residual=added,
            activation=activation,
            **limits,
        ).gives(expected)
    )


for name in ACTIVATIONS:
    CASES += [
        fused(make.normal(2, 5, 23), factor(37, 23, inner=23), make.normal(37), name, residual=True),
        fused(make.normal(7, 64), factor(65, 64, inner=64), make.normal(65), name),
    ]
CASES += [
    fused(make.normal(3, 16), factor(16, 16, inner=16), None, "none", residual=True),
    fused(make.normal(16), factor(5, 16, inner=16), make.normal(5), "relu"),
]
