"""Reductions over dimensions, extremes and their places, running sums, softmax."""

import torch
from case import FLOATS, INF, INTEGERS, NAN, Tensors, case

make = Tensors("reduction")

WITH_NAN = torch.tensor([[1.0, NAN, 3.0], [4.0, 5.0, NAN], [-INF, INF, 0.0]])
x = make.normal(3, 4, 5)
strided = make.normal(5, 3, 4).permute(1, 2, 0)
ALL_DIMS = ([0], [1], [-1], [0, 2], [2, 0, 1], [-2, -1], [], None)

CASES = []
for op in ("aten.sum.dim_IntList", "aten.mean.dim"):
    for dims in ALL_DIMS:
        CASES += [case(op, x, dims), case(op, strided, dims, True)]
    CASES += [case(op, x.to(dtype), [1]) for dtype in FLOATS]
    CASES += [
        case(op, x.half(), [1], dtype=torch.float32),
        case(op, make.integers(3, 4), [0], dtype=torch.float64),
        case(op, torch.empty(3, 0), [1]),
        case(op, torch.empty(0, 3), [1]),
        case(op, torch.tensor(2.5), []),
        case(op, torch.tensor(2.5), [0], True),
        case(op, WITH_NAN, [1]),
        case(op, make.normal(2, 2000), [1]),
    ]


def exactly(c, exact):
    """Float sums must not lose digits, however many terms they have."""
    return c.gives(lambda: exact.float()).within(2e-7, 0)


long_rows = make.uniform(3, 70_001)
long_columns = make.uniform(20_001, 3, 5)
for op, exact in (("aten.sum.dim_IntList", torch.sum), ("aten.mean.dim", torch.mean)):
    CASES += [
        exactly(case(op, long_rows, [1]), exact(long_rows.double(), 1)),
        exactly(case(op, long_columns, [0]), exact(long_columns.double(), 0)),
    ]
for dtype in (*INTEGERS, torch.bool):
    values = make.integers(3, 4, low=0, high=4).to(dtype)
    CASES += [
        case("aten.sum.dim_IntList", values, [1]),
        case("aten.sum.default", values),
        case("aten.prod.default", values),
        case("aten.prod.dim_int", values, 0),
        case("aten.cumsum.default", values, 0),
        case("aten.cumprod.default", values, 1),
    ]
CASES += [
    case("aten.sum.dim_IntList", make.integers(40, 300, low=-(2**62), high=2**62), [0]),
    case("aten.sum.dim_IntList", make.bools(3, 1000, 2), [1, 2], True),
    case("aten.cumsum.default", make.bools(3, 70), 1),
    case("aten.cumsum.default", make.integers(4, 5, 6, dtype=torch.int32).permute(2, 0, 1), 1),
    case("aten.sum.default", x),
    case("aten.sum.default", strided),
    case("aten.sum.default", make.integers(4), dtype=torch.float32),
    case("aten.mean.default", x),
    case("aten.mean.default", make.bools(7), dtype=torch.float32),
    case("aten.prod.default", x),
    case("aten.prod.default", torch.empty(0)),
    case("aten.prod.dim_int", x, 1, True),
    case("aten.prod.dim_int", strided, -1),
]

for whole, along_one, along_some in (
    ("aten.any.default", "aten.any.dim", "aten.any.dims"),
    ("aten.all.default", "aten.all.dim", "aten.all.dims"),
):
    for dtype in (torch.bool, torch.float32, torch.int32, torch.uint8):
        values = make.integers(3, 4, 2, low=0, high=2).to(dtype)
        CASES += [
            case(whole, values),
            case(along_one, values, 1),
            case(along_one, values, -1, True),
            case(along_some, values, [0, 2]),
            case(along_some, values, None, True),
        ]
    CASES += [case(whole, torch.empty(0)), case(along_one, WITH_NAN, 1)]
    sparse = torch.zeros(4, 500, dtype=torch.int64)
    sparse[2, 499] = -1
    CASES += [case(along_one, v, 1) for v in (sparse, sparse == 0, sparse.t().contiguous().t())]

for op in ("aten.amax.default", "aten.amin.default"):
    for dims in ALL_DIMS[:-1]:
        CASES += [case(op, x, dims), case(op, strided, dims, True)]
    CASES += [case(op, WITH_NAN, [dim]) for dim in (0, 1)]
    CASES += [case(op, make.integers(3, 4, low=0, dtype=t), [1]) for t in INTEGERS]
    CASES += [case(op, x.to(t), [1]) for t in FLOATS]
