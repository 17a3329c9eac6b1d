"""The file itself: bytes of the program, alignment, sharing, atomic writing, refusal of damage."""

from __future__ import annotations

import json
import os
import struct
import zipfile

import numpy as np
import pytest

from plumb.fixture.builder import constant
from plumb.fixture.kinds import KINDS
from plumb.package import container, safetensors
from plumb.package import program as p
from plumb.package.container import Package, read_package, share_equal_constants, write_package
from plumb.package.errors import PackageError
from plumb.package.flatbuffer import decode_program, encode_program

ALL_ARGUMENTS = [
    p.TensorArg("x"),
    p.NoneArg(),
    p.IntArg(-(1 << 63)),
    p.IntArg(ref="n"),
    p.FloatArg(float("-inf")),
    p.FloatArg(ref="f"),
    p.BoolArg(True),
    p.BoolArg(ref="b"),
    p.StringArg("tänh"),
    p.ScalarTypeArg(p.ScalarType.BFLOAT16),
    p.IntListArg([0, (1 << 63) - 1], ["n", ""]),
    p.IntListArg(),
    p.FloatListArg([0.5, -0.0]),
    p.BoolListArg([True, False]),
    p.TensorListArg(["x", "x"]),
    p.OptionalTensorListArg(["x", ""], [True, False]),
    p.GraphArg("branch", p.Graph([p.Node("output", p.OpKind.OUTPUT)], ["y"], ["y"])),
]


def sample_program() -> p.Program:
    meta = p.TensorMeta(p.ScalarType.HALF, [p.Dim(1, 8), p.Dim(2)], [1, 0])
    packed = p.TensorMeta(p.ScalarType.BYTE, [p.Dim(4, 4)], [0], p.QuantSpec(p.PackedQuant("gguf:q4_k")))
    affine = p.AffineGroup("w.scale", p.ScalarType.HALF, -8, 7, 32, "w.zero", p.ScalarType.CHAR)
    grouped = p.TensorMeta(p.ScalarType.BYTE, [p.Dim(4, 4)], [0], p.QuantSpec(affine))
    inputs = [p.NamedArgument(f"a{i}", p.Argument(value), i == 0) for i, value in enumerate(ALL_ARGUMENTS)]
    outputs = [p.Output("", None, p.OutputValueKind.TENSOR_LIST, ["u", "v"]), p.Output("w", "x")]
    nodes = [
        p.Node("x", p.OpKind.PLACEHOLDER, None, [], [p.Output("x")]),
        p.Node(
            "call",
            p.OpKind.CALL_FUNCTION,
            "torch.ops.aten.f.default",
            inputs,
            outputs,
            [p.KeyValue("k", "v")],
        ),
    ]
    graph = p.Graph(nodes, ["x"], ["w"], [p.TensorValue("x", meta), p.TensorValue("w", grouped)])
    method = p.Method(
        "forward",
        graph,
        [p.NamedTensorRef("c", "key", packed, p.InputKind.BUFFER, True)],
        [p.OutputSpec("w", p.OutputKind.BUFFER_MUTATION, "key")],
        [p.MutableBufferSpec("m", "state.m")],
    )
    return p.Program(p.FORMAT_VERSION, [method, p.Method("empty", p.Graph())])


def member_offset(path, name: str) -> int:
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo(name).header_offset
    with open(path, "rb") as stream:
        stream.seek(start + 26)
        name_length, extra_length = struct.unpack("<HH", stream.read(4))
    return start + 30 + name_length + extra_length


def floats(*values: float) -> safetensors.Constant:
    return constant(np.array(values, np.float32))


def program_with(keys, mutated=()) -> p.Program:
    meta = p.TensorMeta(p.ScalarType.FLOAT, [p.Dim(1, 1)], [0])
    refs = [
        p.NamedTensorRef(f"p{i}", key, meta, p.InputKind.BUFFER, key in mutated) for i, key in enumerate(keys)
    ]
    return p.Program(p.FORMAT_VERSION, [p.Method("forward", p.Graph(), refs)])


