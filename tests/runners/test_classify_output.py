"""What a classification run prints, for people and as JSON."""

from __future__ import annotations

import math

import numpy as np

from plumb_process import write_floats


def softmax(logits):
    shifted = np.exp(logits.astype(np.float64) - logits.max())
    return shifted / shifted.sum()


def test_prints_the_whole_story(classify, tiny):
    result = classify(*tiny.required, "--expected", tiny.expected, "--categories", tiny.labels)
    assert result.code == 0
    assert result.err == ""
    names = [line.split()[0] for line in result.out.splitlines() if line and not line.startswith(" ")]
    expected = "package engine method constants load compile input output run top argmax comparison result"
    assert names == expected.split()
    assert result.out.splitlines()[-1].split() == ["result", "PASS"]
    assert "float32[1, 3, 8, 8]" in result.out and "float32[1, 10]" in result.out


def test_without_a_reference_it_ran(classify, tiny):
    result = classify(*tiny.required)
    assert result.code == 0
    assert result.out.splitlines()[-1].split(maxsplit=1) == ["result", "ran (no reference given)"]
    assert "comparison" not in result.out


def test_top_five_argmax_and_probabilities(classify, tiny):
    report = classify(*tiny.required, "--categories", tiny.labels, "--json").json
    logits = np.fromfile(tiny.expected, "<f4")
    order = np.argsort(-logits, kind="stable")
    labels = tiny.labels.read_text().splitlines()
    assert [row["index"] for row in report["top"]] == order[:5].tolist()
    assert [row["label"] for row in report["top"]] == [labels[i] for i in order[:5]]
    np.testing.assert_allclose(
        [row["probability"] for row in report["top"]], softmax(logits)[order[:5]], rtol=1e-4
    )
    np.testing.assert_allclose([row["logit"] for row in report["top"]], logits[order[:5]], rtol=1e-4)
    assert report["argmax"] == order[0]


def test_labels_come_from_the_package_unless_given(classify, tiny, tmp_path):
    report = classify(*tiny.required, "--json").json
    labels = tiny.labels.read_text().splitlines()
    assert report["top"][0]["label"] == labels[report["argmax"]]
    own = tmp_path / "own.txt"
    own.write_bytes(b"\r\n".join(b"class %d" % i for i in range(10)) + b"\r\n")
    report = classify(*tiny.required, "--categories", own, "--json").json
    assert report["top"][0]["label"] == f"class {report['argmax']}"


def test_json_is_one_object_of_known_keys(classify, tiny, tmp_path):
    dump = tmp_path / "out.bin"
    result = classify(*tiny.required, "--expected", tiny.expected, "--dump_output", dump, "--json")
    assert result.code == 0 and result.err == ""
    report = result.json
    assert list(report) == [
        "package",
        "engine",
        "engine_description",
        "threads",
        "method",
        "constants",
        "load_ms",
        "compile_ms",
        "input",
        "input_shape",
        "output_shape",
        "run_ms",
        "top",
        "argmax",
        "classes",
        "non_finite",
        "expected",
        "comparison",
        "dump",
        "result",
        "exit_code",
    ]
    assert report["package"] == str(tiny.package)
    assert report["engine"] in ("cpu", "reference")
    assert report["engine_description"].startswith(report["engine"] + " (")
    assert report["constants"] == 4
    assert report["classes"] == 10
    assert report["dump"] == str(dump)
    assert report["result"] == "PASS" and report["exit_code"] == 0
    assert min(report["load_ms"], report["compile_ms"], report["run_ms"]) >= 0
    assert list(report["comparison"]) == [
        "count",
        "rtol",
        "atol",
        "failures",
        "first_failure",
        "worst_absolute_error",
        "worst_relative_error",
        "max_ulp_distance",
        "cosine_similarity",
        "top1_agrees",
        "top5_common",
    ]


def test_a_mismatch_tells_the_first_place(classify, tiny, tmp_path):
    wrong = np.fromfile(tiny.expected, "<f4")
    wrong[3] += 1
    wrong[7] -= 1
    reference = write_floats(tmp_path / "wrong.bin", wrong)
    result = classify(*tiny.required, "--expected", reference, "--json")
    assert result.code == 3
    assert result.json["result"] == "FAIL" and result.json["exit_code"] == 3
    assert result.json["comparison"]["failures"] == 2
    assert result.json["comparison"]["first_failure"]["index"] == 3
    text = classify(*tiny.required, "--expected", reference).out
    assert "2 of 10 differ" in text and "first at 3" in text


def test_tolerances_decide(classify, tiny, tmp_path):
    shifted = write_floats(tmp_path / "shifted.bin", np.fromfile(tiny.expected, "<f4") + 0.25)
    for atol, code in ((0.2, 3), (0.3, 0)):
        assert classify(*tiny.required, "--expected", shifted, "--rtol", "0", "--atol", atol).code == code


def test_outputs_that_are_not_finite_are_counted_and_json_stays_json(classify, fixture_of):
    files = fixture_of("special-values")
    result = classify(*files.required, "--json")
    assert result.code == 0
    assert result.json["non_finite"] == 5
    for row in result.json["top"]:
        assert row["probability"] is None or math.isfinite(row["probability"])
    assert "non-finite" in classify(*files.required).out


def test_an_empty_output_has_no_argmax(classify, fixture_of):
    report = classify(*fixture_of("empty-output").required, "--json").json
    assert report["top"] == [] and report["argmax"] is None


def test_explain_prints_the_plan(classify, tiny):
    assert "convolution" in classify(*tiny.required, "--explain").out
    assert "convolution" in classify(*tiny.required, "--explain", "--json").json["plan"]


def test_npy_input_and_reference_give_the_same_verdict(classify, tiny, tmp_path):
    np.save(tmp_path / "input.npy", np.fromfile(tiny.input, "<f4").reshape(1, 3, 8, 8))
    np.save(tmp_path / "reference.npy", np.fromfile(tiny.expected, "<f4").reshape(1, 10))
    result = classify(
        "--package", tiny.package, "--input", tmp_path / "input.npy", "--expected", tmp_path / "reference.npy"
    )
    assert result.code == 0
    assert "PASS" in result.out


def test_a_method_is_chosen_by_name(classify, fixture_of):
    files = fixture_of("multi-method")
    x = np.fromfile(files.input, "<f4")
    offset = np.fromfile(files.expected, "<f4") - x
    for method, expected in (("forward", x + offset), ("subtract", x - offset)):
        report = classify(*files.required, "--method", method, "--json").json
        assert report["method"] == method
        logits = {row["index"]: row["logit"] for row in report["top"]}
        np.testing.assert_allclose([logits[i] for i in range(4)], expected, rtol=1e-6)


def test_two_runs_give_the_same_bits(classify, tiny, tmp_path):
    for name in ("first", "second"):
        assert classify(*tiny.required, "--dump_output", tmp_path / name).code == 0
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