for whole, along_one in (("aten.max.default", "aten.max.dim"), ("aten.min.default", "aten.min.dim")):
    CASES += [case(whole, v) for v in (x, strided, WITH_NAN, make.integers(5), make.bools(4))]
    for dim in (0, 1, -1):
        CASES += [case(along_one, x, dim), case(along_one, strided, dim, True)]
    CASES += [
        case(along_one, WITH_NAN, 1),
        case(along_one, make.integers(3, 400).float(), 1),
        case(along_one, make.normal(2, 70, 9), 1),
        case(along_one, torch.tensor([[3, 7, 7, 3], [1, 1, 1, 1]]), 1),
        case(along_one, make.bools(2, 5), 1),
        case(along_one, torch.tensor(4.5), 0),
        case(along_one, make.normal(0, 3), 1),
    ]
for op in ("aten.argmax.default", "aten.argmin.default"):
    for dim in (0, 1, -1, None):
        CASES += [case(op, x, dim), case(op, strided, dim, True)]
    CASES += [
        case(op, WITH_NAN, 1),
        case(op, torch.tensor([3, 7, 7, 3])),
        case(op, make.integers(3, 4, dtype=torch.int32), 0),
        case(op, x.bfloat16(), 1),
    ]

for correction in (None, 0, 1, 2.5):
    for dims in ([1], [0, 2], None):
        CASES += [
            case("aten.var.correction", x, dims, correction=correction),
            case("aten.std.correction", x, dims, correction=correction),
            case("aten.var_mean.correction", strided, dims, correction=correction, keepdim=True),
        ]
CASES += [
    case("aten.var.default", x),
    case("aten.var.default", x, False),
    case("aten.var.dim", x, [1], False, True),
    case("aten.var.dim", x.double(), [0, 1]),
    case("aten.var.correction", make.normal(3, 1), [1]),
    case("aten.var.correction", make.normal(2, 900) + 100, [1]),
    case("aten.std.correction", make.normal(900, 6) + 100, [0]),
    case("aten.var_mean.correction", make.normal(7, 5, 90), [0, 2], correction=0),
    case("aten.var_mean.correction", x.half(), [-1]),
    case("aten.std.correction", x.bfloat16(), [-1]),
    *(case("aten.logsumexp.default", x * 30, dims) for dims in ([0], [1, 2], [-1])),
    case("aten.logsumexp.default", strided, [1], True),
    case("aten.logsumexp.default", torch.tensor([[-INF, -INF], [INF, 0.0], [NAN, 1.0]]), [1]),
    case("aten.logsumexp.default", make.integers(3, 4), [1]),
]

for op in ("aten.cumsum.default", "aten.cumprod.default"):
    CASES += [case(op, v, dim) for v in (x, strided) for dim in (0, 1, -1)]
    CASES += [case(op, x.to(t), 1) for t in FLOATS]
    CASES += [
        case(op, torch.tensor(3.0), 0),
        case(op, make.integers(5, dtype=torch.int8), 0, dtype=torch.float32),
    ]
    CASES += [case(op, torch.empty(0, 2), 0), case(op, make.normal(2, 700), 1)]

for op in ("aten._softmax.default", "aten._log_softmax.default"):
    CASES += [case(op, v, dim, False) for v in (x, strided, x * 40) for dim in (0, 1, -1)]
    CASES += [case(op, x.to(t), -1, False) for t in FLOATS]
    CASES += [case(op, torch.tensor([[0.0, -INF, 2.0], [NAN, 1.0, 2.0]]), 1, False)]
    CASES += [case(op, torch.tensor(1.5), 0, False), case(op, make.normal(3, 1000), 1, False)]
    CASES += [case(op, make.normal(2, 30_000), 1, False), case(op, make.normal(9_000, 3), 0, False)]
for op in ("aten.softmax.int", "aten.log_softmax.int"):
    CASES += [
        case(op, x, -1),
        case(op, x.half(), 1, torch.float32),
        case(op, make.integers(3, 4), 0, torch.float64),
    ]
MASKED = torch.tensor([[0.0, -INF, 2.0], [-INF, -INF, -INF]])
CASES += [
    case("aten._softmax.default", MASKED, 1, False),
    case("aten._safe_softmax.default", MASKED, 1),
    case("aten._safe_softmax.default", x, 1),
]
