"""Pictures as inputs of the classification runner: the package's preprocessing, and flags over it."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from plumb.fixture.kinds import KINDS
from plumb.package.container import write_package
from plumb.package.metadata import make_metadata
from plumb_process import plumb

OWN = {
    "resize": 10,
    "crop": 8,
    "interpolation": "bicubic",
    "scale": 1 / 255,
    "mean": [0.5, 0.4, 0.3],
    "std": [0.2] * 3,
}
OWN_FLAGS = ["--resize", "10", "--crop", "8", "--interpolation", "bicubic"]
OWN_FLAGS += ["--scale", repr(1 / 255), "--mean", "0.5,0.4,0.3", "--std", "0.2"]
CHANGES = ["--resize 8", "--interpolation lanczos", "--scale 0.01", "--mean 0", "--std 1,2,3"]


@pytest.fixture
def package(tmp_path):
    """The tiny classifier with preprocessing of its own."""
    fixture = KINDS["tiny"]()
    fixture.package.metadata = make_metadata(fixture.labels, OWN)
    write_package(str(tmp_path / "p.ptn"), fixture.package)
    return tmp_path / "p.ptn"


@pytest.fixture(params=["png", "jpg"])
def picture(request, tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (17, 23, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / f"picture.{request.param}")
    return tmp_path / f"picture.{request.param}"


def logits(classify, tmp_path, package, source, *flags):
    dump = tmp_path / "out.bin"
    dump.unlink(missing_ok=True)
    result = classify("--package", package, "--input", source, "--dump_output", dump, *flags)
    assert result.code == 0, result.err
    return dump.read_bytes()


def preprocessed(tmp_path, picture, *flags):
    out = tmp_path / "x.npy"
    out.unlink(missing_ok=True)
    assert plumb("preprocess", picture, "--out", out, *flags).code == 0
    return out


def test_the_package_says_how(classify, tmp_path, package, picture):
    x = preprocessed(tmp_path, picture, *OWN_FLAGS)
    assert logits(classify, tmp_path, package, picture) == logits(classify, tmp_path, package, x)
    same = preprocessed(tmp_path, picture, "--package", package)
    assert logits(classify, tmp_path, package, picture) == logits(classify, tmp_path, package, same)


@pytest.mark.parametrize("flags", [change.split() for change in CHANGES], ids=CHANGES)
def test_a_flag_replaces_one_value_of_it(classify, tmp_path, package, picture, flags):
    changed = logits(classify, tmp_path, package, picture, *flags)
    x = preprocessed(tmp_path, picture, "--package", package, *flags)
    assert changed == logits(classify, tmp_path, package, x)
    assert changed != logits(classify, tmp_path, package, picture)


@pytest.mark.parametrize("channels", ["RGB", "BGR"])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_channel_order_and_layout_are_the_packages(tmp_path, package, picture, channels, layout):
    own = np.load(preprocessed(tmp_path, picture, "--package", package, "--mean", "0"))
    fixture = KINDS["tiny"]()
    settings = {**OWN, "mean": [0.0] * 3, "channels": channels, "layout": layout}
    fixture.package.metadata = make_metadata(fixture.labels, settings)
    write_package(str(tmp_path / "other.ptn"), fixture.package)
    other = np.load(preprocessed(tmp_path, picture, "--package", tmp_path / "other.ptn"))
    expected = own[:, ::-1] if channels == "BGR" else own
    np.testing.assert_array_equal(other, expected.transpose(0, 2, 3, 1) if layout == "NHWC" else expected)


def test_flags_serve_a_package_that_says_nothing(classify, tmp_path, tiny, package, picture):
    own = logits(classify, tmp_path, package, picture)
    assert logits(classify, tmp_path, tiny.package, picture, *OWN_FLAGS) == own


def test_without_either_a_picture_is_refused(classify, tiny, tmp_path, picture):
    result = classify("--package", tiny.package, "--input", picture, "--dump_output", tmp_path / "out.bin")
    assert result.code == 2
    assert "--resize" in result.error and "--mean" in result.error
    assert not (tmp_path / "out.bin").exists()


def test_a_picture_of_another_size_tells_both(classify, package, picture):
    result = classify("--package", package, "--input", picture, "--crop", "9")
    assert result.code == 2
    assert "float32[1, 3, 9, 9]" in result.error and "float32[1, 3, 8, 8]" in result.error


def test_a_method_that_takes_no_pictures_refuses_them(classify, fixture_of, picture):
    result = classify("--package", fixture_of("identity").package, "--input", picture, "--scale", "1")
    assert result.code == 2
    assert "float32[1, 8]" in result.error
