"""Photos from files: the upright size from the header, the upright pixels when asked for.

EXIF orientation is applied here, once, and nowhere else; everything above sees upright photos only.
"""

from __future__ import annotations

import io
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError, UsageError
from foveate.sources.places import exists, is_file, is_folder

DEFAULT_MAX_MEGAPIXELS = 100.0
# What photos come in; Pillow's further readers (PostScript, icons, sky surveys) are doors that nobody needs open.
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "HEIF", "PPM", "JPEG2000")
_ORIENTATION_TAG = 0x0112
# What makes a stored photo upright (EXIF 2.3, tag 0x0112). Pillow's own way writes the EXIF block anew and stumbles
# over odd ones.
_TURNS = {
    2: PIL.Image.Transpose.FLIP_LEFT_RIGHT,
    3: PIL.Image.Transpose.ROTATE_180,
    4: PIL.Image.Transpose.FLIP_TOP_BOTTOM,
    5: PIL.Image.Transpose.TRANSPOSE,
    6: PIL.Image.Transpose.ROTATE_270,
    7: PIL.Image.Transpose.TRANSVERSE,
    8: PIL.Image.Transpose.ROTATE_90,
}
_TURNED = {5, 6, 7, 8}
_pillow_limit = threading.RLock()


class TooManyPixelsError(InputError):
    """A photo that is larger than the limit, by its header."""


