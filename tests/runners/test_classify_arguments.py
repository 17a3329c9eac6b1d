"""What the classification runner refuses before it touches a file: exit code 1 and one line."""

from __future__ import annotations

import pytest

from plumb_process import plumb


@pytest.mark.parametrize("flag", ["--rtol", "--atol"])
@pytest.mark.parametrize("value", ["-1", "-1e-9", "nan", "inf", "-inf", "1e999", "abc", "1e-3x", ""])
def test_refuses_a_tolerance_that_is_no_finite_number_from_zero_up(classify, tiny, tmp_path, flag, value):
    dump = tmp_path / "out.bin"
    result = classify(*tiny.required, "--expected", tiny.expected, "--dump_output", dump, flag, value)
    assert result.code == 1
    assert flag in result.error
    assert not dump.exists()


@pytest.mark.parametrize("missing", ["--package", "--input"])
def test_requires_package_and_input(classify, tiny, missing):
    arguments = {"--package": tiny.package, "--input": tiny.input}
    del arguments[missing]
    result = classify(*[part for pair in arguments.items() for part in pair])
    assert result.code == 1
    assert f"{missing} is required" in result.error


@pytest.mark.parametrize(
    "arguments",
    [
        ["--engine", "no-such-engine"],
        ["--threads", "0"],
        ["--threads", "-1"],
        ["--threads", "two"],
        ["--threads", "1025"],
        ["--threads", "99999999999"],
        ["--no_such_flag"],
        ["--rtol"],
        ["stray"],
        ["--engine", "reference", "--isa", "avx2"],
        ["--engine", "cpu", "--isa", "no-such-isa"],
        ["--disable", "no-such-kernel"],
        ["--expected", ""],
        ["--std", "0"],
        ["--mean", "1,2"],
        ["--interpolation", "cubist"],
        ["--resize", "-1"],
        ["--method", ""],
    ],
    ids=" ".join,
)
def test_refuses_nonsense(tiny, arguments):
    engine = [] if "--engine" in arguments else ["--engine", "cpu"]
    result = plumb("classify", *tiny.required, *engine, *arguments)
    assert result.code == 1
    assert result.error.startswith("plumb classify: error: ")
    assert result.out == ""


def test_an_unknown_engine_lists_the_engines(tiny):
    result = plumb("classify", *tiny.required, "--engine", "abacus")
    assert "'abacus'" in result.error
    assert "cpu" in result.error and "reference" in result.error


def test_an_engine_that_cannot_work_here_fails_with_its_reason(tiny):
    engines = plumb("engines", "--json").json["engines"]
    unavailable = [engine["name"] for engine in engines if not engine["available"]]
    if not unavailable:
        pytest.skip("every engine of this build works on this machine: a missing library was NOT tested")
    for engine in unavailable:
        result = plumb("classify", *tiny.required, "--engine", engine)
        assert result.code == 2
        assert engine in result.error


def test_refuses_two_inputs_of_one_name_when_files_are_named_after_them(classify, tiny, tmp_path):
    result = classify(
        *tiny.required, "--input", tmp_path / tiny.input.name, "--dump_output", tmp_path / "dumps"
    )
    assert result.code == 1
    assert "two inputs are called" in result.error
    assert not (tmp_path / "dumps").exists()


def test_help_goes_to_stdout(classify):
    result = classify("--help")
    assert result.code == 0
    assert "--dump_output" in result.out and "--dump_logits" in result.out
    assert result.err == ""


def test_plumb_without_a_command_and_with_an_unknown_one_is_refused():
    assert plumb().code == 1
    result = plumb("clasify")
    assert result.code == 1
    assert "clasify" in result.error


def test_prints_a_version_and_a_list_of_commands():
    assert plumb("--version").out.startswith("plumb ")
    assert "classify" in plumb("--help").out
