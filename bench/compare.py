"""plumb, ONNX Runtime and PyTorch side by side on the same models, inputs and cores.

The engines take turns in short rounds, so that a machine whose speed drifts is unfair to none; the time of an
engine is the minimum over all rounds. Outputs are checked against PyTorch eager before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PLUMB = ROOT / "build/release/bin/plumb"
MODELS = ROOT / "build/models"
DEFAULT_MODELS = ["efficientnet_lite0", "mobilenet_v2", "resnet50", "convnext_tiny", "vit_small"]
PEERS = ["onnxruntime", "torch"]
LEGEND = """run: the minimum over all rounds. 1st result: from the file on disk to the first output (torch:
from building the module in Python). Memory: plumb's whole process; for the others what they took beyond their
imports."""


@dataclass
class Result:
    first_result_ms: float
    memory_mib: float
    error: float
    best_ms: float = float("inf")


def input_paths(stem: Path) -> list[Path]:
    single = Path(f"{stem}.input.npy")
    return [single] if single.exists() else sorted(stem.parent.glob(f"{stem.name}.input?.npy"))


def export_onnx(stem: Path) -> None:
    """The model as ONNX Runtime's users get it: torch.onnx with constants folded."""
    if Path(f"{stem}.onnx").exists():
        return
    import torch

    from plumb.zoo.registry import build

    example = build(stem.name)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(example.model, example.inputs, f"{stem}.onnx", dynamo=False, opset_version=17)


class Peer:
    """A peer engine in its own process."""

    def __init__(self, engine: str, stem: Path, threads: int):
        command = [
            sys.executable,
            ROOT / "bench/peer.py",
            engine,
            stem,
            "--threads",
            str(threads),
            "--inputs",
        ]
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(
            [*map(str, command), *map(str, input_paths(stem))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        self.result = Result(**self._answer())

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{' '.join(self.process.args)} ended with exit code {self.process.wait()}")
        return json.loads(line)

    def round(self, runs: int) -> None:
        print(runs, file=self.process.stdin, flush=True)
        self.result.best_ms = min(self.result.best_ms, *self._answer())

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Plumb:
    """plumb's own command line; each round is a process that loads the package again."""

    def __init__(self, stem: Path, threads: int):
        self.stem = stem
        self.threads = threads
        self.result = Result(float("inf"), 0.0, self._error())

    def _error(self) -> float:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            inputs = ",".join(map(str, input_paths(self.stem)))
            run = ["run", "--package", f"{self.stem}.ptn", "--inputs", inputs, "--outputs", str(out)]
            subprocess.run(
                [PLUMB, *run, "--threads", str(self.threads)], check=True, stdout=subprocess.DEVNULL
            )
            return float(np.abs(np.load(out / "out0.npy") - np.load(f"{self.stem}.expected.npy")).max())

    def round(self, runs: int) -> None:
        command = [PLUMB, "bench", f"{self.stem}.ptn", "--json", "--threads", self.threads, "--repeat", runs]
        done = subprocess.run(
            [*map(str, command), "--warmup", "1"], check=True, stdout=subprocess.PIPE, text=True
        )
        report = json.loads(done.stdout)
        result = self.result
        first_result = report["load_ms"] + report["compile_ms"] + report["first_ms"]
        result.best_ms = min(result.best_ms, report["min_ms"])
        result.first_result_ms = min(result.first_result_ms, first_result)
        result.memory_mib = max(result.memory_mib, report["peak_bytes"] / 2**20)

    def close(self) -> None:
        pass


def measure(stem: Path, threads: int, rounds: int) -> dict[str, Result]:
    engines = {"plumb": Plumb(stem, threads), **{peer: Peer(peer, stem, threads) for peer in PEERS}}
    runs = {}
    for name, engine in engines.items():
        engine.round(2)
        runs[name] = max(3, int(400 / engine.result.best_ms))  # about 0.4 s a round
    for _ in range(rounds):
        for name, engine in engines.items():
            engine.round(runs[name])
    for engine in engines.values():
        engine.close()
    return {name: engine.result for name, engine in engines.items()}


def print_table(rows: list[tuple[str, int, dict[str, Result]]]) -> None:
    print(
        f"{'model':<20}{'threads':>8}{'engine':>14}{'run ms':>10}{'plumb÷it':>10}{'1st result ms':>15}"
        f"{'memory MiB':>12}{'largest error':>15}"
    )
    for model, threads, results in rows:
        for engine, r in results.items():
            ratio = results["plumb"].best_ms / r.best_ms
            print(
                f"{model:<20}{threads:>8}{engine:>14}{r.best_ms:>10.2f}{ratio:>10.2f}{r.first_result_ms:>15.0f}"
                f"{r.memory_mib:>12.0f}{r.error:>15.1e}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("--models", nargs="+", default=DEFAULT_MODELS, metavar="NAME")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], metavar="N")
    parser.add_argument(
        "--rounds", type=int, default=8, metavar="N", help="rounds of about 0.4 s for each engine"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.models:
        stem = MODELS / name
        export_onnx(stem)
        for threads in arguments.threads:
            rows.append((name, threads, measure(stem, threads, arguments.rounds)))
            print(f"measured {name}, {threads} thread{'s' if threads > 1 else ''}", file=sys.stderr)
    print_table(rows)
    print(f"\n{LEGEND}")
    if arguments.json:
        figures = [
            {"model": model, "threads": threads, "engine": engine, **vars(result)}
            for model, threads, results in rows
            for engine, result in results.items()
        ]
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
