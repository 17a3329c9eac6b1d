"""Every case of every family, on every engine that this machine has."""

from __future__ import annotations

import re

import pytest
import torch
from harness import HERE, families

SOURCES = HERE.parents[1] / "src"


def test_gives_what_pytorch_gives(family, index, target, run_of):
    run = run_of(family, target)
    case = run.package.cases[index]
    if index in run.errors:
        pytest.fail(f"{case.op}{case.args}{case.kwargs}: {run.errors[index]}")
    for actual, expected in zip(run.outputs(index), case.expected(), strict=True):
        torch.testing.assert_close(
            actual, expected, rtol=case.rtol, atol=case.atol, equal_nan=True, check_stride=False
        )


def test_every_kernel_has_a_case():
    rows = [
        re.match(r'PLUMB_KERNEL\("([^"]+)"', line)
        for path in SOURCES.glob("engines/*/kernels.inc")
        for line in path.read_text().splitlines()
    ]
    kernels = {row.group(1) for row in rows if row}
    tested = {case.op for cases in families().values() for case in cases}
    assert kernels and not kernels - tested
