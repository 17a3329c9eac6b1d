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
def isa_names() -> list[str]:
    """The instruction sets of the cpu engine that this machine has, worst first."""
    flags: set[str] = set()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":", 1)[1].split())
    names = ["portable"]
    if {"avx2", "fma"} <= flags:
        names.append("avx2")
    if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
        names.append("avx512")
    return names


def write_floats(path: Path, values) -> Path:
    np.asarray(values, dtype="<f4").tofile(path)
    return path