@dataclass(frozen=True)
class FileImage:
    """A photo in a file; satisfies `foveate.core.queries.Image`.

    Attributes:
        path: Where the file is.
    """

    path: Path
    _size: list[SizeHW] = field(default_factory=list, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The file name."""
        return self.path.name

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the upright photo, read from the header once.

        Raises:
            InputError: The file is missing, is not a photo, or is larger than the limit.
        """
        if not self._size:
            with _opened(self.path) as photo:
                self._size.append(upright_size(photo))
        return self._size[0]

    @property
    def orientation(self) -> int:
        """How the file holds the photo, 1 to 8 as EXIF counts; 1 is upright.

        Raises:
            InputError: As for `size_hw`.
        """
        with _opened(self.path) as photo:
            return orientation(photo)

    def load(self) -> NDArray[np.uint8]:
        """Returns the upright photo: ``uint8 (H, W, 3)``, RGB; transparency is laid on white.

        Raises:
            InputError: As for `size_hw`, or the file is cut off or damaged.
        """
        with _opened(self.path) as photo:
            return upright_pixels(photo, str(self.path))


def max_megapixels() -> float:
    """Returns the size above which a photo is refused from its header; `FOVEATE_MAX_MEGAPIXELS` sets it.

    Raises:
        UsageError: The setting is not a positive number.
    """
    text = os.environ.get("FOVEATE_MAX_MEGAPIXELS", "")
    if not text:
        return DEFAULT_MAX_MEGAPIXELS
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value > 0:
        raise UsageError("FOVEATE_MAX_MEGAPIXELS", f"{text} is not a positive number", "Set it to a number like 200.")
    return value


def upright_pixels(photo: PIL.Image.Image, where: str) -> NDArray[np.uint8]:
    """Returns the pixels of an open photo as `FileImage.load` does.

    Raises:
        InputError: The file is cut off or damaged.
    """
    with _without_pillows_limit():
        try:
            photo.load()
            turn = _TURNS.get(orientation(photo))
            return _to_rgb(photo if turn is None else photo.transpose(turn), where)
        except InputError:
            raise
        except Exception as error:  # Pillow's readers raise of every kind on damaged files.
            raise InputError(
                where,
                f"the photo is cut off or damaged, or of a kind that is not read ({_brief(error)})",
                "Copy it again from where it came from, or take it again.",
            ) from error


@contextmanager
def opened(source: Path | io.BytesIO, where: str, megapixels: float | None = None) -> Iterator[PIL.Image.Image]:
    """Opens a photo's header, of a file or of the bytes of one.

    Args:
        source: The file, or its bytes.
        where: What messages call it.
        megapixels: The limit; None for `max_megapixels`.

    Raises:
        InputError: It is missing or is not a photo.
        TooManyPixelsError: It is larger than the limit.
    """
    try:
        with _without_pillows_limit():
            photo = PIL.Image.open(source, formats=photo_formats())
    except FileNotFoundError as error:
        raise InputError(where, "there is no such file", "Look at the name and the folder.") from error
    except PIL.UnidentifiedImageError as error:
        raise InputError(
            where,
            f"this is not a photo that can be read ({_content(source)})",
            "Give a JPEG, HEIC, PNG, WebP or the like.",
        ) from error
    except IsADirectoryError as error:
        raise InputError(where, "it is a folder, not a photo", "Give one photo.") from error
    except Exception as error:
        raise InputError(
            where, f"the photo cannot be opened ({_brief(error)})", "Look at the file and its permissions."
        ) from error
    with photo:
        refuse_bomb(where, photo.size, megapixels=megapixels)
        yield photo


@contextmanager
def _opened(path: Path) -> Iterator[PIL.Image.Image]:
    if exists(path) and not is_file(path) and not is_folder(path):
        raise InputError(str(path), "it is no ordinary file, and reading it might never end", "Give one photo.")
    with opened(path, str(path)) as photo:
        yield photo


@cache
def photo_formats() -> tuple[str, ...]:
    """Returns what Pillow calls the formats that photos are read in; from then on it reads HEIC, too."""
    import pi_heif

    pi_heif.register_heif_opener()  # Turns photos upright itself, by the file's own boxes, and its EXIF says so then.
    PIL.Image.init()
    return tuple(name for name in _FORMATS if name in PIL.Image.OPEN)


@contextmanager
def _without_pillows_limit() -> Iterator[None]:
    """Sets aside Pillow's own limit, which is not ours and which warns before it refuses."""
    with _pillow_limit, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit = PIL.Image.MAX_IMAGE_PIXELS
        PIL.Image.MAX_IMAGE_PIXELS = None
        try:
            yield
        finally:
            PIL.Image.MAX_IMAGE_PIXELS = limit


def refuse_bomb(where: str, size_wh: tuple[int, int], what: str = "photo", *, megapixels: float | None = None) -> None:
    """Refuses a picture that would take more memory than anything that people look at.

    Args:
        where: What messages call it.
        size_wh: Width and height, by its header.
        what: What it is.
        megapixels: The limit; None for `max_megapixels`.

    Raises:
        TooManyPixelsError: It is larger than that.
    """
    width, height = size_wh
    limit = max_megapixels() if megapixels is None else megapixels
    if width * height > limit * 1e6:
        millions = width * height / 1e6
        told = f"{millions:,.0f}" if millions >= 100 else f"{millions:.3g}"
        raise TooManyPixelsError(
            where,
            f"the {what} is {width} x {height}, {told} megapixels; the limit is {limit:g}",
            "Make it smaller, or raise FOVEATE_MAX_MEGAPIXELS if you trust the file.",
        )


def orientation(photo: PIL.Image.Image) -> int:
    """Returns how an open photo is stored, 1 to 8 as EXIF counts; 1, upright, where nothing tells."""
    if photo.format == "TIFF":
        return 1  # Pillow turns these itself, size and pixels.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = photo.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:
        return 1  # Damaged EXIF says nothing about orientation; the pixels may be whole.
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def upright_size(photo: PIL.Image.Image) -> SizeHW:
    """Returns height and width of an open photo, upright."""
    width, height = photo.size
    return (width, height) if orientation(photo) in _TURNED else (height, width)


def _to_rgb(photo: PIL.Image.Image, where: str) -> NDArray[np.uint8]:
    if photo.mode.startswith("I;16") or (photo.format == "PPM" and photo.mode == "I"):
        # Pillow clips 16-bit grey at 255 when it converts; the upper byte is the picture. PPM's grey it has spread to
        # 16 bits already, whatever the file's own brightest is.
        grey = (np.asarray(photo) >> 8).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if photo.mode in {"I", "F"}:
        raise InputError(
            where,
            "its pixels have 32 bits, and nothing tells how bright the brightest is",
            "Save it with 8 or 16 bits, as PNG for instance.",
        )
    if "transparency" in photo.info or photo.mode in {"RGBA", "LA", "PA", "RGBa", "La"}:
        white = PIL.Image.new("RGBA", photo.size, "white")
        photo = PIL.Image.alpha_composite(white, photo.convert("RGBA"))
    return cast(NDArray[np.uint8], np.array(photo.convert("RGB"), dtype=np.uint8))


def _brief(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text if len(text) <= 120 else text[:117] + "..."


def _content(source: Path | io.BytesIO) -> str:
    size = source.stat().st_size if isinstance(source, Path) else source.getbuffer().nbytes
    return "the file is empty" if size == 0 else f"{size:,} bytes of something else"
