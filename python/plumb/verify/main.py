"""Judges a dump of float32 values against a reference.

Exit codes: 0 PASS, 3 FAIL, 2 a file error, 1 wrong arguments.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np

from plumb.command import EXIT_FAILURE, EXIT_MISMATCH, EXIT_OK, Parser
from plumb.verify.compare import compare
from plumb.verify.load import LoadError, load, require_regular_file
from plumb.verify.report import as_json, as_text


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no tolerance; expected a finite number, 0 or more")
    return value


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="plumb-verify", description=__doc__)
    parser.add_argument(
        "actual", type=Path, metavar="ACTUAL", help="a .npy file, or raw float32 (.bin, .raw, .f32)"
    )
    parser.add_argument("expected", type=Path, metavar="EXPECTED", help="the reference, in either form")
    parser.add_argument(
        "--rtol", type=_tolerance, default=1e-3, metavar="X", help="relative tolerance (default 1e-3)"
    )
    parser.add_argument(
        "--atol", type=_tolerance, default=1e-3, metavar="X", help="absolute tolerance (default 1e-3)"
    )
    parser.add_argument("--labels", type=Path, metavar="F", help="class names, one a line: prints the top 5")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        actual, expected = load(options.actual), load(options.expected)
        if actual.size != expected.size:
            raise LoadError(
                f"{options.actual} has {actual.size} values and {options.expected} has {expected.size}; "
                f"expected equally many"
            )
        labels = _labels(options.labels, actual.size) if options.labels else None
        code = _judge(actual, expected, labels, options)
        sys.stdout.flush()
    except LoadError as error:
        return _failure(str(error))
    except OSError as error:  # reading is over: this is the output
        sys.stdout = None  # nothing is left to flush at exit
        return _failure(f"cannot write the result: {error.strerror}")
    return code


def _failure(message: str) -> int:
    print(f"plumb-verify: {message}", file=sys.stderr)
    return EXIT_FAILURE


def _judge(
    actual: np.ndarray, expected: np.ndarray, labels: list[str] | None, options: argparse.Namespace
) -> int:
    result = compare(actual, expected, options.rtol, options.atol)
    print(as_json(result, actual, expected) if options.json else as_text(result, actual, expected, labels))
    return EXIT_OK if result.passed else EXIT_MISMATCH


def _labels(path: Path, count: int) -> list[str]:
    require_regular_file(path)
    try:
        labels = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"cannot read {path}: {error}") from error
    if len(labels) != count:
        raise LoadError(f"{path} has {len(labels)} labels; expected {count}")
    return labels


if __name__ == "__main__":
    sys.exit(main())
