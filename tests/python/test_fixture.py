"""The tiny packages: they need no torch, and PyTorch agrees with their references."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from plumb.fixture.kinds import KINDS
from plumb.fixture.main import main
from plumb.package.container import read_package


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "unknown-op"])
def test_references_are_what_pytorch_computes(tmp_path, kind):
    torch = pytest.importorskip("torch")
    from interpreter import Session

    assert main([str(tmp_path), "--kind", kind]) == 0
    fixture = KINDS[kind]()
    package = read_package(tmp_path / f"{kind}.ptn")
    result = Session(package).run(*[torch.from_numpy(values) for values in fixture.inputs])[0].numpy()
    assert result.shape == fixture.expected.shape
    if kind in ("tiny", "dynamic"):
        np.testing.assert_allclose(result, fixture.expected, rtol=1e-5, atol=1e-6)
    else:
        assert result.tobytes() == fixture.expected.tobytes()


def test_the_files_are_raw_float32(tmp_path):
    assert main([str(tmp_path / "new")]) == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["labels.txt", "tiny.expected.bin", "tiny.input.bin", "tiny.ptn"]
    assert (tmp_path / "new/tiny.input.bin").stat().st_size == 4 * 3 * 8 * 8
    assert (
        np.fromfile(tmp_path / "new/tiny.expected.bin", "<f4").tobytes() == KINDS["tiny"]().expected.tobytes()
    )
    assert len((tmp_path / "new/labels.txt").read_text().splitlines()) == 10
    assert read_package(tmp_path / "new/tiny.ptn").metadata["labels"][2] == "cat"


def test_several_inputs_are_numbered(tmp_path):
    assert main([str(tmp_path), "--kind", "two-inputs"]) == 0
    assert (tmp_path / "two-inputs.input0.bin").exists() and (tmp_path / "two-inputs.input1.bin").exists()


def test_special_values_are_the_bits_that_a_dump_must_keep(tmp_path):
    main([str(tmp_path), "--kind", "special-values"])
    bits = np.fromfile(tmp_path / "special-values.expected.bin", "<u4")
    assert {0xFF800000, 0x00000001, 0xFFC00001, 0x7FC12345, 0x80000000} <= set(bits.tolist())


def test_fixtures_and_verification_need_no_torch(tmp_path):
    code = (
        "import sys; import plumb, plumb.fixture.main as f, plumb.verify.main as v;"
        f"assert f.main([{str(tmp_path)!r}]) == 0;"
        f"e = {str(tmp_path / 'tiny.expected.bin')!r}; assert v.main([e, e]) == 0;"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert done.returncode == 0, done.stderr


def test_a_folder_that_cannot_be_made_is_one_line_and_exit_2(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file" / "folder")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_unknown_kind_is_exit_1(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main([str(tmp_path), "--kind", "none"])
    assert stop.value.code == 1
    assert "invalid choice: 'none'" in capsys.readouterr().err
