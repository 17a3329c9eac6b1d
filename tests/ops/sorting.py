"""sort, argsort and topk: both directions, every dimension, ties, NaN, every dtype."""

import torch
from case import FLOATS, INF, INTEGERS, NAN, Tensors, case

make = Tensors("sorting")


def distinct(*sizes, dtype=torch.float32):
    """Without ties, whose order topk and unstable sorts leave open."""
    count = torch.Size(sizes).numel()
    return (torch.argsort(make.uniform(count)) - count // 2).reshape(sizes).to(dtype)


CASES = []
x = distinct(4, 17, 5)
strided = distinct(5, 4, 17).permute(1, 2, 0)
for value in (x, strided):
    for dim in (0, 1, -1):
        for descending in (False, True):
            CASES += [
                case("aten.sort.default", value, dim, descending),
                case("aten.argsort.default", value, dim, descending),
                case("aten.topk.default", value, 3, dim, descending),
            ]
specials = torch.tensor([3.0, NAN, -INF, INF, 1.0, -2.0])
ties = make.integers(3, 70, low=0, high=4)
for descending in (False, True):
    CASES += [
        case("aten.sort.default", specials, 0, descending),
        case("aten.topk.default", specials, 4, 0, descending),
        case("aten.sort.stable", ties, stable=True, dim=1, descending=descending),
        case("aten.sort.stable", ties.float(), stable=True, dim=0, descending=descending),
        case("aten.argsort.stable", ties, stable=True, dim=1, descending=descending),
        case("aten.sort.stable", make.bools(9), stable=True, dim=0, descending=descending),
    ]
for dtype in FLOATS + INTEGERS:
    value = distinct(3, 31, dtype=dtype)
    if dtype not in (torch.float16, torch.bfloat16):
        CASES += [case("aten.sort.stable", value, stable=True, dim=-1)]
    CASES += [case("aten.topk.default", distinct(2, 31, dtype=dtype), 5)]
CASES += [
    case("aten.sort.default", torch.tensor(2.5)),
    case("aten.topk.default", torch.tensor(2.5), 1),
    case("aten.sort.default", torch.empty(0, 3), 0),
    case("aten.topk.default", x, 0),
    case("aten.topk.default", x, 17, 1),
    case("aten.topk.default", distinct(1, 1000), 5),
    case("aten.sort.default", torch.tensor([2**62 + 1, 2**62, -1])),
]
