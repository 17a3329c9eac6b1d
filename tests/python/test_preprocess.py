"""Pictures become inputs as the package says; the geometry is torchvision's."""

from __future__ import annotations

import json

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")

from plumb.fixture.kinds import KINDS  # noqa: E402
from plumb.package.container import write_package  # noqa: E402
from plumb.package.errors import PackageError  # noqa: E402
from plumb.package.metadata import make_metadata  # noqa: E402
from plumb.preprocess import main, preprocess  # noqa: E402


def picture(width: int, height: int) -> Image.Image:
    values = np.random.RandomState(0).randint(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(values)


def test_values_are_scaled_shifted_and_divided():
    image = picture(3, 2)
    settings = {"scale": 0.5, "mean": [1.0, 2.0, 3.0], "std": [4.0, 5.0, 6.0]}
    expected = (np.asarray(image) * 0.5 - [1, 2, 3]) / [4, 5, 6]
    np.testing.assert_array_equal(
        preprocess(image, settings), expected.transpose(2, 0, 1)[None].astype(np.float32)
    )


def test_channels_and_layout_can_be_others():
    image = picture(3, 2)
    result = preprocess(image, {"channels": "BGR", "layout": "NHWC", "mean": [1.0, 2.0, 3.0]})
    np.testing.assert_array_equal(
        result[0], np.asarray(image)[..., ::-1] - np.array([1.0, 2.0, 3.0], np.float32)
    )


@pytest.mark.parametrize(
    ("size", "expected"), [((10, 20), (5, 10)), ((20, 10), (10, 5)), ((10, 19), (5, 9)), ((7, 7), (5, 5))]
)
def test_the_shorter_side_is_resized_and_the_longer_one_rounded_down(size, expected):
    assert preprocess(picture(*size), {"resize": 5}).shape == (1, 3, expected[1], expected[0])


@pytest.mark.parametrize(("side", "crop", "start"), [(8, 4, 2), (7, 4, 2), (5, 4, 0), (4, 4, 0), (9, 4, 2)])
def test_the_crop_begins_at_half_the_rest_rounded_to_even(side, crop, start):
    image = picture(side, side)
    expected = np.asarray(image)[start : start + crop, start : start + crop].transpose(2, 0, 1)[None]
    np.testing.assert_array_equal(preprocess(image, {"crop": crop}), expected)


def test_a_picture_smaller_than_the_crop_is_padded_with_black():
    image = picture(3, 3)
    expected = np.zeros((6, 6, 3))
    expected[1:4, 1:4] = np.asarray(image)
    np.testing.assert_array_equal(preprocess(image, {"crop": 6}), expected.transpose(2, 0, 1)[None])


def test_grey_pictures_become_colour():
    assert preprocess(Image.new("L", (4, 4), 7), {}).shape == (1, 3, 4, 4)


def test_unknown_settings_are_refused():
    with pytest.raises(PackageError, match="unknown key 'size'"):
        preprocess(picture(2, 2), {"size": 2})


def test_the_command_follows_a_package(tmp_path, capsys):
    fixture = KINDS["tiny"]()
    fixture.package.metadata = make_metadata(fixture.labels, {"crop": 8, "scale": 1 / 255})
    write_package(tmp_path / "m.ptn", fixture.package)
    picture(9, 9).save(tmp_path / "p.png")
    assert main([str(tmp_path / "p.png"), str(tmp_path / "x.npy"), "--package", str(tmp_path / "m.ptn")]) == 0
    result = np.load(tmp_path / "x.npy")
    assert result.shape == (1, 3, 8, 8) and result.dtype == np.float32 and result.max() <= 1.0


def test_a_package_that_says_nothing_is_one_line_and_exit_2(tmp_path, capsys):
    write_package(tmp_path / "m.ptn", KINDS["tiny"]().package)
    picture(9, 9).save(tmp_path / "p.png")
    assert main([str(tmp_path / "p.png"), str(tmp_path / "x.npy"), "--package", str(tmp_path / "m.ptn")]) == 2
    assert "does not say how a picture becomes its input" in capsys.readouterr().err


def test_an_unreadable_picture_is_one_line_and_exit_2(tmp_path, capsys):
    (tmp_path / "p.png").write_bytes(b"no picture")
    (tmp_path / "p.json").write_text(json.dumps({"crop": 8}))
    assert (
        main([str(tmp_path / "p.png"), str(tmp_path / "x.npy"), "--preprocessing", str(tmp_path / "p.json")])
        == 2
    )
    assert len(capsys.readouterr().err.splitlines()) == 1
