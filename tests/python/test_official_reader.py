"""Both directions of exchange with executorch: its reader takes our packages, ours takes its."""

from __future__ import annotations

import json
import zipfile

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("executorch")

import numpy as np  # noqa: E402
from executorch.backends.native.serialization import graph_serialize as official  # noqa: E402
from executorch.exir._serialize._ptn import read_ptn  # noqa: E402
from interpreter import Session  # noqa: E402

import plumb  # noqa: E402
from plumb.exporter.graph import op_name  # noqa: E402
from plumb.fixture.kinds import KINDS  # noqa: E402
from plumb.package.container import read_package, write_package  # noqa: E402
from plumb.package.metadata import make_metadata  # noqa: E402
from plumb.zoo.official import export_official, fold_batch_norms  # noqa: E402


class Everything(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("cache", torch.zeros(4), persistent=False)
        self.register_buffer("twin_a", torch.arange(4.0))
        self.register_buffer("twin_b", torch.arange(4.0))

    def forward(self, x, p):
        self.count.add_(1)
        self.cache.copy_(x[0, 0, 0, :4])
        y = self.norm(self.conv(x))
        values, _ = torch.topk(y.flatten(1), 3)
        first, second = torch.split(y, [1, 3], dim=1)
        chosen = torch.cond(p.sum() > 0, lambda x: x + 1, lambda x: x - 1, (values,))
        return (
            x,
            x,
            chosen,
            first + second,
            self.twin_a + self.twin_b,
            3,
            torch.where(y > 0, y, float("-inf")),
        )


def load_officially(path):
    ptg, constants = read_ptn(str(path))
    program = official.deserialize_program(ptg)
    official.validate_program(program, set(constants))
    assert official.collect_data_keys(program) == set(constants)
    return program, constants


def test_the_official_reader_takes_a_package_of_everything(tmp_path):
    inputs = (torch.randn(2, 3, 8, 8), torch.ones(1))
    path = tmp_path / "m.ptn"
    # Its JSON step cannot read an infinity, so that output stays out.
    model = Everything().eval()
    program = torch.export.export(model, inputs)
    plumb.export(program, path=path, labels=["a"], preprocessing={"resize": 8})
    ptg, constants = read_ptn(str(path))
    assert constants.keys() == read_package(path).constants.keys()
    for key, tensor in constants.items():
        source = {**program.state_dict, **program.constants}[key]
        assert torch.equal(tensor, source), key


def test_the_official_validator_accepts_our_programs(tmp_path):
    class Finite(Everything):
        def forward(self, x, p):
            return super().forward(x, p)[:-1]

    path = tmp_path / "m.ptn"
    plumb.export(Finite().eval(), (torch.randn(2, 3, 8, 8), torch.ones(1)), path)
    program, _ = load_officially(path)
    method = program.methods[0]
    assert [spec.target for spec in method.output_specs[:2]] == ["count", "cache"]
    assert [buffer.fqn for buffer in method.mutable_buffers] == ["cache"]
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("aliases.json"))["twin_b"] == "twin_a"


@pytest.mark.parametrize("kind", KINDS)
def test_the_official_validator_accepts_fixtures(tmp_path, kind):
    fixture = KINDS[kind]()
    write_package(tmp_path / "m.ptn", fixture.package)
    load_officially(tmp_path / "m.ptn")


def test_the_official_reader_does_not_see_labels_and_preprocessing(tmp_path):
    fixture = KINDS["tiny"]()
    write_package(tmp_path / "bare.ptn", fixture.package)
    fixture.package.metadata = make_metadata(fixture.labels, {"resize": 8, "mean": [1, 2, 3]})
    write_package(tmp_path / "labelled.ptn", fixture.package)
    bare, labelled = (load_officially(tmp_path / f"{name}.ptn") for name in ("bare", "labelled"))
    assert bare[0] == labelled[0]
    assert bare[1].keys() == labelled[1].keys()


def test_our_reader_takes_an_official_package(tmp_path):
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3),
        torch.nn.BatchNorm2d(4),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(144, 5),
    ).eval()
    model[1].running_mean.normal_()
    inputs = (torch.randn(1, 3, 8, 8),)
    export_official(model, inputs, tmp_path / "m.ptn")
    with torch.no_grad():
        torch.testing.assert_close(Session(read_package(tmp_path / "m.ptn")).run(*inputs)[0], model(*inputs))


def test_our_reader_agrees_with_the_official_one_on_official_bytes(tmp_path):
    export_official(torch.nn.Linear(3, 2).eval(), (torch.ones(1, 3),), tmp_path / "m.ptn")
    theirs, _ = load_officially(tmp_path / "m.ptn")
    ours = read_package(tmp_path / "m.ptn").program
    for their_node, our_node in zip(theirs.methods[0].graph.nodes, ours.methods[0].graph.nodes, strict=True):
        assert (our_node.name, our_node.target) == (their_node.name, their_node.target)
        assert [a.name for a in our_node.inputs] == [a.name for a in their_node.inputs or []]


def test_operator_names_are_the_official_ones():
    import operator

    for target in (
        torch.ops.aten.add.Tensor,
        torch.ops.aten.relu.default,
        operator.mul,
        torch.ops.higher_order.cond,
        torch.sym_float,
    ):
        assert op_name(target) == official.serialize_operator(target)


def test_folding_batch_norms_changes_no_result():
    torch.manual_seed(0)
    conv = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3, bias=False), torch.nn.BatchNorm2d(4)).eval()
    conv[1].running_mean.normal_()
    x = torch.randn(1, 3, 8, 8)
    with torch.no_grad():
        before = conv(x)
        folded = fold_batch_norms(conv, (x,))
        torch.testing.assert_close(folded(x), before)
    assert isinstance(folded[1], torch.nn.Identity)
    assert np.isfinite(folded[0].bias.detach().numpy()).all()
