"""Reading and writing at positions held in tensors, joining, and writing slices."""

import torch
from case import FLOATS, INTEGERS, Tensors, case

make = Tensors("indexing")


def positions(*sizes, below, negative=False):
    return make.integers(*sizes, low=-below if negative else 0, high=below)


def permutation(count, size):
    """`count` distinct positions: writes to equal ones have no defined order."""
    return torch.argsort(make.uniform(size))[:count]


x = make.normal(5, 6, 7)
strided = make.normal(7, 5, 6).permute(1, 2, 0)
CASES = []

table = make.normal(11, 9)
CASES += [
    case("aten.embedding.default", table, positions(4, below=11)),
    case("aten.embedding.default", table, positions(2, 3, 5, below=11), 0),
    case("aten.embedding.default", table, positions(3, below=11).to(torch.int32)),
    case("aten.embedding.default", table, torch.tensor(7)),
    case("aten.embedding.default", table.t(), positions(2, 4, below=9)),
    case("aten.embedding.default", table, torch.empty(0, dtype=torch.int64)),
    case("aten.embedding.default", table.to(torch.bfloat16), positions(4, below=11)),
]

for value in (x, strided):
    CASES += [
        case("aten.index.Tensor", value, [positions(4, below=5, negative=True)]),
        case("aten.index.Tensor", value, [None, positions(3, 2, below=6)]),
        case("aten.index.Tensor", value, [None, None, positions(4, below=7)]),
        case("aten.index.Tensor", value, [positions(4, below=5), positions(4, below=6)]),
        case("aten.index.Tensor", value, [positions(3, 1, below=5), positions(4, below=6)]),
        case("aten.index.Tensor", value, [positions(4, below=5), None, positions(4, below=7)]),
        case("aten.index.Tensor", value, [None, positions(2, 1, below=6), positions(3, below=7)]),
        case(
            "aten.index.Tensor",
            value,
            [positions(2, 1, below=5), positions(3, below=6), positions(1, 1, below=7)],
        ),
        case("aten.index.Tensor", value, [torch.tensor(2)]),
        case("aten.index.Tensor", value, [None, torch.tensor(-1), torch.tensor(3)]),
        case("aten.index.Tensor", value, [torch.empty(0, dtype=torch.int64)]),
        case("aten.index_select.default", value, 0, positions(8, below=5)),
        case("aten.index_select.default", value, -1, positions(3, below=7).to(torch.int32)),
        case("aten.index_select.default", value, 1, torch.tensor(4)),
        case("aten.gather.default", value, 0, positions(3, 6, 7, below=5)),
        case("aten.gather.default", value, 1, positions(5, 9, 4, below=6)),
        case("aten.gather.default", value, -1, positions(2, 6, 7, below=7)),
    ]
    rows = permutation(3, 6)
    CASES += [
        case("aten.index_put.default", value, [None, rows], make.normal(5, 3, 7)),
        case("aten.index_put.default", value, [None, rows], make.normal(7)),
        case("aten.index_put.default", value, [rows[:2] % 5, None, permutation(2, 7)], make.normal(2, 6)),
        case("aten.index_put.default", value, [positions(9, below=5)], make.normal(9, 6, 7), True),
        case(
            "aten.index_put.default",
            value,
            [None, positions(4, below=6), positions(4, below=7)],
            torch.tensor(2.0),
            True,
        ),
        case("aten.index_put.default", value, [make.bools(5, 6, 7)], torch.tensor(-1.0)),
        case("aten.index_put.default", value, [make.bools(5, 6)], make.normal(7)),
        case("aten.index_put.default", value, [None, make.bools(6)], torch.tensor(0.5), True),
        case("aten.index_copy.default", value, 1, rows, make.normal(5, 3, 7)),
        case("aten.index_copy.default", value, -1, permutation(7, 7), make.normal(5, 6, 7)),
        case("aten.index_add.default", value, 0, positions(9, below=5), make.normal(9, 6, 7), alpha=0.5),
        case("aten.index_add.default", value, 2, positions(4, below=7), make.normal(5, 6, 4)),
        case(
            "aten.scatter.src",
            value,
            1,
            torch.stack([permutation(4, 6) for _ in range(5)])[:, :, None].repeat(1, 1, 3),
            make.normal(5, 4, 7),
        ),
        case("aten.scatter.value", value, 2, positions(5, 6, 3, below=7), 1.25),
        case("aten.scatter_add.default", value, 0, positions(8, 6, 7, below=5), make.normal(8, 6, 7)),
        case("aten.scatter_add.default", value, 2, positions(5, 6, 9, below=7), make.normal(5, 6, 10)),
        case("aten.select_scatter.default", value, make.normal(5, 7), 1, 2),
        case("aten.select_scatter.default", value, make.normal(5, 6), -1, -2),
        case("aten.slice_scatter.default", value, make.normal(5, 3, 7), 1, 1, 4),
        case("aten.slice_scatter.default", value, make.normal(5, 3, 7), 1, 0, 2**63 - 1, 2),
        case("aten.slice_scatter.default", value, make.normal(2, 6, 7), 0, -2),
        case("aten.slice_scatter.default", value, make.normal(5, 6, 0), 2, 5, 3),
    ]
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    for include_self in (True, False):
        CASES += [
            case(
                "aten.scatter_reduce.two",
                x,
                1,
                positions(5, 8, 7, below=6),
                make.normal(5, 8, 7),
                reduce,
                include_self=include_self,
            )
        ]
