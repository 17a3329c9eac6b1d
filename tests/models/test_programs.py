"""Small programs for what whole models miss: state, aliasing, dynamic shapes, several results and methods."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim

import plumb
from plumb_process import plumb as run_plumb

ENGINES = ["reference", "cpu"]


def run(package, folder, executions, engine, *options):
    """Results of each execution (a tuple of arrays, or of a method name and arrays), in one session."""
    folder.mkdir()
    arguments = []
    for step, execution in enumerate(executions):
        method, arrays = execution if isinstance(execution[0], str) else ("forward", execution)
        paths = []
        for index, array in enumerate(arrays):
            paths.append(str(folder / f"{step}_{index}.npy"))
            np.save(paths[-1], array)
        arguments += ["--method", method, "--inputs", ",".join(paths)]
    out = folder / "out"
    done = run_plumb("run", "--package", package, "--engine", engine, *arguments, "--outputs", out, *options)
    assert done.code == 0, done.err
    folders = [out] if len(executions) == 1 else [out / str(step) for step in range(len(executions))]
    return [[np.load(path) for path in sorted(f.glob("out*.npy"))] for f in folders]


def tensor(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


class Swap(nn.Module):
    """Two buffers that change places, and a view of one that is returned."""

    def __init__(self):
        super().__init__()
        self.register_buffer("a", torch.arange(6.0).reshape(2, 3))
        self.register_buffer("b", -torch.arange(6.0).reshape(2, 3))

    def forward(self, x):
        old = self.a.clone()
        view = self.a.t()
        result = view + x
        self.a.copy_(self.b)
        self.b.copy_(old)
        return result, old


@pytest.mark.parametrize("engine", ENGINES)
def test_buffers_that_change_places_keep_their_values(tmp_path, engine):
    x = tensor(3, 2)
    package = plumb.export(Swap(), (x,), tmp_path / "m.ptn")
    model = Swap()
    for outputs in run(package, tmp_path / "r", [(x.numpy(),)] * 3, engine):
        for actual, expected in zip(outputs, model(x), strict=True):
            np.testing.assert_array_equal(actual, expected.numpy())


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.full((2,), 7.0))

    def forward(self, x):
        self.count.add_(x)
        return self.count.clone(), self.count * 2


@pytest.mark.parametrize("engine", ENGINES)
def test_state_lives_on_between_executions_and_a_new_process_starts_afresh(tmp_path, engine):
    x = torch.ones(2)
    package = plumb.export(Counter(), (x,), tmp_path / "m.ptn")
    for attempt in ("first", "second"):
        outputs = run(package, tmp_path / attempt, [(x.numpy(),)] * 2, engine)
        assert [o[0].tolist() for o in outputs] == [[8.0, 8.0], [9.0, 9.0]]
        assert outputs[1][1].tolist() == [18.0, 18.0]


class Shapes(nn.Module):
    def forward(self, x):
        return x, x, x.transpose(0, 1), x.reshape(-1)[1:], x.sum()


@pytest.mark.parametrize("engine", ENGINES)
def test_results_may_be_inputs_duplicates_views_and_scalars(tmp_path, engine):
    x = tensor(3, 4)
    package = plumb.export(Shapes(), (x,), tmp_path / "m.ptn")
    (outputs,) = run(package, tmp_path / "r", [(x.numpy(),)], engine)
    for actual, expected in zip(outputs, Shapes()(x), strict=True):
        assert actual.shape == tuple(expected.shape)
        np.testing.assert_allclose(actual, expected.numpy(), rtol=1e-6)


class Dynamic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 20, 3, padding=1)
        self.norm = nn.GroupNorm(4, 20)
        self.head = nn.Linear(20, 5)

    def forward(self, x):
        x = torch.nn.functional.gelu(self.norm(self.conv(x)))
        return self.head(x.flatten(2).mean(-1)) + x.shape[0]


@pytest.mark.parametrize("engine", ENGINES)
def test_dynamic_sizes_may_grow_and_shrink_in_one_session_with_the_bits_of_a_fresh_one(tmp_path, engine):
    torch.manual_seed(0)
    model = Dynamic().eval()
    shapes = {"x": {0: Dim("n", min=1, max=8), 2: Dim("h", min=3, max=33), 3: Dim("w", min=3, max=33)}}
    package = plumb.export(model, (tensor(2, 3, 8, 9),), tmp_path / "m.ptn", dynamic_shapes=shapes)
    sizes = [(1, 3, 3), (8, 33, 33), (1, 3, 3), (3, 17, 5), (2, 8, 9), (8, 33, 33), (1, 32, 7)]
    inputs = [tensor(n, 3, h, w, seed=i) for i, (n, h, w) in enumerate(sizes)]
    together = run(package, tmp_path / "together", [(x.numpy(),) for x in inputs], engine)
    for step, x in enumerate(inputs):
        with torch.no_grad():
            np.testing.assert_allclose(together[step][0], model(x).numpy(), rtol=1e-5, atol=1e-5)
        (alone,) = run(package, tmp_path / f"alone{step}", [(x.numpy(),)], engine)
        assert alone[0].tobytes() == together[step][0].tobytes()


def test_a_size_outside_its_range_is_refused_with_the_range(tmp_path):
    model = Dynamic().eval()
    shapes = {"x": {0: Dim("n", min=1, max=8), 2: None, 3: None}}
    package = plumb.export(model, (tensor(2, 3, 8, 9),), tmp_path / "m.ptn", dynamic_shapes=shapes)
    np.save(tmp_path / "x.npy", np.zeros((9, 3, 8, 9), np.float32))
    done = run_plumb(
        "run", "--package", package, "--inputs", tmp_path / "x.npy", "--outputs", tmp_path / "out"
    )
    assert done.code == 2
    assert "1..8" in done.error and "[9, 3, 8, 9]" in done.error
    assert not (tmp_path / "out" / "out0.npy").exists()


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(tensor(4, 4))
        self.register_buffer("total", torch.zeros(4))


class Add(Shared):
    def forward(self, x):
        self.total.add_(x @ self.weight)
        return self.total.clone()


class Read(Shared):
    def forward(self, x):
        return self.total - x


@pytest.mark.parametrize("engine", ENGINES)
def test_methods_of_one_package_share_their_state_and_constants(tmp_path, engine):
    x = tensor(4)
    methods = {name: torch.export.export(module, (x,)) for name, module in (("add", Add()), ("read", Read()))}
    package = plumb.export(None, path=tmp_path / "m.ptn", methods=methods)
    steps = [("read", (x.numpy(),)), ("add", (x.numpy(),)), ("read", (x.numpy(),))]
    outputs = run(package, tmp_path / "r", steps, engine)
    total = (x @ Shared().weight).detach()
    np.testing.assert_array_equal(outputs[0][0], -x.numpy())
    np.testing.assert_allclose(outputs[1][0], total.numpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(outputs[2][0], (total - x).numpy(), rtol=1e-5, atol=1e-6)


LAYERS = {
    "transposed convolution": (
        nn.ConvTranspose2d(3, 5, 3, stride=2, padding=1, output_padding=1),
        (2, 3, 7, 6),
    ),
    "1-d convolution": (nn.Conv1d(6, 9, 5, stride=2, padding=3, dilation=2, groups=3), (2, 6, 31)),
    "3-d convolution": (nn.Conv3d(2, 4, 3, padding=1), (1, 2, 5, 6, 7)),
    "grouped convolution": (nn.Conv2d(12, 18, (3, 5), padding=(2, 1), groups=6), (2, 12, 9, 11)),
    "convolution without bias": (nn.Conv2d(4, 7, 2, bias=False), (1, 4, 5, 5)),
    "same padding, even kernel": (nn.Conv2d(4, 7, 4, padding="same"), (1, 4, 9, 5)),
    "batch norm alone": (nn.BatchNorm2d(6), (2, 6, 5, 3)),
    "lstm": (nn.LSTM(5, 7, num_layers=2, batch_first=True), (2, 6, 5)),
    "transformer layer": (nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), (2, 9, 16)),
    "adaptive pooling": (nn.AdaptiveAvgPool2d((3, 2)), (2, 5, 7, 11)),
    "max pooling with ceil": (nn.MaxPool2d(3, stride=2, ceil_mode=True), (1, 4, 8, 8)),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", LAYERS)
def test_layers_match_pytorch(tmp_path, name, engine):
    torch.manual_seed(1)
    module, shape = LAYERS[name]
    module = module.eval()
    x = tensor(*shape)
    package = plumb.export(module, (x,), tmp_path / "m.ptn")
    (outputs,) = run(package, tmp_path / "r", [(x.numpy(),)], engine)
    with torch.no_grad():
        expected = torch.utils._pytree.tree_leaves(module(x))
    for actual, wanted in zip(outputs, expected, strict=True):
        np.testing.assert_allclose(actual, wanted.numpy(), rtol=1e-5, atol=1e-5)
