"""The judge: verdicts, statistics and messages at the edges of float32."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from plumb.verify.compare import compare, top_k
from plumb.verify.main import main

NAN, INF = float("nan"), float("inf")
TINY = 1e-45  # the smallest subnormal
MAX = 3.4028234663852886e38


def judged(actual, expected, rtol=0.0, atol=0.0):
    return compare(np.array(actual, np.float32), np.array(expected, np.float32), rtol, atol)


def write(path, values):
    array = np.array(values, np.float32)
    if path.suffix == ".npy":
        np.save(path, array)
    else:
        path.write_bytes(array.tobytes())
    return str(path)


@pytest.mark.parametrize(
    ("actual", "expected", "passes"),
    [
        (1.0, 1.0, True),
        (-0.0, 0.0, True),
        (TINY, 0.0, False),
        (TINY, TINY, True),
        (NAN, NAN, False),
        (NAN, 1.0, False),
        (1.0, NAN, False),
        (INF, INF, False),
        (-INF, -INF, False),
        (INF, MAX, False),
        (MAX, MAX, True),
        (MAX, -MAX, False),
    ],
)
def test_exact_comparison_at_the_edges(actual, expected, passes):
    assert judged([actual], [expected]).passed is passes


def test_the_bound_is_atol_plus_rtol_times_the_expected_magnitude():
    assert judged([1.5], [1.0], atol=0.5).passed
    assert judged([1.5], [1.0], rtol=0.5).passed
    assert judged([-3.0], [-2.0], rtol=0.25, atol=0.5).passed
    assert not judged([np.nextafter(np.float32(1.5), np.float32(2))], [1.0], atol=0.5).passed
    assert not judged([1.0], [1.5], rtol=0.33).passed


def test_the_bound_is_computed_in_double():
    # In float32 the difference would round to 2e-8 times 1e8 = 0, and the bound to 16777216.
    assert not judged([16777216.0], [16777218.0], atol=1.9999999).passed
    assert judged([16777216.0], [16777218.0], atol=2.0).passed


def test_failures_are_counted_and_the_first_is_named():
    result = judged([0, 1, NAN, 9, 4], [0, 1, 2, 3, 4])
    assert (result.failures, result.first_failure) == (2, 2)


def test_worst_errors_leave_out_values_that_are_not_finite():
    result = judged([NAN, 2.0, 5.0, INF], [1.0, 1.0, 4.0, INF])
    assert (result.worst_absolute.index, result.worst_absolute.value) == (1, 1.0)
    assert (result.worst_relative.index, result.worst_relative.value) == (1, 1.0)


def test_the_relative_error_leaves_out_expected_zeros():
    result = judged([5.0, 2.0], [0.0, 4.0])
    assert (result.worst_relative.index, result.worst_relative.value) == (1, 0.5)
    assert judged([5.0], [0.0]).worst_relative is None


def test_nothing_finite_has_no_worst_error():
    result = judged([NAN], [NAN])
    assert (
        result.worst_absolute is None
        and result.worst_relative is None
        and result.max_ulp is None
        and result.cosine is None
    )


@pytest.mark.parametrize(
    ("actual", "expected", "distance"),
    [
        (0.0, -0.0, 0),
        (TINY, 0.0, 1),
        (TINY, -TINY, 2),
        (1.0, np.nextafter(np.float32(1), np.float32(2)), 1),
        (MAX, -MAX, 2 * 0x7F7FFFFF),
    ],
)
def test_ulp_distances(actual, expected, distance):
    assert judged([actual], [expected]).max_ulp == distance


def test_cosine_similarity():
    assert judged([1, 0], [0, 1]).cosine == 0.0
    assert judged([2, 2], [1, 1]).cosine == pytest.approx(1.0)
    assert judged([1, 1], [-1, -1]).cosine == pytest.approx(-1.0)
    assert judged([0, 0], [0, -0.0]).cosine == 1.0
    assert judged([0, 0], [1, 0]).cosine == 0.0
    assert judged([MAX, MAX], [MAX, MAX]).cosine == pytest.approx(1.0)
    assert judged([TINY], [TINY]).cosine == pytest.approx(1.0)
    assert judged([1, NAN], [1, 1]).cosine is None


def test_ties_go_to_the_lowest_index_and_nan_comes_last():
    values = np.array([NAN, 1.0, INF, 1.0, -INF, -0.0, 0.0], np.float32)
    assert top_k(values, 7) == [2, 1, 3, 5, 6, 4, 0]
    assert top_k(np.array([NAN, NAN], np.float32), 5) == [0, 1]


def test_agreement_of_the_top_places():
    result = judged([9, 8, 7, 6, 5, 4], [9, 8, 7, 6, 4, 5], atol=1)
    assert (result.top1_agrees, result.top5_common) == (True, 4)
    assert judged([1, 2], [2, 1]).top1_agrees is False


def test_nothing_compared_passes():
    result = judged([], [])
    assert result.passed and result.count == 0 and result.top1_agrees is None and result.cosine is None


@pytest.mark.parametrize("suffix", [".bin", ".raw", ".f32", ".npy"])
def test_every_file_form_is_read(tmp_path, capsys, suffix):
    actual = write(tmp_path / f"a{suffix}", [[1.0, 2.0]])
    expected = write(tmp_path / "e.bin", [1.0, 2.0])
    assert main([actual, expected]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "PASS"


def test_a_mismatch_is_exit_3_and_names_the_place(tmp_path, capsys):
    assert main([write(tmp_path / "a.bin", [1, 5]), write(tmp_path / "e.bin", [1, 2])]) == 3
    out = capsys.readouterr().out
    assert "failures  1, the first at 1: 5, expected 2" in out
    assert out.splitlines()[-1] == "FAIL"


def test_json_has_strings_for_what_json_cannot_say(tmp_path, capsys):
    assert main([write(tmp_path / "a.bin", [NAN]), write(tmp_path / "e.bin", [-INF]), "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert report["first_failure"] == {"index": 0, "actual": "nan", "expected": "-inf"}
    assert (report["result"], report["worst_absolute_error"], report["cosine_similarity"]) == (
        "FAIL",
        None,
        None,
    )


def test_labels_name_the_top_places(tmp_path, capsys):
    (tmp_path / "labels").write_text("ant\nbee\n")
    actual = write(tmp_path / "a.bin", [1, 2])
    assert main([actual, actual, "--labels", str(tmp_path / "labels")]) == 0
    assert [
        line.split() for line in capsys.readouterr().out.splitlines() if "ant" in line or "bee" in line
    ] == [["2", "bee"], ["1", "ant"]]


def file_errors(tmp_path):
    good = write(tmp_path / "good.bin", [1, 2])
    (tmp_path / "odd.bin").write_bytes(b"12345")
    (tmp_path / "bad.npy").write_bytes(b"no array")
    np.save(tmp_path / "double.npy", np.zeros(2))
    (tmp_path / "labels").write_text("one\n")
    return {
        "cannot read": [str(tmp_path / "none.bin"), good],
        "are no whole number": [str(tmp_path / "odd.bin"), good],
        "is no .npy file": [good, str(tmp_path / "bad.npy")],
        "it holds <f8; expected <f4": [good, str(tmp_path / "double.npy")],
        "expected a file that ends in": [str(tmp_path / "good.txt"), good],
        "expected equally many": [write(tmp_path / "long.bin", [1, 2, 3]), good],
        "has 1 labels; expected 2": [good, good, "--labels", str(tmp_path / "labels")],
    }


def test_file_errors_are_one_line_and_exit_2(tmp_path, capsys):
    for message, arguments in file_errors(tmp_path).items():
        assert main(arguments) == 2, message
        captured = capsys.readouterr()
        assert message in captured.err and len(captured.err.splitlines()) == 1 and captured.out == ""


@pytest.mark.parametrize(
    "option", [["--rtol", "-1"], ["--atol", "nan"], ["--rtol", "inf"], ["--atol", "x"], ["--what"]]
)
def test_wrong_arguments_are_exit_1(tmp_path, capsys, option):
    with pytest.raises(SystemExit) as stop:
        main(["a.bin", "b.bin", *option])
    assert stop.value.code == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_refuses_what_is_no_regular_file(tmp_path, capsys, kind):
    path = tmp_path / "odd.bin"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    assert main([str(path), str(path)]) == 2
    assert capsys.readouterr().err == f"plumb-verify: cannot read {path}: it is no regular file\n"
