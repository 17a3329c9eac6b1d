"""`plumb run`: any method and dtype, state and shapes carried over, outputs dumped and judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plumb.fixture.builder import MethodBuilder
from plumb.package.container import Package, write_package
from plumb.package.program import FORMAT_VERSION, Program, ScalarType
from plumb_process import plumb

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
VALUES = {
    "bool": [True, False, True],
    "uint8": [0, 1, 255],
    "int8": [-128, 0, 127],
    "int16": [-32768, 1, 32767],
    "int32": [-(2**31), 1, 2**31 - 1],
    "int64": [-(2**63), 2**53 + 1, 2**63 - 1],
}


def identity_package(folder: Path, dtype: str, sizes=(3,)) -> Path:
    graph = MethodBuilder({})
    method = graph.returns(graph.input("x", sizes, dtype))
    write_package(str(folder / "identity.ptn"), Package(Program(FORMAT_VERSION, [method]), {}))
    return folder / "identity.ptn"


def sample(dtype: str) -> np.ndarray:
    return np.array(VALUES.get(dtype, [-0.0, 1e-5, -1.5]), dtype=dtype)


@pytest.fixture(params=["reference", "cpu"])
def engine(request):
    return request.param


@pytest.mark.parametrize("dtype", DTYPES)
def test_takes_and_writes_every_dtype_bit_for_bit(tmp_path, engine, dtype):
    package = identity_package(tmp_path, dtype)
    np.save(tmp_path / "x.npy", sample(dtype))
    files = ("--inputs", tmp_path / "x.npy", "--outputs", tmp_path / "out")
    result = plumb("run", "--package", package, "--engine", engine, *files)
    assert result.code == 0, result.err
    out = np.load(tmp_path / "out" / "out0.npy")
    assert out.dtype == np.dtype(dtype)
    assert out.tobytes() == sample(dtype).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_judges_every_dtype(tmp_path, dtype):
    package = identity_package(tmp_path, dtype)
    np.save(tmp_path / "x.npy", sample(dtype))
    (tmp_path / "expected").mkdir()
    files = ("--inputs", tmp_path / "x.npy", "--expected", tmp_path / "expected")
    arguments = ("run", "--package", package, *files)
    np.save(tmp_path / "expected" / "out0.npy", sample(dtype))
    assert plumb(*arguments).code == 0
    changed = sample(dtype)
    changed[1] = not changed[1] if dtype == "bool" else changed[1] + 1
    np.save(tmp_path / "expected" / "out0.npy", changed)
    result = plumb(*arguments)
    assert result.code == 3
    assert "1 of 3 differ" in result.out and "FAIL" in result.out


def test_integers_beyond_the_precision_of_double_are_told_apart(tmp_path):
    package = identity_package(tmp_path, "int64")
    np.save(tmp_path / "x.npy", np.array([2**53 + 1, 2**63 - 1, -(2**63)]))
    (tmp_path / "expected").mkdir()
    np.save(tmp_path / "expected" / "out0.npy", np.array([2**53, 2**63 - 1, -(2**63)]))
    result = plumb(
        "run", "--package", package, "--inputs", tmp_path / "x.npy", "--expected", tmp_path / "expected"
    )
    assert result.code == 3
    assert "1 of 3 differ" in result.out and "first at 0" in result.out


def test_shape_and_dtype_of_a_reference_come_first(tmp_path):
    package = identity_package(tmp_path, "float32")
    np.save(tmp_path / "x.npy", sample("float32"))
    (tmp_path / "expected").mkdir()
    for wrong in (sample("float32").reshape(1, 3), sample("float32").astype(np.float64)):
        np.save(tmp_path / "expected" / "out0.npy", wrong)
        arguments = ("--inputs", tmp_path / "x.npy", "--expected", tmp_path / "expected")
        result = plumb("run", "--package", package, *arguments)
        assert result.code == 3
        assert "float32[3], expected" in result.out


def test_state_lives_on_between_executions(fixture_of, tmp_path, engine):
    package = fixture_of("stateful").package
    np.save(tmp_path / "x.npy", np.array([1.0], np.float32))
    inputs = ["--inputs", tmp_path / "x.npy"] * 3
    result = plumb("run", "--package", package, "--engine", engine, *inputs, "--outputs", tmp_path / "out")
    assert result.code == 0, result.err
    for step, total in enumerate((8.0, 9.0, 10.0)):
        np.testing.assert_array_equal(np.load(tmp_path / "out" / str(step) / "out0.npy"), [total])


def test_repetitions_start_from_the_same_state(fixture_of, tmp_path, engine):
    np.save(tmp_path / "x.npy", np.array([1.0], np.float32))
    inputs = ["--inputs", tmp_path / "x.npy"] * 2
    arguments = ("--engine", engine, *inputs, "--repeat", "3", "--require-identical")
    assert plumb("run", "--package", fixture_of("stateful").package, *arguments).code == 0


def test_each_method_holds_for_the_inputs_after_it(fixture_of, tmp_path):
    files = fixture_of("multi-method")
    x = np.fromfile(files.input, "<f4").reshape(1, 4)
    offset = np.array([[1, 2, 3, 4]], np.float32)
    np.save(tmp_path / "x.npy", x)
    one = ["--inputs", tmp_path / "x.npy"]
    arguments = [*one, "--method", "subtract", *one, "--method", "forward", *one]
    plain = plumb(
        "run", "--package", files.package, "--method", "forward", *arguments, "--outputs", tmp_path / "out"
    )
    assert plain.code == 0, plain.err
    for step, expected in enumerate((x + offset, x - offset, x + offset)):
        np.testing.assert_array_equal(np.load(tmp_path / "out" / str(step) / "out0.npy"), expected)


def test_shapes_carry_over_within_the_declared_range(fixture_of, tmp_path, engine):
    files = fixture_of("dynamic")
    batches = [2, 1, 8]
    inputs = []
    for batch in batches:
        np.save(tmp_path / f"{batch}.npy", np.zeros((batch, 3, 8, 8), np.float32))
        inputs += ["--inputs", tmp_path / f"{batch}.npy"]
    result = plumb(
        "run", "--package", files.package, "--engine", engine, *inputs, "--outputs", tmp_path / "out"
    )
    assert result.code == 0, result.err
    for step, batch in enumerate(batches):
        assert np.load(tmp_path / "out" / str(step) / "out0.npy").shape == (batch, 10)
    np.save(tmp_path / "9.npy", np.zeros((9, 3, 8, 8), np.float32))
    inputs = ["--inputs", tmp_path / "2.npy", "--inputs", tmp_path / "9.npy"]
    result = plumb("run", "--package", files.package, *inputs, "--outputs", tmp_path / "other")
    assert result.code == 2
    assert "9.npy" in result.error
    assert not (tmp_path / "other").exists()


def test_inputs_may_be_a_list_or_a_folder(fixture_of, tmp_path):
    a, b = np.array([[1, 2, 3, 4]], np.float32), np.array([[10, 20, 30, 40]], np.float32)
    (tmp_path / "in").mkdir()
    np.save(tmp_path / "in" / "in0.npy", a)
    np.save(tmp_path / "in" / "in1.npy", b)
    listed = f"{tmp_path}/in/in0.npy,{tmp_path}/in/in1.npy"
    for name, inputs in (("list", listed), ("folder", tmp_path / "in")):
        out = tmp_path / name
        arguments = ("--inputs", inputs, "--outputs", out)
        assert plumb("run", "--package", fixture_of("two-inputs").package, *arguments).code == 0
        np.testing.assert_array_equal(np.load(out / "out0.npy"), a + b)


def test_bfloat16_travels_as_uint16_bits(tmp_path, engine):
    graph = MethodBuilder({})
    method = graph.returns(graph.input("x", (4,), "int16"))
    for value in method.graph.tensor_values:
        value.meta.dtype = ScalarType.BFLOAT16  # which no NumPy dtype stands for
    write_package(str(tmp_path / "p.ptn"), Package(Program(FORMAT_VERSION, [method]), {}))
    bits = np.array([0x3F80, 0xBF80, 0x7F80, 0xFFC1], np.uint16)
    np.save(tmp_path / "x.bf16.npy", bits)
    arguments = ("--engine", engine, "--inputs", tmp_path / "x.bf16.npy", "--outputs", tmp_path / "out")
    result = plumb("run", "--package", tmp_path / "p.ptn", *arguments)
    assert result.code == 0, result.err
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "out0.bf16.npy"), bits)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_reads_every_npy_version_and_order(tmp_path, version, order):
    package = identity_package(tmp_path, "int32", (2, 3, 4))
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    with open(tmp_path / "x.npy", "wb") as file:
        np.lib.format.write_array(file, np.asarray(x, order=order), version=version)
    arguments = ("--inputs", tmp_path / "x.npy", "--outputs", tmp_path / "out")
    assert plumb("run", "--package", package, *arguments).code == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "out0.npy"), x)


GOOD = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
BAD_HEADERS = [
    b"",
    b"{",
    b"{}",
    GOOD[:-1],
    GOOD + b"x",
    GOOD.replace(b"<f4", b">f4"),
    GOOD.replace(b"<f4", b"<c8"),
    GOOD.replace(b"'<f4'", b"[('a', '<f4')]"),
    GOOD.replace(b"False", b"Maybe"),
    GOOD.replace(b"(3,)", b"(-3,)"),
    GOOD.replace(b"(3,)", b"(4,)"),
    GOOD.replace(b"(3,)", b"(99999999999999999999,)"),
    GOOD.replace(b"(3,)", b"(4611686018427387904, 4)"),
    GOOD.replace(b"(3,)", b"(0, 4611686018427387904, 4611686018427387904)"),
    GOOD.replace(b"(3,)", b"(" + b"1, " * 17 + b")"),
    GOOD.replace(b"'shape'", b"'sharp'"),
    GOOD.replace(b"}", b"'shape': (3,)}"),
    b"{'descr': '<f4'}",
]


@pytest.mark.parametrize("header", BAD_HEADERS)
def test_a_bad_npy_header_is_one_clear_error(tmp_path, header):
    package = identity_package(tmp_path, "float32")
    path = tmp_path / "x.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(12))
    result = plumb("run", "--package", package, "--inputs", path)
    assert result.code == 2
    assert f"cannot read {path}" in result.error


def test_every_truncation_of_an_npy_file_is_an_error(tmp_path):
    package = identity_package(tmp_path, "float32")
    path = tmp_path / "x.npy"
    np.save(path, sample("float32"))
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        result = plumb("run", "--package", package, "--inputs", path)
        assert result.code == 2
        assert f"cannot read {path}" in result.error


def test_outputs_go_to_a_new_or_empty_folder_only(tmp_path):
    package = identity_package(tmp_path, "float32")
    np.save(tmp_path / "x.npy", sample("float32"))
    out = tmp_path / "out"
    out.mkdir()
    arguments = ("run", "--package", package, "--inputs", tmp_path / "x.npy", "--outputs", out)
    assert plumb(*arguments).code == 0
    before = (out / "out0.npy").read_bytes()
    result = plumb(*arguments)
    assert result.code == 2
    assert "not empty" in result.error
    assert (out / "out0.npy").read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rtol", "-1"],
        ["--atol", "nan"],
        ["--repeat", "0"],
        ["--require-identical"],
        ["--engine", "abacus"],
        ["--no_such_flag"],
    ],
    ids=" ".join,
)
def test_refuses_nonsense(tmp_path, arguments):
    result = plumb("run", "--package", tmp_path / "missing.ptn", "--inputs", "x.npy", *arguments)
    assert result.code == 1
    assert result.error.startswith("plumb run: error: ")


def test_wrong_inputs_are_named(fixture_of, tmp_path):
    package = fixture_of("two-inputs").package
    np.save(tmp_path / "x.npy", np.zeros((1, 4), np.float32))
    np.save(tmp_path / "wide.npy", np.zeros((1, 5), np.float32))
    np.save(tmp_path / "double.npy", np.zeros((1, 4)))
    x = tmp_path / "x.npy"
    cases = [
        (f"{x}", "2 inputs"),
        (f"{x},{x},{x}", "2 inputs"),
        (f"{x},{tmp_path}/wide.npy", "wide.npy"),
        (f"{x},{tmp_path}/double.npy", "float64"),
        (f"{x},{tmp_path}/missing.npy", "No such file"),
    ]
    for inputs, word in cases:
        result = plumb("run", "--package", package, "--inputs", inputs, "--outputs", tmp_path / "out")
        assert result.code == 2
        assert word in result.error
        assert not (tmp_path / "out").exists()


def test_json_tells_steps_and_outputs(fixture_of, tmp_path):
    np.save(tmp_path / "x.npy", np.array([1.0], np.float32))
    inputs = ["--inputs", tmp_path / "x.npy"] * 2
    report = plumb("run", "--package", fixture_of("stateful").package, *inputs, "--json").json
    assert [step["method"] for step in report["steps"]] == ["forward", "forward"]
    assert [step["outputs"][0]["name"] for step in report["steps"]] == ["0/out0.npy", "1/out0.npy"]
    assert report["result"] == "ran (no reference given)" and report["exit_code"] == 0
