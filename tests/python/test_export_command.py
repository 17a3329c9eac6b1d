"""`plumb-export` as a command: sources, options, exit codes."""

from __future__ import annotations

import json

import pytest

torch = pytest.importorskip("torch")

from plumb.exporter.main import main  # noqa: E402
from plumb.package.container import read_package  # noqa: E402


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("programs") / "relu.pt2"
    torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(2),)), path)
    return path


def test_a_saved_program_becomes_a_package(tmp_path, saved, capsys):
    (tmp_path / "labels").write_text("a\nb\n")
    (tmp_path / "p.json").write_text(json.dumps({"crop": 8}))
    output = tmp_path / "m.ptn"
    options = ["--labels", str(tmp_path / "labels"), "--preprocessing", str(tmp_path / "p.json")]
    assert main([str(saved), "-o", str(output), *options]) == 0
    assert capsys.readouterr().out.strip() == str(output)
    package = read_package(output)
    assert package.metadata["labels"] == ["a", "b"]
    assert package.metadata["preprocessing"]["crop"] == 8


def test_several_methods_are_given_by_name(tmp_path, saved):
    output = tmp_path / "m.ptn"
    assert main(["-o", str(output), "--method", f"a={saved}", "--method", f"b={saved}"]) == 0
    assert [method.name for method in read_package(output).program.methods] == ["a", "b"]


def test_a_function_makes_the_model(tmp_path, monkeypatch):
    (tmp_path / "my_model.py").write_text(
        "import torch\ndef build():\n    return torch.nn.Linear(3, 2).eval(), (torch.ones(1, 3),)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["my_model:build", "-o", "m.ptn"]) == 0
    assert sorted(read_package(tmp_path / "m.ptn").constants) == ["bias", "weight"]


@pytest.mark.parametrize("source", ["none.pt2", "no_such_module:f", "json:no_such_function"])
def test_a_source_that_cannot_be_loaded_is_one_line_and_exit_2(tmp_path, capsys, source):
    assert main([source, "-o", str(tmp_path / "m.ptn")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [[], ["-o", "m.ptn"], ["a.pt2", "-o", "m.ptn", "--method", "b"], ["a.pt2"]]
)
def test_wrong_arguments_are_exit_1(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
