"""What cannot be exported is refused with a message that names it, and leaves no file."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import plumb  # noqa: E402
from plumb.exporter import ExportError  # noqa: E402
from plumb.package.errors import PackageError  # noqa: E402


class Fft(torch.nn.Module):
    def forward(self, x):
        return torch.fft.rfft(x).abs()


class Restride(torch.nn.Module):
    def forward(self, x):
        return x.t().as_strided((2, 2), (1, 2))


class Scaled(torch.nn.Module):
    def forward(self, x, n):
        return x * n


def refused(tmp_path, match, model, inputs, **options):
    path = tmp_path / "m.ptn"
    if isinstance(model, torch.nn.Module):
        model.eval()
    with pytest.raises((ExportError, PackageError), match=match):
        plumb.export(model, inputs, path, **options)
    assert list(tmp_path.iterdir()) == []


def test_complex_values_are_refused(tmp_path):
    refused(tmp_path, "method 'forward': value .* has dtype torch.complex64", Fft(), (torch.ones(4),))


def test_views_of_memory_that_is_not_contiguous_are_refused(tmp_path):
    refused(tmp_path, "as_strided on a tensor of sizes", Restride(), (torch.ones(2, 3),))


def test_a_number_as_dynamic_input_is_refused(tmp_path):
    refused(
        tmp_path,
        "input 'n' is no tensor",
        Scaled(),
        (torch.ones(2), 3),
        dynamic_shapes={"x": None, "n": torch.export.Dim.DYNAMIC},
    )


def test_a_module_without_example_inputs_is_refused(tmp_path):
    refused(tmp_path, "example_inputs are missing", Fft(), None)


def test_something_that_is_no_model_is_refused(tmp_path):
    refused(tmp_path, "cannot export a str", "model", None)


def test_nothing_to_export_is_refused(tmp_path):
    refused(tmp_path, "nothing to export", None, None)


def test_methods_must_be_exported_programs(tmp_path):
    refused(tmp_path, "method 'decode' is a Fft", None, None, methods={"decode": Fft()})


def test_a_method_given_twice_is_refused(tmp_path):
    program = torch.export.export(Scaled(), (torch.ones(2), torch.ones(2)))
    refused(tmp_path, "method 'forward' is given twice", program, None, methods={"forward": program})


@pytest.mark.parametrize(
    ("preprocessing", "match"),
    [
        ({"size": 3}, "unknown key 'size'"),
        ({"resize": 0}, "resize is 0"),
        ({"mean": [0.0]}, "mean is .* expected three numbers"),
        ({"std": [1.0, 0.0, 1.0]}, "std holds 0"),
        (
            {"interpolation": "cubic"},
            "interpolation is 'cubic'; expected one of nearest, bilinear, bicubic, lanczos",
        ),
        ({"scale": float("nan")}, "scale is nan"),
    ],
)
def test_bad_preprocessing_is_refused(tmp_path, preprocessing, match):
    refused(tmp_path, match, torch.nn.ReLU(), (torch.ones(2),), preprocessing=preprocessing)


def test_labels_of_several_lines_are_refused(tmp_path):
    refused(tmp_path, "label 1 is", torch.nn.ReLU(), (torch.ones(2),), labels=["a", "b\nc"])
