"""The dump of logits: bit for bit, whole or not at all, and never over anything."""

from __future__ import annotations

import os

import numpy as np
import pytest
from limits import file_size_limit, full_file_system

from plumb_process import write_floats


@pytest.fixture
def dump(tmp_path):
    return tmp_path / "out.bin"


@pytest.fixture
def broken_package(tmp_path):
    """Stands for a model that must not be run: opening it would be another error."""
    path = tmp_path / "broken.ptn"
    path.write_bytes(b"not a package")
    return path


@pytest.mark.parametrize("flag", ["--dump_output", "--dump_logits"])
def test_dumps_every_bit(classify, fixture_of, dump, flag):
    files = fixture_of("special-values")
    assert classify(*files.required, flag, dump).code == 0
    bits = np.fromfile(dump, "<u4")
    np.testing.assert_array_equal(bits, np.fromfile(files.expected, "<u4"))
    for pattern in (0x80000000, 0xFF800000, 0x00000001, 0xFFC00001, 0x7FC12345):
        assert pattern in bits


def test_dumps_the_edges_of_finite_values_that_pass_through(classify, fixture_of, dump):
    files = fixture_of("identity")
    result = classify(*files.required, "--expected", files.expected, "--dump_output", dump)
    assert result.code == 0
    assert dump.read_bytes() == files.input.read_bytes()


def test_keeps_the_dump_when_the_comparison_fails(classify, tiny, tmp_path, dump):
    wrong = write_floats(tmp_path / "wrong.bin", np.fromfile(tiny.expected, "<f4") + 1)
    result = classify(*tiny.required, "--expected", wrong, "--dump_output", dump)
    assert result.code == 3
    assert "FAIL" in result.out
    np.testing.assert_allclose(
        np.fromfile(dump, "<f4"), np.fromfile(tiny.expected, "<f4"), rtol=1e-4, atol=1e-4
    )


def test_keeps_the_dump_of_an_output_that_is_not_finite(classify, fixture_of, dump):
    files = fixture_of("special-values")
    result = classify(*files.required, "--expected", files.expected, "--dump_output", dump)
    assert result.code == 3
    assert dump.read_bytes() == files.expected.read_bytes()


def test_the_dump_does_not_change_the_verdict(classify, tiny, tmp_path, dump):
    without = classify(*tiny.required, "--expected", tiny.expected)
    with_dump = classify(*tiny.required, "--expected", tiny.expected, "--dump_output", dump)
    assert without.code == with_dump.code == 0


def test_an_existing_dump_path_is_refused_untouched_before_anything_is_loaded(
    classify, tiny, broken_package, dump
):
    dump.write_bytes(b"precious")
    result = classify("--package", broken_package, "--input", tiny.input, "--dump_output", dump)
    assert result.code == 2
    assert f"cannot create {dump}: File exists" in result.error
    assert dump.read_bytes() == b"precious"


@pytest.mark.parametrize("kind", ["folder", "link to a file", "dangling link"])
def test_anything_of_that_name_counts_as_existing(classify, tiny, broken_package, dump, tmp_path, kind):
    if kind == "folder":
        dump.mkdir()
    else:
        target = tmp_path / "target.bin"
        if kind == "link to a file":
            target.write_bytes(b"precious")
        dump.symlink_to(target)
    result = classify("--package", broken_package, "--input", tiny.input, "--dump_output", dump)
    assert result.code == 2
    assert f"cannot create {dump}: File exists" in result.error
    assert kind != "dangling link" or not (tmp_path / "target.bin").exists()


def test_the_reference_cannot_be_the_dump(classify, tiny, tmp_path):
    path = tmp_path / "reference.bin"
    path.write_bytes(tiny.expected.read_bytes())
    result = classify(*tiny.required, "--expected", path, "--dump_output", path)
    assert result.code == 2
    assert path.read_bytes() == tiny.expected.read_bytes()


def test_a_reference_that_only_the_dump_would_create_is_missing(classify, tiny, dump):
    result = classify(*tiny.required, "--expected", dump, "--dump_output", dump)
    assert result.code == 2
    assert not dump.exists()


def test_a_dangling_link_to_the_dump_is_a_missing_reference(classify, tiny, tmp_path, dump):
    link = tmp_path / "reference.bin"
    link.symlink_to(dump)
    result = classify(*tiny.required, "--expected", link, "--dump_output", dump)
    assert result.code == 2
    assert str(link) in result.error
    assert not dump.exists()


@pytest.mark.parametrize("make_link", [os.link, os.symlink], ids=["hard link", "symlink"])
def test_a_dump_path_that_links_to_the_reference_is_refused(classify, tiny, tmp_path, dump, make_link):
    reference = tmp_path / "reference.bin"
    reference.write_bytes(tiny.expected.read_bytes())
    make_link(reference, dump)
    result = classify(*tiny.required, "--expected", reference, "--dump_output", dump)
    assert result.code == 2
    assert reference.read_bytes() == tiny.expected.read_bytes()


def test_a_dump_into_a_missing_folder_says_why(classify, tiny, tmp_path):
    path = tmp_path / "missing" / "out.bin"
    result = classify(*tiny.required, "--dump_output", path)
    assert result.code == 2
    assert f"cannot create {path}: No such file" in result.error


LIMITS = [("large-output", 5000), ("large-output", 0), ("tiny", 16), ("tiny", 0)]


# Larger than stdio's buffer fails in write(), smaller only when the buffer is flushed by close.
@pytest.mark.parametrize(("kind", "limit"), LIMITS)
def test_a_file_size_limit_leaves_no_file(classify, fixture_of, dump, kind, limit):
    result = classify(*fixture_of(kind).required, "--dump_output", dump, preexec=file_size_limit(limit))
    assert result.code == 2
    assert f"cannot write {dump}: File too large" in result.error
    assert not dump.exists()


@pytest.mark.parametrize(("kind", "free"), [("large-output", 8192), ("tiny", 0)])
def test_a_full_disk_leaves_no_file(classify, fixture_of, tmp_path, kind, free):
    with full_file_system(tmp_path / "disk", free) as disk:
        path = disk / "out.bin"
        result = classify(*fixture_of(kind).required, "--dump_output", path)
        assert result.code == 2
        assert f"cannot write {path}: No space left on device" in result.error
        assert not path.exists()


def test_an_empty_output_makes_an_empty_file_even_on_a_full_disk(classify, fixture_of, tmp_path):
    files = fixture_of("empty-output")
    with full_file_system(tmp_path / "disk", 0) as disk:
        assert classify(*files.required, "--dump_output", disk / "out.bin").code == 0
        assert (disk / "out.bin").stat().st_size == 0


def test_an_empty_output_passes_against_an_empty_reference(classify, fixture_of, dump):
    files = fixture_of("empty-output")
    result = classify(*files.required, "--expected", files.expected, "--dump_output", dump)
    assert result.code == 0
    assert "PASS" in result.out
    assert dump.read_bytes() == b""


def test_the_bits_do_not_depend_on_the_number_of_threads(classify, tiny, tmp_path):
    dumps = []
    for threads in (1, 2, 3):
        path = tmp_path / f"{threads}.bin"
        assert classify(*tiny.required, "--threads", threads, "--dump_output", path).code == 0
        dumps.append(path.read_bytes())
    assert dumps[0] == dumps[1] == dumps[2]
