"""Finds the plumb binary and runs each family once on each engine."""

from __future__ import annotations

import functools

import pytest
from harness import FamilyPackage, FamilyRun, Target, families

from plumb_process import BIN, isa_names


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", action="append", help="only this engine, or cpu-<isa> (default: all)")


def targets(config: pytest.Config) -> list[Target]:
    found = [Target("reference"), *(Target("cpu", isa) for isa in isa_names())]
    wanted = config.getoption("--target")
    return [target for target in found if not wanted or str(target) in wanted]


@functools.cache
def all_families() -> dict[str, list]:
    return families()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "family" not in metafunc.fixturenames:
        return
    rows = [
        pytest.param(family, index, target, id=f"{target}-{family}-{index}-{case.op}")
        for target in targets(metafunc.config)
        for family, cases in all_families().items()
        for index, case in enumerate(cases)
    ]
    metafunc.parametrize(("family", "index", "target"), rows)


@pytest.fixture(scope="session")
def run_of(tmp_path_factory: pytest.TempPathFactory):
    @functools.cache
    def package(family: str) -> FamilyPackage:
        return FamilyPackage(all_families()[family], tmp_path_factory.mktemp(family))

    @functools.cache
    def run(family: str, target: Target) -> FamilyRun:
        folder = tmp_path_factory.mktemp(f"{family}-{target}")
        return FamilyRun(BIN / "plumb", package(family), target, folder)

    return run
