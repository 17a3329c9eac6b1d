"""Finds the plumb binary and runs each family once on each engine."""

from __future__ import annotations

import functools

import pytest
from harness import FamilyPackage, FamilyRun, Target, families

from plumb_process import BIN, engine_targets


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", action="append", help="only this engine, or <engine>-<isa> (default: all)")


def targets(config: pytest.Config) -> list[Target]:
    found = [Target(engine, isa) for engine, isa in engine_targets()]
    wanted = config.getoption("--target")
    return [target for target in found if not wanted or str(target) in wanted]


@functools.cache
def all_families() -> dict[str, list]:
    return families()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "exact_family" in metafunc.fixturenames:
        others = [target for target in targets(metafunc.config) if target.engine != "reference"]
        metafunc.parametrize("exact_target", others, ids=str)
        metafunc.parametrize("exact_family", all_families())
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