def test_a_program_of_every_table_survives_the_round_trip():
    program = sample_program()
    assert decode_program(encode_program(program)) == program


def test_the_sign_of_zero_survives_the_round_trip():
    node = p.Node("n", inputs=[p.NamedArgument("x", p.Argument(p.FloatArg(-0.0)))])
    decoded = decode_program(encode_program(p.Program("1", [p.Method("m", p.Graph([node]))])))
    value = decoded.methods[0].graph.nodes[0].inputs[0].arg.value.value
    assert str(value) == "-0.0"


def test_a_missing_required_field_is_refused_by_name():
    with pytest.raises(PackageError, match="NamedArgument.arg is required"):
        encode_program(p.Program("1", [p.Method("m", p.Graph([p.Node("n", inputs=[p.NamedArgument("x")])]))]))


def test_damaged_programs_are_refused():
    good = encode_program(sample_program())
    with pytest.raises(PackageError, match="file identifier"):
        decode_program(b"\0" * 16)
    for length in range(8, len(good), 7):
        try:
            decode_program(good[:length])
        except PackageError:
            continue
    for position in range(8, len(good), 3):
        damaged = bytearray(good)
        damaged[position] ^= 0xFF
        try:
            decode_program(bytes(damaged))
        except PackageError:
            continue


def test_members_come_in_order_stored_and_aligned(tmp_path):
    path = tmp_path / "m.ptn"
    constants = {"a": floats(1, 2, 3), "b": floats(1, 2, 3), "c": constant(np.zeros((), np.int64))}
    write_package(path, Package(program_with(constants), constants, {"labels": ["x"]}))
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["program.ptg", "program.safetensors", "aliases.json", "plumb.json"]
        assert all(info.compress_type == zipfile.ZIP_STORED for info in archive.infolist())
        assert archive.testzip() is None
    for name in ("program.ptg", "program.safetensors", "aliases.json", "plumb.json"):
        assert member_offset(path, name) % 64 == 0


def test_tensors_are_aligned_to_their_elements_and_whole_lines_to_64_bytes(tmp_path):
    random = np.random.RandomState(0)
    arrays = {}
    for index, dtype in enumerate(["float32", "int8", "float64", "float16", "bool", "int64"] * 3):
        shape = random.randint(0, 9, size=2)
        arrays[f"t{index}"] = np.full(shape, index).astype(dtype)
    arrays["lines"] = np.zeros(64, np.float32)
    constants = {key: constant(array) for key, array in arrays.items()}
    path = tmp_path / "m.ptn"
    write_package(path, Package(program_with(constants), constants))
    start = member_offset(path, "program.safetensors")
    data = path.read_bytes()
    header_length = int.from_bytes(data[start : start + 8], "little")
    header = json.loads(data[start + 8 : start + 8 + header_length])
    section = start + 8 + header_length
    assert section % 64 == 0
    for key, entry in header.items():
        begin, end = entry["data_offsets"]
        assert (section + begin) % arrays[key].dtype.itemsize == 0, key
        if (end - begin) % 64 == 0:
            assert (section + begin) % 64 == 0, key
    spans = sorted(entry["data_offsets"] for entry in header.values())
    assert all(left[1] == right[0] for left, right in zip(spans, spans[1:], strict=False))


def test_the_same_program_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_package(tmp_path / name, KINDS["tiny"]().package)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_constants_and_metadata_are_read_back(tmp_path):
    path = tmp_path / "m.ptn"
    constants = {"a": floats(1, 2), "z": floats(1, 2), "e": constant(np.zeros((0, 3), np.float16))}
    write_package(path, Package(program_with(constants), constants, {"labels": ["ä", "b"]}))
    package = read_package(path)
    assert package.metadata == {"labels": ["ä", "b"]}
    assert {key: (c.dtype, c.shape, bytes(c.data)) for key, c in package.constants.items()} == {
        key: (c.dtype, c.shape, bytes(c.data)) for key, c in constants.items()
    }