CASES += [
    case("aten.scatter_reduce.two", make.integers(6), 0, positions(9, below=6), make.integers(9), "mean"),
    case("aten.index.Tensor", make.normal(6), [positions(2, 2, 2, 2, below=6)]),
    case("aten.gather.default", torch.tensor(2.5), 0, torch.tensor(0)),
    case("aten.scatter.value", make.integers(4, 5), 0, positions(2, 5, below=4), -7),
    case("aten.index_select.default", torch.tensor(2.5), 0, torch.tensor([0])),
    case("aten.index_put.default", x, [positions(2, 1, below=2), torch.tensor([3, -1])], torch.tensor(7.0)),
    case("aten.index_put.default", x.half(), [None, torch.tensor([5, 0])], make.normal(5, 2, 7).half()),
    case("aten.index_put.default", x, [torch.empty(0, dtype=torch.int64)], make.normal(0, 6, 7)),
    # A cache of keys, written at positions that arrive as data.
    case(
        "aten.index_put.default",
        torch.zeros(1, 2, 16, 4),
        [None, None, torch.tensor([3, 4, 5])],
        make.normal(1, 2, 3, 4),
    ),
]
for dtype in FLOATS[1:] + INTEGERS + (torch.bool,):
    data = make.bools(6, 5) if dtype == torch.bool else make.integers(6, 5, low=0, high=100).to(dtype)
    at = positions(4, below=6)
    CASES += [
        case("aten.index.Tensor", data, [at]),
        case("aten.index_select.default", data, 0, at),
        case("aten.gather.default", data, 1, positions(6, 3, below=5)),
        case("aten.cat.default", [data, data], 1),
        case("aten.index_put.default", data, [permutation(2, 6)], data[:2]),
    ]
    if dtype != torch.bool:
        CASES += [
            case("aten.scatter_add.default", data, 0, positions(3, 5, below=6), data[:3]),
            case("aten.index_put.default", data, [permutation(3, 6)], data[:3], True),
        ]

CASES += [
    case("aten.cat.default", [x, make.normal(2, 6, 7), make.normal(1, 6, 7)], 0),
    case("aten.cat.default", [x, strided], 1),
    case("aten.cat.default", [strided, x, strided], -1),
    case("aten.cat.default", [make.normal(3)]),
    case("aten.cat.default", [torch.empty(0), x, torch.empty(5, 0, 7)], 1),
    case("aten.cat.default", [make.integers(3), make.normal(2)]),
    case("aten.cat.default", [make.normal(3).half(), make.normal(2).to(torch.bfloat16)]),
    case("aten.cat.default", [make.normal(1, c, 3, 5) for c in (3, 16, 17, 1)], 1),
    case(
        "aten.cat.default",
        [make.normal(2, c, 3, 5).contiguous(memory_format=torch.channels_last) for c in (8, 5)],
        1,
    ),
    case("aten.stack.default", [x, strided]),
    case("aten.stack.default", [x, strided, x], 2),
    case("aten.stack.default", [x, x], -1),
    case("aten.stack.default", [torch.tensor(1.0), torch.tensor(2.0)]),
    case("aten.stack.default", [make.integers(3), make.integers(3)], 1),
]
