"""Several inputs in one run: folders of references and dumps, a progress bar, the worst exit code."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess

import numpy as np
import pytest

from plumb_process import write_floats


@pytest.fixture
def folders(tiny, tmp_path):
    """Three good inputs with references."""
    inputs, references = tmp_path / "inputs", tmp_path / "references"
    inputs.mkdir()
    references.mkdir()
    for name in ("a", "b", "c"):
        shutil.copy(tiny.input, inputs / f"{name}.bin")
        shutil.copy(tiny.expected, references / f"{name}.bin")
    return inputs, references


def arguments(tiny, folders, tmp_path):
    return (
        "--package",
        tiny.package,
        "--input",
        folders[0],
        "--expected",
        folders[1],
        "--dump_output",
        tmp_path / "d",
    )


def test_judges_and_dumps_every_file_of_a_folder(classify, tiny, folders, tmp_path):
    result = classify(*arguments(tiny, folders, tmp_path))
    assert result.code == 0, result.err
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == ["a.bin", "b.bin", "c.bin"]
    for name in ("a", "b", "c"):
        assert sum(f"{name}.bin  PASS" in line for line in result.out.splitlines()) == 1
    assert result.out.splitlines()[-1].split() == ["result", "PASS"]
    assert result.err == ""


def test_repeated_inputs_are_several(classify, tiny, folders, tmp_path):
    inputs, references = folders
    files = [part for name in ("a", "c") for part in ("--input", inputs / f"{name}.bin")]
    result = classify(
        "--package", tiny.package, *files, "--expected", references, "--dump_output", tmp_path / "d"
    )
    assert result.code == 0
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == ["a.bin", "c.bin"]


def test_a_mismatch_is_3_and_the_other_files_are_run(classify, tiny, folders, tmp_path):
    write_floats(folders[1] / "b.bin", np.zeros(10))
    result = classify(*arguments(tiny, folders, tmp_path))
    assert result.code == 3
    assert result.out.count("PASS") == 2 and "b.bin  FAIL" in result.out
    assert (tmp_path / "d" / "b.bin").stat().st_size == 40


def test_a_bad_file_is_2_even_beside_a_mismatch_and_the_run_goes_on(classify, tiny, folders, tmp_path):
    write_floats(folders[0] / "a.bin", np.zeros(3))
    write_floats(folders[1] / "b.bin", np.zeros(10))
    result = classify(*arguments(tiny, folders, tmp_path))
    assert result.code == 2
    assert "a.bin  ERROR" in result.out and "b.bin  FAIL" in result.out and "c.bin  PASS" in result.out
    assert "768 bytes" in result.error
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == ["b.bin", "c.bin"]


def test_a_file_without_its_reference_is_2_and_leaves_no_dump(classify, tiny, folders, tmp_path):
    (folders[1] / "b.bin").unlink()
    result = classify(*arguments(tiny, folders, tmp_path))
    assert result.code == 2
    assert str(folders[1] / "b.bin") in result.error
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == ["a.bin", "c.bin"]


def test_a_dump_folder_that_is_not_empty_is_refused_before_anything_is_loaded(
    classify, tiny, folders, tmp_path
):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "old.bin").write_bytes(b"precious")
    broken = tmp_path / "broken.ptn"
    broken.write_bytes(b"not a package")
    result = classify("--package", broken, "--input", folders[0], "--dump_output", tmp_path / "d")
    assert result.code == 2
    assert "not empty" in result.error
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["old.bin"]


def test_an_empty_dump_folder_is_used(classify, tiny, folders, tmp_path):
    (tmp_path / "d").mkdir()
    assert classify(*arguments(tiny, folders, tmp_path)).code == 0


def test_a_dump_of_this_run_cannot_be_a_reference_of_it(classify, tiny, folders, tmp_path):
    same = tmp_path / "same"
    same.mkdir()
    result = classify(
        "--package", tiny.package, "--input", folders[0], "--expected", same, "--dump_output", same
    )
    assert result.code == 2
    assert list(same.iterdir()) == []


def test_an_empty_folder_is_an_error(classify, tiny, tmp_path):
    (tmp_path / "empty").mkdir()
    result = classify("--package", tiny.package, "--input", tmp_path / "empty")
    assert result.code == 2
    assert str(tmp_path / "empty") in result.error


def test_a_file_where_a_folder_of_references_belongs_is_refused(classify, tiny, folders):
    result = classify("--package", tiny.package, "--input", folders[0], "--expected", tiny.expected)
    assert result.code == 2
    assert "folder" in result.error


def test_json_lists_the_files(classify, tiny, folders, tmp_path):
    write_floats(folders[0] / "a.bin", np.zeros(3))
    result = classify(*arguments(tiny, folders, tmp_path), "--json")
    assert result.code == 2
    report = result.json
    assert [file["result"] for file in report["files"]] == ["ERROR", "PASS", "PASS"]
    assert report["result"] == "ERROR" and report["exit_code"] == 2
    assert "768 bytes" in report["files"][0]["error"]
    assert report["files"][1]["dump"].endswith("b.bin")


def run_on_terminal(command):
    """Stdout as a pipe, stderr as a terminal; returns the exit code, stdout and what the terminal got."""
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs)
    finally:
        os.close(theirs)
    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        while True:
            try:
                chunk = terminal.read(4096)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            shown += chunk
    out = process.communicate()[0]
    return process.returncode, out, shown


def test_a_progress_bar_shows_on_a_terminal_only(classify, tiny, folders, tmp_path):
    command = [*classify.command, *classify.flags, *map(str, arguments(tiny, folders, tmp_path))]
    code, out, shown = run_on_terminal(command)
    assert code == 0
    for count in (b"0/3", b"1/3", b"2/3", b"3/3"):
        assert count in shown
    assert b"#" in shown
    assert shown.endswith(b"\r\x1b[K")  # it takes itself away
    assert b"\x1b" not in out and out.count(b"PASS") == 4
