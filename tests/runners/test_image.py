"""Pictures become inputs exactly as with Pillow and torchvision's rules."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from plumb_process import plumb

FILTERS = {
    "nearest": Image.Resampling.NEAREST,
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}


def noise(width: int, height: int, channels: int = 3, seed: int = 0) -> np.ndarray:
    """Noise over a gradient: high frequencies, and colours that saturate."""
    random = np.random.default_rng(seed)
    ramp = np.linspace(-60, 315, width)[None, :, None] + np.linspace(-40, 40, height)[:, None, None]
    values = ramp + random.normal(0, 60, (height, width, channels))
    return values.clip(0, 255).astype(np.uint8)


def preprocess(image_path, tmp_path, *flags) -> np.ndarray:
    out = tmp_path / "out.npy"
    out.unlink(missing_ok=True)
    result = plumb("preprocess", image_path, "--out", out, *flags)
    assert result.code == 0, result.err
    return np.load(out)


def pixels(image_path, tmp_path, *flags) -> np.ndarray:
    array = preprocess(image_path, tmp_path, *flags)
    assert array.dtype == np.float32 and array.shape[:2] == (1, 3)
    return array[0].transpose(1, 2, 0)


def resize_shorter(image: Image.Image, size: int, filter_name: str) -> Image.Image:
    width, height = image.size
    short, long = min(width, height), max(width, height)
    longer = int(size * long / short)
    return image.resize((size, longer) if width <= height else (longer, size), FILTERS[filter_name])


def crop_center(image: Image.Image, size: int) -> Image.Image:
    width, height = image.size
    left, top = max(0, size - width) // 2, max(0, size - height) // 2
    padded = Image.new("RGB", (max(width, size), max(height, size)))
    padded.paste(image, (left, top))
    x, y = round((padded.width - size) / 2.0), round((padded.height - size) / 2.0)
    return padded.crop((x, y, x + size, y + size))


SIZES = [(64, 48), (47, 63), (33, 33), (100, 7), (1, 1), (5, 200)]


@pytest.mark.parametrize("interpolation", FILTERS)
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("target", [1, 7, 32, 33, 48, 131])
def test_resizes_bit_for_bit_as_pillow(tmp_path, interpolation, width, height, target):
    image = Image.fromarray(noise(width, height))
    image.save(tmp_path / "picture.png")
    ours = pixels(tmp_path / "picture.png", tmp_path, "--resize", target, "--interpolation", interpolation)
    theirs = np.asarray(resize_shorter(image, target, interpolation))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("size", [1, 6, 7, 33, 34, 120])
def test_crops_and_pads_as_torchvision(tmp_path, width, height, size):
    image = Image.fromarray(noise(width, height))
    image.save(tmp_path / "picture.png")
    ours = pixels(tmp_path / "picture.png", tmp_path, "--crop", size)
    np.testing.assert_array_equal(ours, np.asarray(crop_center(image, size)))


def test_normalises_each_channel(tmp_path):
    values = noise(9, 8)
    Image.fromarray(values).save(tmp_path / "picture.png")
    flags = ("--scale", repr(1 / 255), "--mean", "0.485,0.456,0.406", "--std", "0.229,0.224,0.225")
    ours = pixels(tmp_path / "picture.png", tmp_path, *flags)
    theirs = (values / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)


def test_one_mean_and_std_stand_for_all_channels(tmp_path):
    values = noise(9, 8)
    Image.fromarray(values).save(tmp_path / "picture.png")
    ours = pixels(tmp_path / "picture.png", tmp_path, "--mean", "127", "--std", "128")
    np.testing.assert_allclose(ours, (values - 127.0) / 128, rtol=1e-6, atol=1e-7)


def save_png(mode: str) -> bytes:
    rgba = noise(21, 13, 4)
    buffer = io.BytesIO()
    image = {
        "RGB": lambda: Image.fromarray(rgba[..., :3]),
        "RGBA": lambda: Image.fromarray(rgba),
        "L": lambda: Image.fromarray(rgba[..., 0]),
        "LA": lambda: Image.fromarray(rgba).convert("LA"),
        "1": lambda: Image.fromarray(rgba[..., 0]).convert("1"),
        "P": lambda: Image.fromarray(rgba[..., :3]).quantize(200),
        "P4": lambda: Image.fromarray(rgba[..., :3]).quantize(11),
        "P2": lambda: Image.fromarray(rgba[..., :3]).quantize(3),
        "I;16": lambda: Image.fromarray((rgba[..., 0].astype(np.uint16) << 8) | rgba[..., 1]),
        "I;16 dark": lambda: Image.fromarray(rgba[..., 0].astype(np.uint16) * 2),
    }[mode]()
    image.save(buffer, "PNG")
    return buffer.getvalue()


PNG_MODES = ["RGB", "RGBA", "L", "LA", "1", "P", "P4", "P2", "I;16", "I;16 dark"]


@pytest.mark.parametrize("mode", PNG_MODES)
def test_decodes_every_kind_of_png_as_pillow(tmp_path, mode):
    path = tmp_path / "picture.png"
    path.write_bytes(save_png(mode))
    np.testing.assert_array_equal(pixels(path, tmp_path), np.asarray(Image.open(path).convert("RGB")))


def test_a_transparent_colour_of_a_palette_is_dropped(tmp_path):
    path = tmp_path / "picture.png"
    Image.fromarray(noise(21, 13)).quantize(16).save(path, transparency=3)
    np.testing.assert_array_equal(pixels(path, tmp_path), np.asarray(Image.open(path).convert("RGB")))


def png_of(width: int, height: int, depth: int, colour: int, rows: bytes) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(("colour", "channels"), [(0, 1), (2, 3), (4, 2), (6, 4)])
@pytest.mark.parametrize("depth", [8, 16])
def test_decodes_8_and_16_bits_of_every_colour_type(tmp_path, colour, channels, depth):
    width, height = 7, 5
    random = np.random.default_rng(colour)
    rows = random.integers(0, 256, (height, width * channels * depth // 8), dtype=np.uint8)
    path = tmp_path / "picture.png"
    path.write_bytes(png_of(width, height, depth, colour, b"".join(b"\0" + row.tobytes() for row in rows)))
    np.testing.assert_array_equal(pixels(path, tmp_path), np.asarray(Image.open(path).convert("RGB")))


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_decodes_grey_of_few_bits(tmp_path, depth):
    rows = np.random.default_rng(depth).integers(0, 256, (5, depth), dtype=np.uint8)
    path = tmp_path / "picture.png"
    path.write_bytes(png_of(8, 5, depth, 0, b"".join(b"\0" + row.tobytes() for row in rows)))
    np.testing.assert_array_equal(pixels(path, tmp_path), np.asarray(Image.open(path).convert("RGB")))


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("subsampling", [0, 1, 2])
@pytest.mark.parametrize("progressive", [False, True])
def test_decodes_jpeg_within_one_level_of_pillow(tmp_path, mode, subsampling, progressive):
    path = tmp_path / "picture.jpg"
    image = Image.fromarray(noise(53, 37)).convert(mode)
    image.save(path, quality=88, subsampling=subsampling, progressive=progressive)
    theirs = np.asarray(Image.open(path).convert("RGB")).astype(int)
    assert np.abs(pixels(path, tmp_path) - theirs).max() <= 1


def test_ignores_exif_orientation_as_pillow_does(tmp_path):
    path = tmp_path / "picture.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated
    Image.fromarray(noise(40, 24)).save(path, exif=exif)
    theirs = np.asarray(Image.open(path).convert("RGB")).astype(int)
    ours = pixels(path, tmp_path)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= 1


@pytest.mark.parametrize("name", ["picture.jpg", "picture.png"])
def test_refuses_every_truncation(tmp_path, name):
    path = tmp_path / name
    Image.fromarray(noise(24, 16)).save(path)
    whole = path.read_bytes()
    for length in range(0, len(whole) - 20, 97):
        path.write_bytes(whole[:length])
        result = plumb("preprocess", path, "--out", tmp_path / "out.npy")
        assert result.code == 2
        assert f"cannot decode {path}" in result.error
        assert not (tmp_path / "out.npy").exists()


def test_refuses_a_picture_that_claims_too_many_pixels(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(png_of(0x7FFFFFFF, 0x7FFFFFFF, 8, 2, b""))
    result = plumb("preprocess", path, "--out", tmp_path / "out.npy")
    assert result.code == 2
    assert "2147483647 x 2147483647" in result.error


def test_never_writes_over_an_existing_file(tmp_path):
    Image.fromarray(noise(8, 8)).save(tmp_path / "picture.png")
    (tmp_path / "out.npy").write_bytes(b"precious")
    result = plumb("preprocess", tmp_path / "picture.png", "--out", tmp_path / "out.npy")
    assert result.code == 2
    assert "File exists" in result.error
    assert (tmp_path / "out.npy").read_bytes() == b"precious"
