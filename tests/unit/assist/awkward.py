"""Photos as people really send them: too dark, turned, of odd formats, broken, and no photos at all.

Each maker writes one small file and returns its path. What is readable says SALT.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import PIL.ImageFont

from tests.heic import SALT

Maker = Callable[[Path], Path]
SIZE = (240, 160)


def sign(word: str = "SALT", size: tuple[int, int] = SIZE, mode: str = "RGB") -> PIL.Image.Image:
    """Returns a card with a word on it: dark letters in the middle of a light ground."""
    light: tuple[int, ...] | int = (235, 230, 220) if mode == "RGB" else 230
    dark: tuple[int, ...] | int = (20, 20, 30) if mode == "RGB" else 20
    photo = PIL.Image.new(mode, size, light)
    draw = PIL.ImageDraw.Draw(photo)
    draw.text((size[0] / 2, size[1] / 2), word, dark, PIL.ImageFont.load_default(48), anchor="mm")
    return photo


def _saved(photo: PIL.Image.Image, path: Path, **options: Any) -> Path:
    photo.save(path, **options)
    return path


def _random(size: tuple[int, int] = SIZE) -> PIL.Image.Image:
    rng = np.random.default_rng(10)
    return PIL.Image.fromarray(rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8))


def dark(path: Path) -> Path:
    """Writes a photo taken at night: all of it nearly black."""
    return _saved(sign().point(lambda value: value // 40), path / "dark.png")


def blurred(path: Path) -> Path:
    """Writes a photo of which nothing can be read any more."""
    return _saved(sign().filter(PIL.ImageFilter.GaussianBlur(20)), path / "blurred.png")


def upside_down(path: Path) -> Path:
    """Writes a photo from a camera that was held upside down and did not notice."""
    return _saved(sign().transpose(PIL.Image.Transpose.ROTATE_180), path / "upside_down.jpg", quality=90)


def turned_by_exif(path: Path) -> Path:
    """Writes a photo that lies on its side in the file, with EXIF that says so."""
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    return _saved(sign().transpose(PIL.Image.Transpose.ROTATE_90), path / "turned.jpg", exif=exif, quality=90)


def mirrored(path: Path) -> Path:
    """Writes what a front camera stores: mirrored, with EXIF that says so."""
    exif = PIL.Image.Exif()
    exif[0x0112] = 2
    return _saved(sign().transpose(PIL.Image.Transpose.FLIP_LEFT_RIGHT), path / "mirrored.jpg", exif=exif, quality=90)


def panorama(path: Path) -> Path:
    """Writes a photo twenty times as wide as it is high, with the word at its right end."""
    wide = PIL.Image.new("RGB", (2400, 120), (235, 230, 220))
    wide.paste(sign(size=(240, 120)), (2100, 0))
    return _saved(wide, path / "panorama.jpg", quality=90)


def tiny(path: Path) -> Path:
    """Writes the icon that somebody took for the photo."""
    return _saved(sign().resize((12, 8)), path / "tiny.png")


def one_pixel(path: Path) -> Path:
    """Writes the picture that web pages count their visitors by."""
    return _saved(PIL.Image.new("RGB", (1, 1), "white"), path / "pixel.gif")


def transparent(path: Path) -> Path:
    """Writes a cut-out: letters on nothing."""
    letters = sign(mode="L")
    photo = PIL.Image.new("RGBA", SIZE, (20, 20, 30, 0))
    photo.putalpha(letters.point(lambda value: 255 - value if value < 200 else 0))
    return _saved(photo, path / "transparent.png")


def transparent_palette(path: Path) -> Path:
    """Writes a drawing of 256 colours of which one is none."""
    photo = sign().quantize(8)
    return _saved(photo, path / "palette.png", transparency=photo.getpixel((0, 0)))


def grey_16_bit(path: Path) -> Path:
    """Writes what microscopes and scanners give: grey, of 65,536 steps."""
    pixels = np.asarray(sign(mode="L")).astype(np.uint16) * 257
    return _saved(PIL.Image.fromarray(pixels), path / "grey16.png")


def cmyk(path: Path) -> Path:
    """Writes a JPEG for printers."""
    return _saved(sign().convert("CMYK"), path / "print.jpg", quality=90)


def floating(path: Path) -> Path:
    """Writes a TIFF of floating point numbers, of which nobody knows which is white."""
    return _saved(PIL.Image.fromarray(np.ones((8, 8), dtype=np.float32)), path / "float.tiff")


def animated(path: Path) -> Path:
    """Writes an animation whose second picture says something else."""
    return _saved(sign(), path / "animated.gif", save_all=True, append_images=[sign("PEPPER")], duration=100)


def animated_webp(path: Path) -> Path:
    """Writes the same as WebP."""
    return _saved(sign(), path / "animated.webp", save_all=True, append_images=[sign("PEPPER")], duration=100)


def heic(path: Path) -> Path:
    """Writes what phones store."""
    (path / "phone.heic").write_bytes(SALT)
    return path / "phone.heic"


def avif(path: Path) -> Path:
    """Writes AVIF, which browsers save."""
    return _saved(sign(), path / "sign.avif")


def noise(path: Path) -> Path:
    """Writes a photo of nothing but noise."""
    return _saved(_random(), path / "noise.png")


def one_colour(path: Path) -> Path:
    """Writes what a finger on the lens gives: a bright surface without anything."""
    return _saved(PIL.Image.new("RGB", SIZE, (200, 150, 140)), path / "finger.jpg", quality=90)


def cut_off(path: Path) -> Path:
    """Writes a JPEG of which half was copied."""
    whole = _saved(_random(), path / "cut_off.jpg").read_bytes()
    (path / "cut_off.jpg").write_bytes(whole[: len(whole) // 2])
    return path / "cut_off.jpg"


def cut_off_png(path: Path) -> Path:
    """Writes a PNG of which half was copied."""
    whole = _saved(_random(), path / "cut_off.png").read_bytes()
    (path / "cut_off.png").write_bytes(whole[: len(whole) // 2])
    return path / "cut_off.png"


def empty(path: Path) -> Path:
    """Writes a file of no bytes."""
    (path / "empty.jpg").touch()
    return path / "empty.jpg"


def letter(path: Path) -> Path:
    """Writes a text that calls itself a photo."""
    (path / "letter.jpg").write_text("Dear photo,", encoding="utf-8")
    return path / "letter.jpg"


def bomb(path: Path) -> Path:
    """Writes a PNG of a few bytes whose header claims 50,000 pixels a side."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    (path / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IEND", b""))
    return path / "bomb.png"


MAKERS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        dark, blurred, upside_down, turned_by_exif, mirrored, panorama, tiny, one_pixel, transparent,
        transparent_palette, grey_16_bit, cmyk, floating, animated, animated_webp, heic, avif, noise, one_colour,
        cut_off, cut_off_png, empty, letter, bomb,
    )
}  # fmt: skip
