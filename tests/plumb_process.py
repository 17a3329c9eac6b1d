"""Running the plumb binary and its other names as processes; for all tests."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(os.environ.get("PLUMB_BIN_DIR", ROOT / "build/dev/bin"))
RUNNER_NAMES = ("run_classification", "run_classification_cpu", "run_classification_ggml_cpu")


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line on stderr."""
        assert self.err.count("\n") == 1, self.err
        return self.err

    @property
    def json(self) -> dict:
        return json.loads(self.out)


def run_process(*arguments: object, preexec=None, **options) -> Result:
    done = subprocess.run(
        [str(argument) for argument in arguments],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
        preexec_fn=preexec,
        **options,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def plumb(*arguments: object, **options) -> Result:
    return run_process(BIN / "plumb", *arguments, **options)


@functools.cache
def engine_targets() -> list[tuple[str, str]]:
    """Engine and instruction set ("" where there is none to choose) of all that works on this machine."""
    done = plumb("engines", "--json")
    assert done.code == 0, done.err
    targets = []
    for engine in done.json["engines"]:
        if not engine["available"]:
            continue
        isas = [isa["name"] for isa in engine.get("isas", []) if isa["available"]]
        targets += [(engine["name"], isa) for isa in isas or [""]]
    return targets


def engine_names() -> list[str]:
    """The engines that work on this machine."""
    return list(dict.fromkeys(engine for engine, _ in engine_targets()))


def engine_arguments(engine: str, isa: str) -> list[str]:
    return ["--engine", engine] + (["--isa", isa] if isa else [])


def write_floats(path: Path, values) -> Path:
    np.asarray(values, dtype="<f4").tofile(path)
    return path
