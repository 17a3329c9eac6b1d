"""State and constants of whole packages: mutated buffers, several methods, names that clash."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")

from interpreter import Session  # noqa: E402

import plumb  # noqa: E402
from plumb.exporter import ExportError  # noqa: E402
from plumb.package.container import read_package  # noqa: E402
from plumb.package.program import InputKind, OutputKind  # noqa: E402


class Counter(torch.nn.Module):
    def __init__(self, start: float, persistent: bool = True):
        super().__init__()
        self.register_buffer("total", torch.full((2,), start), persistent=persistent)

    def forward(self, x):
        before = self.total.clone()
        self.total.add_(x)
        return before, self.total


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 4, 2), persistent=False)

    def forward(self, x, position):
        self.keys.index_copy_(1, position, x)
        return self.keys.sum(dim=1)


class Reader(torch.nn.Module):
    """Reads the cache of the same name and never writes it."""

    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 4, 2), persistent=False)

    def forward(self, x):
        return self.keys + x


def export_one(tmp_path, model, *inputs):
    return read_package(plumb.export(copy.deepcopy(model).eval(), inputs, tmp_path / "m.ptn"))


def program(model, *inputs):
    with torch.no_grad():
        return torch.export.export(model.eval(), inputs)


def export_methods(tmp_path, **methods):
    return read_package(plumb.export(None, path=tmp_path / "m.ptn", methods=methods))


def test_a_mutated_buffer_lives_on_between_executions(tmp_path):
    package = export_one(tmp_path, Counter(7.0), torch.ones(2))
    session = Session(package)
    assert [float(session.run(torch.ones(2))[1][0]) for _ in range(3)] == [8.0, 9.0, 10.0]
    method = package.program.methods[0]
    assert [(ref.data_key, ref.kind, ref.mutated) for ref in method.constants] == [
        ("total", InputKind.BUFFER, True)
    ]


def test_one_value_may_be_written_back_and_returned(tmp_path):
    method = export_one(tmp_path, Counter(7.0), torch.ones(2)).program.methods[0]
    written, before, returned = method.output_specs
    assert (written.kind, written.target) == (OutputKind.BUFFER_MUTATION, "total")
    assert (before.kind, returned.kind) == (OutputKind.USER_OUTPUT, OutputKind.USER_OUTPUT)
    assert returned.name == written.name


def test_a_zero_buffer_that_is_mutated_and_not_persistent_carries_no_data(tmp_path):
    model = Cache()
    package = export_one(tmp_path, model, torch.ones(1, 1, 2), torch.tensor([0]))
    assert [spec.fqn for spec in package.program.methods[0].mutable_buffers] == ["keys"]
    assert package.constants == {}
    session = Session(package)
    for step in range(3):
        x, position = torch.full((1, 1, 2), step + 1.0), torch.tensor([step])
        torch.testing.assert_close(session.run(x, position)[0], model(x, position))


def test_a_mutated_buffer_that_is_not_persistent_keeps_values_other_than_zero(tmp_path):
    package = export_one(tmp_path, Counter(5.0, persistent=False), torch.ones(2))
    assert package.program.methods[0].mutable_buffers == []
    assert float(Session(package).run(torch.ones(2))[1][0]) == 6.0


def test_a_buffer_that_is_not_persistent_and_never_mutated_is_a_constant(tmp_path):
    class Rotary(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("inv_freq", torch.tensor([1.0, 0.5]), persistent=False)

        def forward(self, x):
            return x * self.inv_freq

    package = export_one(tmp_path, Rotary(), torch.ones(2))
    method = package.program.methods[0]
    assert method.mutable_buffers == []
    assert [(ref.data_key, ref.mutated) for ref in method.constants] == [("inv_freq", False)]


def test_a_mutated_input_is_visible_to_the_caller(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            x.add_(1)
            return x * 2

    package = export_one(tmp_path, Model(), torch.zeros(2))
    x = torch.zeros(2)
    assert torch.equal(Session(package).run(x)[0], torch.full((2,), 2.0))
    assert torch.equal(x, torch.ones(2))
    spec = package.program.methods[0].output_specs[0]
    assert (spec.kind, spec.target) == (OutputKind.USER_INPUT_MUTATION, "x")


def test_methods_share_constants_and_state(tmp_path):
    cache, reader = Cache(), Reader()
    package = export_methods(
        tmp_path,
        write=program(cache, torch.ones(1, 1, 2), torch.tensor([0])),
        read=program(reader, torch.zeros(1, 4, 2)),
    )
    assert [[spec.fqn for spec in method.mutable_buffers] for method in package.program.methods] == [
        ["keys"],
        ["keys"],
    ]
    session = Session(package)
    session.run(torch.ones(1, 1, 2), torch.tensor([2]), method="write")
    assert float(session.run(torch.zeros(1, 4, 2), method="read")[0].sum()) == 2.0


def test_state_is_mutable_in_methods_that_only_read_it(tmp_path):
    class Peek(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", torch.full((2,), 3.0))

        def forward(self, x):
            return self.total + x

    package = export_methods(
        tmp_path, count=program(Counter(3.0), torch.ones(2)), peek=program(Peek(), torch.ones(2))
    )
    assert [method.constants[0].mutated for method in package.program.methods] == [True, True]
    session = Session(package)
    session.run(torch.ones(2), method="count")
    assert float(session.run(torch.zeros(2), method="peek")[0][0]) == 4.0


def test_methods_of_one_model_store_its_weights_once(tmp_path):
    linear = torch.nn.Linear(4, 4)
    package = export_methods(
        tmp_path, a=program(linear, torch.ones(1, 4)), b=program(linear, torch.ones(3, 4))
    )
    assert sorted(package.constants) == ["bias", "weight"]


def test_constants_whose_names_clash_by_accident_are_told_apart(tmp_path):
    class Plus(torch.nn.Module):
        def __init__(self, value: float):
            super().__init__()
            self._value = value

        def forward(self, x):
            return x + torch.tensor([self._value])

    package = export_methods(
        tmp_path, a=program(Plus(1.0), torch.zeros(1)), b=program(Plus(2.0), torch.zeros(1))
    )
    session = Session(package)
    assert float(session.run(torch.zeros(1), method="a")[0]) == 1.0
    assert float(session.run(torch.zeros(1), method="b")[0]) == 2.0


def test_state_that_differs_between_methods_is_refused(tmp_path):
    methods = {"a": program(Counter(1.0), torch.ones(2)), "b": program(Counter(2.0), torch.ones(2))}
    with pytest.raises(ExportError, match="method 'b': buffer 'total' differs"):
        plumb.export(None, path=tmp_path / "m.ptn", methods=methods)
    assert not (tmp_path / "m.ptn").exists()


def test_buffers_that_share_memory_are_refused_when_one_is_written(tmp_path):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            memory = torch.zeros(4)
            self.register_buffer("a", memory[:2])
            self.register_buffer("b", memory[2:])

        def forward(self, x):
            self.a.add_(x)
            return self.a + self.b

    with pytest.raises(ExportError, match="'a' and 'b' share memory"):
        plumb.export(Model().eval(), (torch.ones(2),), tmp_path / "m.ptn")


def test_equal_weights_are_stored_once_and_state_never_shared(tmp_path):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Parameter(torch.ones(3))
            self.second = torch.nn.Parameter(torch.ones(3))
            self.register_buffer("state", torch.ones(3))

        def forward(self, x):
            self.state.add_(x)
            return self.first * self.second * self.state

    path = plumb.export(Model().eval(), (torch.ones(3),), tmp_path / "m.ptn")
    import json
    import zipfile

    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("aliases.json")) == {"second": "first"}
