"""What is exported computes what the model computes: packages are run with PyTorch's own operators."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from interpreter import Session  # noqa: E402

import plumb  # noqa: E402
from plumb.package.container import Package, read_package  # noqa: E402
from plumb.package.program import OutputValueKind  # noqa: E402

F = torch.nn.functional


class Function(torch.nn.Module):
    def __init__(self, function, **tensors):
        super().__init__()
        self._function = function
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor)

    def forward(self, *inputs):
        tensors = dict(self.named_buffers())
        return self._function(*inputs, **tensors)


def exported(tmp_path, model, inputs, **options) -> Package:
    path = plumb.export(model.eval(), inputs, tmp_path / "model.ptn", **options)
    return read_package(path)


def flat(result) -> list:
    return [result] if isinstance(result, torch.Tensor) else list(result)


def assert_same(actual: list, expected: list) -> None:
    assert len(actual) == len(expected)
    for a, e in zip(actual, expected, strict=True):
        if isinstance(e, torch.Tensor):
            torch.testing.assert_close(a, e, equal_nan=True)
        else:
            assert a == e


def check(tmp_path, model, *inputs) -> Package:
    package = exported(tmp_path, model, inputs)
    with torch.no_grad():
        expected = flat(model(*[each.clone() for each in inputs]))
    assert_same(Session(package).run(*[each.clone() for each in inputs]), expected)
    return package


def targets(package: Package, method: int = 0) -> list[str]:
    return [node.target for node in package.program.methods[method].graph.nodes if node.target]


X = torch.linspace(-2, 3, 24).reshape(2, 3, 4)
IMAGE = torch.randn(1, 4, 6, 6, generator=torch.Generator().manual_seed(0))

MULTIPLE_RESULTS = {
    "topk": lambda x: [part + 1 for part in torch.topk(x, 2)],
    "sort": lambda x: x.sort(dim=1),
    "max_with_indices": lambda x: x.max(dim=1),
    "second_result_only": lambda x: x.max(dim=1)[1] * 2,
    "same_result_twice": lambda x: (x.sort()[0] + 1, x.sort()[0] * 2),
    "split": lambda x: [part * 2 for part in torch.split(x, [1, 2], dim=1)],
    "split_with_an_unused_part": lambda x: torch.split(x, [1, 2], dim=1)[1] + 1,
    "chunk": lambda x: torch.chunk(x, 2, dim=2),
    "unbind": lambda x: torch.stack([part + index for index, part in enumerate(x.unbind(0))]),
    "var_mean": lambda x: torch.var_mean(x, dim=1),
    "layer_norm": lambda x: F.layer_norm(x, (4,)) + 1,
    "group_norm": lambda x: F.group_norm(x, 3) + 1,
    "max_pool_with_indices": lambda x: F.max_pool2d(x, 2, return_indices=True),
    "max_pool_feeding_an_operator": lambda x: F.max_pool2d(x, 2) + 1,
}


@pytest.mark.parametrize("name", MULTIPLE_RESULTS)
def test_operators_with_several_results_export(tmp_path, name):
    check(tmp_path, Function(MULTIPLE_RESULTS[name]), IMAGE[0] if name.startswith("max_pool") else X)


ARGUMENTS = {
    "infinite_and_nan_literals": lambda x: (
        x.masked_fill(x > 1, float("-inf")),
        x.masked_fill(x > 1, float("nan")),
    ),
    "a_negative_zero_literal": lambda x: 1 / torch.full_like(x, -0.0),
    "a_dtype": lambda x: x.to(torch.float64),
    "half_precision": lambda x: x.half() + x.bfloat16(),
    "an_integer_for_a_float": lambda x: torch.ops.aten.hardtanh(x, 0, 1),
    "optional_indices": lambda x: x[:, torch.tensor([2, 0])],
    "scale_factors": lambda x: F.interpolate(x[None], scale_factor=2.0, mode="bilinear"),
    "memory_format": lambda x: x[None].contiguous(memory_format=torch.channels_last) * 2,
    "an_empty_list": lambda x: torch.ones([]) + x.sum(dim=[0, 1, 2]),
    "a_string": lambda x: F.gelu(x, approximate="tanh"),
    "einsum": lambda x: torch.einsum("abc,adc->abd", x, x),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_of_every_kind_export(tmp_path, name):
    check(tmp_path, Function(ARGUMENTS[name]), X)


def test_the_sign_of_a_zero_literal_is_kept(tmp_path):
    package = exported(tmp_path, Function(lambda x: 1 / torch.full_like(x, -0.0)), (X,))
    assert torch.all(Session(package).run(X)[0] == float("-inf"))


def test_linear_matmul_addmm_and_attention_stay_whole(tmp_path):
    def model(x, w, b):
        y = F.linear(x, w, b)
        y = torch.addmm(b, y[0], w) + torch.matmul(x, w)
        return F.scaled_dot_product_attention(y[:, None], y[:, None], y[:, None])

    package = check(tmp_path, Function(model, w=torch.randn(4, 4), b=torch.randn(4)), X)
    for op in ("linear", "addmm", "matmul", "scaled_dot_product_attention"):
        assert f"torch.ops.aten.{op}.default" in targets(package)


def test_batch_norm_exports_without_folding(tmp_path):
    model = torch.nn.Sequential(torch.nn.Conv2d(4, 5, 3), torch.nn.BatchNorm2d(5), torch.nn.ReLU())
    package = check(tmp_path, model, IMAGE)
    assert "torch.ops.aten._native_batch_norm_legit_no_training.default" in targets(package)
    assert "1.num_batches_tracked" not in package.constants


def test_a_recurrent_layer_exports(tmp_path):
    model = torch.nn.LSTM(4, 3, batch_first=True)
    package = exported(tmp_path, model, (X,))
    with torch.no_grad():
        output, (hidden, cell) = model(X)
    assert_same(Session(package).run(X), [output, hidden, cell])


def test_outputs_pass_through_repeat_and_may_be_literals(tmp_path):
    package = check(tmp_path, Function(lambda x, y: (x, x + y, 7, None, x + y, y, True, 2.5, x)), X, X + 1)
    graph = package.program.methods[0].graph
    assert len(graph.outputs) == 5
    assert [spec.name for spec in package.program.methods[0].output_specs] == graph.outputs


def test_unused_inputs_keep_their_place(tmp_path):
    package = check(tmp_path, Function(lambda x, y, z: z - x), X, X, X * 2)
    assert len(package.program.methods[0].graph.inputs) == 3


def test_keyword_inputs_export(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, *, a, b):
            return a - b

    package = exported(tmp_path, Model(), {"a": X, "b": X * 2})
    assert_same(Session(package).run(X, X * 2), [-X])


def test_non_contiguous_constants_are_stored_contiguous(tmp_path):
    tensors = {
        "t": torch.randn(4, 3).t(),
        "e": torch.randn(1, 4).expand(3, 4),
        "s": torch.randn(6, 8)[::2, ::2],
    }
    package = check(tmp_path, Function(lambda x, t, e, s: x * t + e - s, **tensors), X)
    assert all(constant.data.nbytes == 48 for constant in package.constants.values())


def test_constants_of_every_dtype_survive(tmp_path):
    dtypes = (
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.float16,
        torch.float64,
        torch.bool,
        torch.bfloat16,
    )
    tensors = {str(dtype).replace("torch.", "of_"): torch.tensor([0, 1, 1], dtype=dtype) for dtype in dtypes}
    model = Function(lambda x, **t: [value.clone() for value in t.values()], **tensors)
    assert len(check(tmp_path, model, X).constants) == len(dtypes)


def test_scalar_and_empty_constants_export(tmp_path):
    model = Function(lambda x, s, e: (x + s, torch.cat([e, x[0]])), s=torch.tensor(2.0), e=torch.empty(0, 4))
    check(tmp_path, model, X)


def test_branches_become_nested_graphs(tmp_path):
    def model(p, x):
        return torch.cond(p.sum() > 0, lambda x: (x + 1, x * 2), lambda x: (x - 1, x * 3), (x,))

    package = check(tmp_path, Function(model), torch.ones(1), X)
    assert_same(Session(package).run(-torch.ones(1), X), [X - 1, X * 3])


def test_constants_inside_nested_branches_become_operands(tmp_path):
    def inner(x):
        return torch.cond(
            x.sum() > 0, lambda x: x + torch.tensor([1.0, 2.0]), lambda x: x - torch.tensor([3.0, 4.0]), (x,)
        )

    def model(p, x):
        return torch.cond(p.sum() > 0, inner, lambda x: x * torch.tensor([5.0, 6.0]), (x,))

    package = exported(tmp_path, Function(model), (torch.ones(1), torch.ones(2)))
    for sign, x in ((1.0, torch.ones(2)), (1.0, -torch.ones(2)), (-1.0, torch.ones(2))):
        p = torch.tensor([sign])
        assert_same(Session(package).run(p, x), [model(p, x)])


def test_loops_become_nested_graphs(tmp_path):
    def model(x):
        loop = torch._higher_order_ops.while_loop
        return loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (torch.tensor(0), x))

    package = exported(tmp_path, Function(model), (X,))
    assert_same(Session(package).run(X), [torch.tensor(3), X * 8])


def test_layout_restatements_vanish(tmp_path):
    model = torch.nn.Sequential(torch.nn.AdaptiveAvgPool1d(1), torch.nn.Flatten())
    package = check(tmp_path, model, X)
    assert "torch.ops.aten.as_strided.default" not in targets(package)


def test_a_list_of_results_names_its_parts(tmp_path):
    package = exported(tmp_path, Function(lambda x: torch.split(x, [1, 2], dim=1)[1] + 1), (X,))
    node = next(n for n in package.program.methods[0].graph.nodes if "split" in (n.target or ""))
    assert node.outputs[0].kind is OutputValueKind.TENSOR_LIST
    assert len(node.outputs[0].names) == 2
    assert node.outputs[0].name == ""


def test_views_name_what_they_alias(tmp_path):
    package = exported(tmp_path, Function(lambda x: x.transpose(0, 1) + 1), (X,))
    view = next(
        n
        for n in package.program.methods[0].graph.nodes
        if "permute" in (n.target or "") or "transpose" in (n.target or "")
    )
    assert view.outputs[0].alias_of == package.program.methods[0].graph.inputs[0]


def test_an_exported_program_under_no_grad_has_no_wrapper(tmp_path):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 2)

        def forward(self, x):
            with torch.no_grad():
                return self.linear(x)

    program = torch.export.export(Model().eval(), (X,))
    path = plumb.export(program, path=tmp_path / "m.ptn")
    assert targets(read_package(path)) == ["torch.ops.aten.linear.default"]


def test_a_model_in_training_mode_is_exported_for_inference_and_left_as_it_was(tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
    model[0].eval()
    with pytest.warns(UserWarning, match="training mode"):
        path = plumb.export(model, (X,), tmp_path / "m.ptn")
    assert [model.training, model[0].training, model[1].training] == [True, False, True]
    with torch.no_grad():
        assert_same(Session(read_package(path)).run(X), [model[0](X)])
