"""Whole models against PyTorch eager, on every engine and instruction set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plumb.zoo.registry import MODELS as ZOO
from plumb_process import engine_arguments, engine_names, engine_targets
from plumb_process import plumb as run_plumb

TOLERANCES = ["--rtol", "1e-4", "--atol", "1e-4"]


def inputs_of(package: Path) -> str:
    """The value of --inputs for a package of the zoo."""
    stem = package.with_suffix("")
    single = Path(f"{stem}.input.npy")
    paths = [single] if single.exists() else sorted(stem.parent.glob(f"{stem.name}.input?.npy"))
    return ",".join(map(str, paths))


def run_model(package, folder, *options):
    """Runs a package of the zoo; its first output."""
    done = run_plumb(
        "run", "--package", package, "--inputs", inputs_of(package), "--outputs", folder, *options
    )
    assert done.code == 0, done.err + done.out
    return np.load(folder / "out0.npy")


def assert_close(package, actual):
    expected = np.load(package.with_suffix("").with_suffix(".expected.npy"))
    assert actual.shape == expected.shape
    assert np.isfinite(actual).all()
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("engine", "isa"), engine_targets())
@pytest.mark.parametrize("name", ZOO)
def test_every_engine_and_instruction_set_matches_pytorch(exported, tmp_path, name, engine, isa):
    package = exported(name)
    assert_close(package, run_model(package, tmp_path / "out", *engine_arguments(engine, isa)))


@pytest.mark.parametrize("name", ZOO)
def test_cpu_with_its_own_choice_of_instruction_set_matches_pytorch(exported, tmp_path, name):
    package = exported(name)
    assert_close(package, run_model(package, tmp_path / "out", "--engine", "cpu"))


@pytest.mark.parametrize("name", ZOO)
def test_cpu_gives_the_same_bits_for_one_two_and_three_threads_and_repeats(exported, tmp_path, name):
    package = exported(name)
    results = [
        run_model(
            package,
            tmp_path / str(threads),
            "--engine",
            "cpu",
            "--threads",
            threads,
            "--repeat",
            3,
            "--require-identical",
        )
        for threads in (1, 2, 3)
    ]
    for result in results[1:]:
        assert result.tobytes() == results[0].tobytes()


@pytest.mark.parametrize("engine", engine_names())
def test_the_official_exporters_package_gives_the_same_verdict(exported, tmp_path, engine):
    pytest.importorskip("executorch")
    ours = exported("efficientnet_lite0")
    official = exported("efficientnet_lite0", official=True)
    for package in (ours, official):
        done = run_plumb(
            "classify", "--package", package, "--engine", engine,
            "--input", f"{package.with_suffix('')}.input.npy",
            "--expected", f"{package.with_suffix('')}.expected.npy", *TOLERANCES,
        )  # fmt: skip
        assert done.code == 0, done.err + done.out
        assert "PASS" in done.out


@pytest.mark.parametrize("name", ["efficientnet_lite0", "resnet50", "vit_small"])
def test_classify_passes_at_1e_4(exported, name):
    package = exported(name)
    stem = package.with_suffix("")
    done = run_plumb(
        "classify",
        "--package",
        package,
        "--input",
        f"{stem}.input.npy",
        "--expected",
        f"{stem}.expected.npy",
        *TOLERANCES,
    )
    assert done.code == 0, done.err + done.out
    assert "PASS" in done.out


@pytest.mark.parametrize("name", ZOO)
def test_inspect_finds_every_op_runnable_on_every_engine(exported, name):
    done = run_plumb("inspect", exported(name), "--json")
    assert done.code == 0, done.err
    methods = done.json["methods"]
    assert methods
    for method in methods:
        blockers = {engine["name"]: engine["blockers"] for engine in method["engines"] if not engine["runs"]}
        assert blockers == {}, method["name"]
        assert {engine["name"] for engine in method["engines"]} >= set(engine_names())
