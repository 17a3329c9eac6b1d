"""Files that are missing, wrong or unreadable: exit code 2, one line, no dump."""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest

from plumb_process import write_floats


def assert_refused(result, dump, *words):
    assert result.code == 2
    for word in words:
        assert str(word) in result.error
    assert not dump.exists()


@pytest.fixture
def dump(tmp_path):
    return tmp_path / "out.bin"


def test_a_missing_reference_leaves_no_dump(classify, tiny, tmp_path, dump):
    missing = tmp_path / "missing.bin"
    result = classify(*tiny.required, "--expected", missing, "--dump_output", dump)
    assert_refused(result, dump, missing, "No such file")


@pytest.mark.parametrize("count", [0, 9, 11])
def test_a_reference_of_the_wrong_length_leaves_no_dump(classify, tiny, tmp_path, dump, count):
    reference = write_floats(tmp_path / "reference.bin", np.zeros(count))
    result = classify(*tiny.required, "--expected", reference, "--dump_output", dump)
    assert_refused(result, dump, reference, f"{count} values", "float32[1, 10]", "40 bytes")


def test_a_reference_that_is_no_whole_number_of_floats_is_refused(classify, tiny, tmp_path, dump):
    reference = tmp_path / "reference.bin"
    reference.write_bytes(bytes(41))
    result = classify(*tiny.required, "--expected", reference, "--dump_output", dump)
    assert_refused(result, dump, reference, "41 bytes")


def test_a_reference_of_another_dtype_is_refused(classify, tiny, tmp_path, dump):
    np.save(tmp_path / "reference.npy", np.zeros((1, 10)))
    result = classify(*tiny.required, "--expected", tmp_path / "reference.npy", "--dump_output", dump)
    assert_refused(result, dump, "float64", "expected float32")


def test_the_reference_and_the_labels_are_read_before_the_package(classify, tiny, tmp_path, dump):
    broken = tmp_path / "broken.ptn"
    broken.write_bytes(b"not a package")
    for flag in ("--expected", "--categories"):
        arguments = (
            "--package",
            broken,
            "--input",
            tiny.input,
            flag,
            tmp_path / "missing",
            "--dump_output",
            dump,
        )
        assert_refused(classify(*arguments), dump, tmp_path / "missing")


@pytest.mark.parametrize("flag", ["--package", "--input", "--categories"])
def test_a_missing_file_is_named(classify, tiny, tmp_path, dump, flag):
    arguments = {"--package": tiny.package, "--input": tiny.input, flag: tmp_path / "missing.bin"}
    result = classify(*[part for pair in arguments.items() for part in pair], "--dump_output", dump)
    assert_refused(result, dump, tmp_path / "missing.bin", "No such file")


def test_labels_must_be_one_a_class(classify, tiny, tmp_path, dump):
    labels = tmp_path / "labels.txt"
    labels.write_text("ant\nbee\n")
    result = classify(*tiny.required, "--categories", labels, "--dump_output", dump)
    assert_refused(result, dump, labels, "2 labels", "10 classes")


@pytest.mark.parametrize("count", [0, 1, 191, 193, 384])
def test_an_input_of_the_wrong_length_tells_the_expected_shape_and_bytes(
    classify, tiny, tmp_path, dump, count
):
    path = write_floats(tmp_path / "input.bin", np.zeros(count))
    result = classify("--package", tiny.package, "--input", path, "--dump_output", dump)
    assert_refused(result, dump, path, f"{4 * count} bytes", "float32[1, 3, 8, 8]", "768 bytes")


def test_an_npy_input_of_another_shape_or_dtype_is_refused(classify, tiny, tmp_path, dump):
    path = tmp_path / "input.npy"
    for array in (np.zeros((1, 8, 8, 3), np.float32), np.zeros((1, 3, 8, 8)), np.zeros(192, np.float32)):
        np.save(path, array)
        result = classify("--package", tiny.package, "--input", path, "--dump_output", dump)
        assert_refused(result, dump, path, "float32[1, 3, 8, 8]")


@pytest.mark.parametrize(("value", "shown"), [(np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")])
def test_a_pixel_that_is_not_finite_is_refused_with_its_place_and_value(
    classify, tiny, tmp_path, dump, value, shown
):
    pixels = np.zeros((1, 3, 8, 8), np.float32)
    pixels[0, 2, 3, 5] = value
    path = write_floats(tmp_path / "input.bin", pixels)
    result = classify("--package", tiny.package, "--input", path, "--dump_output", dump)
    assert_refused(result, dump, path, f"pixel at [0, 2, 3, 5] is {shown}")


@pytest.mark.parametrize("name", ["picture.jpg", "picture.png"])
@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"])
def test_an_unreadable_image_is_named(classify, tiny, tmp_path, dump, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    result = classify("--package", tiny.package, "--input", path, "--scale", "1", "--dump_output", dump)
    assert_refused(result, dump, f"cannot decode {path}")


def test_an_input_of_unknown_extension_is_refused(classify, tiny, tmp_path, dump):
    path = tmp_path / "input.txt"
    path.write_bytes(bytes(768))
    result = classify("--package", tiny.package, "--input", path, "--dump_output", dump)
    assert_refused(result, dump, path, ".npy")


def test_a_wrong_method_name_lists_the_methods(classify, fixture_of, dump):
    result = classify(*fixture_of("multi-method").required, "--method", "backward", "--dump_output", dump)
    assert_refused(result, dump, "backward", "forward", "subtract")


def test_an_operator_that_no_engine_has_is_named(classify, fixture_of, dump):
    result = classify(*fixture_of("unknown-op").required, "--dump_output", dump)
    assert_refused(result, dump, "no_such_op")


def test_a_method_with_two_inputs_is_no_classifier(classify, fixture_of, dump):
    result = classify(*fixture_of("two-inputs").required, "--dump_output", dump)
    assert_refused(result, dump, "2 inputs")


def test_a_batch_of_two_is_no_classification(classify, fixture_of, dump):
    result = classify(*fixture_of("dynamic").required, "--dump_output", dump)
    assert_refused(result, dump, "float32[2, 10]")


def test_an_error_message_stays_on_one_line(classify, tiny, tmp_path, dump):
    result = classify("--package", tiny.package, "--input", tmp_path / "a\nb.bin", "--dump_output", dump)
    assert_refused(result, dump, "a\\nb.bin")


def test_a_full_standard_output_is_an_error(classify, tiny):
    command = [*classify.command, *classify.flags, *map(str, tiny.required)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "standard output: No space left on device" in done.stderr


@pytest.mark.parametrize("flag", ["--input", "--expected", "--package"])
def test_refuses_a_pipe_instead_of_waiting_for_a_writer(classify, tiny, tmp_path, flag):
    pipe = tmp_path / "pipe.bin"
    os.mkfifo(pipe)
    arguments = {"--package": tiny.package, "--input": tiny.input, "--expected": tiny.expected, flag: pipe}
    result = classify(*(part for pair in arguments.items() for part in pair))
    assert result.code == 2
    assert "not a regular file" in result.error


def test_refuses_a_raw_file_that_no_memory_holds(classify, tiny, tmp_path):
    huge = tmp_path / "huge.bin"
    with huge.open("wb") as stream:
        stream.truncate(40 << 30)  # sparse
    result = classify("--package", tiny.package, "--input", huge)
    assert result.code == 2
    assert f"cannot read {huge}" in result.error and "at most" in result.error
