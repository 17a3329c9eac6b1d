"""The classification runner under each of its names, and tiny packages to run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from plumb.fixture.main import write
from plumb_process import BIN, RUNNER_NAMES, Result, run_process


class Classifier:
    """One way to call the classification runner."""

    def __init__(self, command: list[str], *flags: str):
        self.command = [str(BIN / command[0]), *command[1:]]
        self.flags = flags
        self.program = " ".join(command)

    def __call__(self, *arguments: object, **options) -> Result:
        return run_process(*self.command, *self.flags, *arguments, **options)


def installed_runners() -> list[str]:
    return [name for name in RUNNER_NAMES if (BIN / name).exists()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "classify" not in metafunc.fixturenames:
        return
    ways = [
        pytest.param((["plumb", "classify"], "--engine", engine), id=f"classify-{engine}")
        for engine in ("reference", "cpu")
    ]
    ways += [pytest.param(([name],), id=name) for name in installed_runners()]
    metafunc.parametrize("classify", ways, indirect=True)


@pytest.fixture
def classify(request: pytest.FixtureRequest) -> Classifier:
    """`plumb classify` on each engine, and every runner that is installed."""
    command, *flags = request.param
    return Classifier(command, *flags)


@dataclass(frozen=True)
class Files:
    package: Path
    input: Path
    expected: Path
    labels: Path

    @property
    def required(self) -> tuple[object, ...]:
        return ("--package", self.package, "--input", self.input)


@pytest.fixture(scope="session")
def fixture_of(tmp_path_factory: pytest.TempPathFactory):
    """The files of one kind of `plumb-fixture`; read-only by convention."""
    made: dict[str, Files] = {}

    def get(kind: str) -> Files:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            package = write(kind, folder)
            stem = folder / kind
            inputs = [Path(f"{stem}.input.bin"), Path(f"{stem}.input0.bin")]
            made[kind] = Files(
                package,
                next(path for path in inputs if path.exists()),
                Path(f"{stem}.expected.bin"),
                folder / "labels.txt",
            )
        return made[kind]

    return get


@pytest.fixture
def tiny(fixture_of) -> Files:
    return fixture_of("tiny")
