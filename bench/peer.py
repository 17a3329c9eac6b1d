"""One peer engine in a process of its own, driven over stdin and stdout by compare.py.

Prints a JSON line when it has loaded, then answers each line "N" with the times of N runs in milliseconds.
Its memory is what it took beyond its imports: Python and the library's own code do not count against it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np


def status_kib(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise LookupError(field)


def load_onnxruntime(stem: Path, threads: int, inputs: list[np.ndarray]) -> Callable[[], np.ndarray]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(f"{stem}.onnx", options, providers=["CPUExecutionProvider"])
    feed = dict(zip([i.name for i in session.get_inputs()], inputs, strict=True))
    return lambda: session.run(None, feed)[0]


def load_torch(stem: Path, threads: int, inputs: list[np.ndarray]) -> Callable[[], np.ndarray]:
    import torch

    from plumb.zoo.registry import build

    torch.set_num_threads(threads)
    model = build(stem.name).model
    tensors = [torch.from_numpy(array) for array in inputs]

    def run() -> np.ndarray:
        with torch.inference_mode():
            return model(*tensors).numpy()

    return run


LOADERS = {"onnxruntime": load_onnxruntime, "torch": load_torch}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=LOADERS)
    parser.add_argument("stem", type=Path)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--inputs", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()

    answers, sys.stdout = sys.stdout, sys.stderr  # what models print while they are built is no answer
    inputs = [np.load(path) for path in arguments.inputs]
    __import__(arguments.engine)
    before = status_kib("VmRSS")
    start = time.perf_counter()
    run = LOADERS[arguments.engine](arguments.stem, arguments.threads, inputs)
    output = run()
    first_result = time.perf_counter() - start
    expected = np.load(f"{arguments.stem}.expected.npy")
    memory = status_kib("VmHWM") - before
    report = {
        "first_result_ms": first_result * 1e3,
        "memory_mib": memory / 1024,
        "error": float(np.abs(output - expected).max()),
    }
    print(json.dumps(report), file=answers, flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            run()
            times.append((time.perf_counter() - start) * 1e3)
        print(json.dumps(times), file=answers, flush=True)


if __name__ == "__main__":
    main()
