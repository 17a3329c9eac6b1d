"""The runner and plumb-verify, which share no code, agree on verdicts and numbers, edge values included."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from plumb.fixture.builder import MethodBuilder
from plumb.package.container import Package, write_package
from plumb.package.program import FORMAT_VERSION, Program
from plumb.verify.compare import compare
from plumb.verify.report import as_json
from plumb_process import plumb, write_floats

EDGES = np.array(
    [
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0x3F800001,
        0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001,
    ],
    dtype=np.uint32,
).view(np.float32)  # fmt: skip
PAIRS = np.array(list(itertools.product(EDGES, EDGES)), dtype=np.float32)
FINITE_PAIRS = PAIRS[np.isfinite(PAIRS).all(axis=1)]


def random_pair(seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    expected = random.standard_normal(100).astype(np.float32)
    noise = random.standard_normal(100) * 10.0 ** random.integers(-8, 0)
    return (expected + noise).astype(np.float32), expected


ties = np.array([1, 2, 2, 2, 0, -0.0, 2, 1], np.float32)
CASES = {
    "all edge pairs": (PAIRS[:, 0], PAIRS[:, 1]),
    "finite edge pairs": (FINITE_PAIRS[:, 0], FINITE_PAIRS[:, 1]),
    "zeros": (np.array([0.0, -0.0], np.float32), np.array([-0.0, 0.0], np.float32)),
    "zero against one": (np.zeros(2, np.float32), np.ones(2, np.float32)),
    "nan everywhere": (np.full(3, np.nan, np.float32), np.full(3, np.nan, np.float32)),
    "equal infinities": (np.array([np.inf, 1], np.float32), np.array([np.inf, 1], np.float32)),
    "ties": (ties, np.roll(ties, 1)),
    "one value": (np.array([1.5], np.float32), np.array([1.5], np.float32)),
    "on the edge": (np.array([1.25, 1.75], np.float32), np.array([1.0, 2.0], np.float32)),
    **{f"random {seed}": random_pair(seed) for seed in range(8)},
}
TOLERANCES = [(0.0, 0.0), (1e-3, 1e-3), (0.0, 0.25), (0.125, 0.0), (0.5, 1e30)]


@pytest.fixture(scope="module")
def constant_package(tmp_path_factory):
    """A program whose output is the given values, whatever bits they have."""

    def make(values: np.ndarray):
        folder = tmp_path_factory.mktemp("constant")
        constants: dict = {}
        graph = MethodBuilder(constants)
        graph.input("x", (1,))
        method = graph.returns(graph.constant("values", "values", values.reshape(1, -1)))
        write_package(str(folder / "p.ptn"), Package(Program(FORMAT_VERSION, [method]), constants))
        return folder / "p.ptn", write_floats(folder / "x.bin", [1.0])

    return make


@pytest.mark.parametrize("case", CASES)
def test_runner_and_verifier_give_the_same_verdict_and_numbers(case, constant_package, tmp_path):
    actual, expected = CASES[case]
    package, x = constant_package(actual)
    reference = write_floats(tmp_path / "reference.bin", expected)
    for rtol, atol in TOLERANCES:
        result = plumb(
            "classify", "--package", package, "--input", x, "--expected", reference,
            "--rtol", repr(rtol), "--atol", repr(atol), "--engine", "reference", "--json",
        )  # fmt: skip
        verified = compare(actual, expected, rtol, atol)
        theirs = json.loads(as_json(verified, actual, expected))
        ours = result.json["comparison"]
        assert result.json["result"] == theirs.pop("result")
        assert result.code == (0 if verified.passed else 3)
        assert (ours["cosine_similarity"] is None) == (theirs["cosine_similarity"] is None)
        if ours["cosine_similarity"] is not None:
            assert ours.pop("cosine_similarity") == pytest.approx(theirs.pop("cosine_similarity"), abs=1e-12)
        assert ours == theirs
