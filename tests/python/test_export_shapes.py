"""Dynamic shapes: ranges of dimensions, sizes computed in the graph, numbers as results."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from interpreter import Session  # noqa: E402

import plumb  # noqa: E402
from plumb.package.container import read_package  # noqa: E402
from plumb.package.program import Dim, IntArg, IntListArg, OutputValueKind  # noqa: E402


class Model(torch.nn.Module):
    def forward(self, x):
        rows = x.reshape(x.shape[0] * 3, -1).sum(1)
        return rows, x.shape[0], x.mean() * x.shape[0] / 3, torch.arange(x.shape[0])


def package_of(tmp_path, model, example, dim):
    return read_package(
        plumb.export(model.eval(), (example,), tmp_path / "m.ptn", dynamic_shapes=({0: dim},))
    )


def test_dynamic_programs_run_at_other_sizes(tmp_path):
    session = Session(package_of(tmp_path, Model(), torch.randn(3, 6), torch.export.Dim("b", min=1, max=8)))
    for batch in (1, 2, 5, 8):
        x = torch.randn(batch, 6)
        for actual, expected in zip(session.run(x), Model()(x), strict=True):
            assert torch.equal(torch.as_tensor(actual), torch.as_tensor(expected))


def test_the_declared_minimum_of_one_is_kept(tmp_path):
    graph = (
        package_of(tmp_path, Model(), torch.randn(3, 6), torch.export.Dim("b", min=1, max=8))
        .program.methods[0]
        .graph
    )
    sizes = {value.name: value.meta.sizes for value in graph.tensor_values}
    assert sizes[graph.inputs[0]] == [Dim(1, 8), Dim(6, 6)]
    assert sizes[graph.outputs[0]] == [Dim(3, 24)]


def test_a_dimension_without_a_maximum_is_unbounded(tmp_path):
    graph = (
        package_of(tmp_path, Model(), torch.randn(3, 6), torch.export.Dim.DYNAMIC).program.methods[0].graph
    )
    sizes = {value.name: value.meta.sizes for value in graph.tensor_values}
    assert sizes[graph.inputs[0]][0].max == -1


def test_sizes_are_references_to_nodes(tmp_path):
    graph = (
        package_of(tmp_path, Model(), torch.randn(3, 6), torch.export.Dim("b", min=1, max=8))
        .program.methods[0]
        .graph
    )
    by_name = {node.name: node for node in graph.nodes}
    view = next(
        node
        for node in graph.nodes
        if node.target in ("torch.ops.aten.view.default", "torch.ops.aten.reshape.default")
    )
    size = next(entry.arg.value for entry in view.inputs if entry.name == "size")
    assert isinstance(size, IntListArg)
    assert size.values[1] == -1 and size.refs[1] == ""
    product = by_name[size.refs[0]]
    assert product.target == "_operator.mul"
    assert product.outputs[0].kind is OutputValueKind.INT
    assert isinstance(product.inputs[0].arg.value, IntArg) and product.inputs[0].arg.value.ref


def test_a_number_among_the_results_is_in_the_output_node_only(tmp_path):
    method = package_of(
        tmp_path, Model(), torch.randn(3, 6), torch.export.Dim("b", min=1, max=8)
    ).program.methods[0]
    assert len(method.graph.nodes[-1].inputs) == 4
    assert len(method.graph.outputs) == len(method.output_specs) == 3


def test_shapes_that_depend_on_data_export(tmp_path):
    class Nonzero(torch.nn.Module):
        def forward(self, x):
            return x.nonzero() + 1, x * x.sum().item()

    session = Session(read_package(plumb.export(Nonzero().eval(), (torch.ones(4),), tmp_path / "m.ptn")))
    x = torch.tensor([0.0, 2.0, 0.0, 3.0])
    for actual, expected in zip(session.run(x), Nonzero()(x), strict=True):
        assert torch.equal(actual, expected)
