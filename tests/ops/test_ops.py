"""Every case of every family, on every engine that this machine has."""

from __future__ import annotations

import re

import pytest
import torch
from harness import HERE, Target, families

SOURCES = HERE.parents[1] / "src"
KERNEL_ROW = re.compile(r'^PLUMB_KERNEL\("([^"]+)",\s*"([^"]+)",\s*(kExact|kRounding),', re.MULTILINE)


def declared_exact() -> set[tuple[str, str, str]]:
    """Engine, op and name of every kernel whose row says that it gives the reference's bits."""
    return {
        (path.parent.name, op, name)
        for path in SOURCES.glob("engines/*/kernels.inc")
        for op, name, numerics in KERNEL_ROW.findall(path.read_text())
        if numerics == "kExact"
    }


EXACT = declared_exact()


def same_bits(actual: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether all elements have the same bits; any NaN is as good as another."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return False
    if expected.is_floating_point():
        is_nan = expected.isnan() & actual.isnan()
        actual, expected = actual.masked_fill(is_nan, 0), expected.masked_fill(is_nan, 0)
    return _bytes(actual) == _bytes(expected)


def _bytes(tensor: torch.Tensor) -> bytes:
    # NumPy has no bfloat16.
    return (tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor).numpy().tobytes()


def test_gives_what_pytorch_gives(family, index, target, run_of):
    run = run_of(family, target)
    case = run.package.cases[index]
    if index in run.errors:
        pytest.fail(f"{case.op}{case.args}{case.kwargs}: {run.errors[index]}")
    for actual, expected in zip(run.outputs(index), case.expected(), strict=True):
        torch.testing.assert_close(
            actual, expected, rtol=case.rtol, atol=case.atol, equal_nan=True, check_stride=False
        )


def test_exact_kernels_give_the_bits_of_the_reference(exact_family, exact_target, run_of):
    run = run_of(exact_family, exact_target)
    reference = run_of(exact_family, Target("reference"))
    wrong = []
    for index, case in enumerate(run.package.cases):
        if index in run.errors or index in reference.errors:
            continue  # test_gives_what_pytorch_gives fails there
        # Copies of the plan and the reference's own kernels have its bits by definition.
        kernels = {kernel for kernel in run.kernels(index) if kernel[0] == exact_target.engine}
        if kernels <= EXACT and not all(map(same_bits, run.outputs(index), reference.outputs(index))):
            wrong.append(f"case {index}, {case.op}: {sorted(kernels)}")
    assert not wrong, "\n".join(wrong)


def test_the_rows_of_exact_kernels_are_found():
    assert ("cpu", "aten.relu.default", "relu_float") in EXACT
    assert ("cpu", "plumb.linear", "linear_packed") not in EXACT


def test_every_kernel_has_a_case():
    kernels = {
        op
        for path in SOURCES.glob("engines/*/kernels.inc")
        for op, _, _ in KERNEL_ROW.findall(path.read_text())
    }
    tested = {case.op for cases in families().values() for case in cases}
    assert kernels and not kernels - tested