def test_equal_constants_share_one_owner_unless_mutable():
    constants = {"a": floats(1), "b": floats(1), "c": floats(1), "d": constant(np.ones((1, 1), np.float32))}
    owners, aliases = share_equal_constants(constants, never_shared={"a"})
    assert sorted(owners) == ["a", "b", "d"]
    assert aliases == {"c": "b"}


def test_zeros_of_different_sign_are_not_equal():
    _, aliases = share_equal_constants({"a": floats(0.0), "b": floats(-0.0)}, set())
    assert aliases == {}


def test_a_package_without_constants_has_only_the_program(tmp_path):
    write_package(tmp_path / "m.ptn", KINDS["identity"]().package)
    with zipfile.ZipFile(tmp_path / "m.ptn") as archive:
        assert archive.namelist() == ["program.ptg"]


def test_large_members_use_zip64_and_stay_aligned(tmp_path, monkeypatch):
    monkeypatch.setattr(container, "_ZIP64_THRESHOLD", 16)
    path = tmp_path / "m.ptn"
    fixture = KINDS["tiny"]().package
    write_package(path, fixture)
    assert member_offset(path, "program.safetensors") % 64 == 0
    assert read_package(path).program == fixture.program


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "m.ptn"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(container.os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_package(path, KINDS["tiny"]().package)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["m.ptn"]


def test_an_unwritable_program_leaves_no_file(tmp_path):
    with pytest.raises(PackageError, match="cannot hold"):
        write_package(
            tmp_path / "m.ptn",
            Package(
                p.Program(
                    "1", [p.Method("m", p.Graph([p.Node("n", inputs=[p.NamedArgument("x", p.Argument(3))])]))]
                )
            ),
        )
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_reported_under_the_name_of_the_package(tmp_path):
    path = tmp_path / "none" / "m.ptn"
    with pytest.raises(FileNotFoundError) as error:
        write_package(path, KINDS["identity"]().package)
    assert error.value.filename == str(path)


def test_new_files_follow_the_umask(tmp_path):
    old = os.umask(0o027)
    try:
        write_package(tmp_path / "m.ptn", KINDS["identity"]().package)
    finally:
        os.umask(old)
    assert (tmp_path / "m.ptn").stat().st_mode & 0o777 == 0o640


def test_a_constant_of_the_wrong_size_is_refused():
    with pytest.raises(PackageError, match=r"FLOAT constant of shape \[3\] has 4 bytes; expected 12"):
        safetensors.Constant(p.ScalarType.FLOAT, (3,), memoryview(b"1234"))


def test_the_reserved_key_is_refused():
    with pytest.raises(PackageError, match="__metadata__"):
        safetensors.layout({"__metadata__": floats(1)})


@pytest.mark.parametrize(
    ("member", "content", "match"),
    [
        ("program.safetensors", b"123", "expected at least 8"),
        ("program.safetensors", (1 << 40).to_bytes(8, "little"), "header of"),
        ("program.safetensors", (2).to_bytes(8, "little") + b"{x", "bad header"),
        ("aliases.json", b'{"a": "b"}', "'a' is an alias of 'b'"),
        ("aliases.json", b"[]", "expected an object"),
        ("plumb.json", b"{", "plumb.json is no JSON"),
    ],
)
def test_damaged_members_are_refused(tmp_path, member, content, match):
    path = tmp_path / "m.ptn"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("program.ptg", encode_program(program_with([])))
        archive.writestr(member, content)
    with pytest.raises(PackageError, match=match):
        read_package(path)


def test_a_file_that_is_no_zip_is_refused(tmp_path):
    (tmp_path / "m.ptn").write_bytes(b"no zip")
    with pytest.raises(PackageError, match="is no zip file"):
        read_package(tmp_path / "m.ptn")


def test_a_pipe_in_the_place_of_the_package_is_left_alone(tmp_path):
    path = tmp_path / "pipe.ptn"
    os.mkfifo(path)
    with pytest.raises(PackageError, match="no regular file"):
        write_package(path, KINDS["identity"]().package)
    assert path.is_fifo()
