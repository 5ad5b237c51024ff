"""Photos put into a release: byte for byte, or upright without whatever else the file told (place, time, camera)."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import PIL.Image

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.queries import Image
from foveate.errors import InputError
from foveate.formats._drawn import inside
from foveate.sources.embedded import EmbeddedImage
from foveate.sources.folders import PHOTO_SUFFIXES
from foveate.sources.images import FileImage, photo_formats

Way = Literal["copy", "none"]
_GPS = 0x8825
_KNOWN_FORMATS = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".webp": "WEBP", ".bmp": "BMP", ".tif": "TIFF"}
# Colour is kept whole; one more coding at this quality is hardly to be seen, and is a change of pixels all the same.
_QUALITY: dict[str, dict[str, Any]] = {"JPEG": {"quality": 95, "subsampling": 0}, "WEBP": {"lossless": True}}


@dataclass(frozen=True)
class Put:
    """What became of the photos.

    Attributes:
        written: How many lie in the release.
        absent: The names of those that were not there.
        with_place: The names of those whose file tells where they were taken.
    """

    written: int
    absent: tuple[str, ...]
    with_place: tuple[str, ...]


def put_photos(
    photos: Mapping[str, tuple[Image | None, SizeHW | None]], folder: Path, *, strip: Collection[str] = ()
) -> Put:
    """Writes photos into a folder by their names, and returns what became of them.

    Args:
        photos: By name: the photo, None where it is absent, and the size that the data set states.
        folder: Is made.
        strip: The names of those that are coded anew, upright, without EXIF, places, comments and thumbnails; of the
            others the bytes are taken.

    Raises:
        InputError: A photo has another size than stated, cannot be read, or has a name that leads out of the folder.
    """
    written, absent, placed = 0, [], []
    for name, (image, size_hw) in photos.items():
        if image is None:
            absent.append(name)
            continue
        difference = size_difference(image.size_hw, size_hw) if size_hw else None
        if difference:
            raise InputError(name, f"the photo is {difference}", "Give the photos that the data set is about.")
        place = folder / inside(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        _put(image, place, name in strip)
        written += 1
        if has_place(place):
            placed.append(name)
    return Put(written, tuple(absent), tuple(placed))


def has_place(path: Path) -> bool:
    """Returns whether a photo's file tells where it was taken: a GPS block in its EXIF or XMP data."""
    try:
        with warnings.catch_warnings(), PIL.Image.open(path, formats=photo_formats()) as photo:
            warnings.simplefilter("ignore")
            return bool(photo.getexif().get_ifd(_GPS)) or b"GPSLatitude" in _bytes(photo.info.get("xmp"))
    except Exception:  # Pillow raises of every kind on odd blocks; what cannot be read tells no place that can.
        return False


def places_told(folder: Path) -> Iterator[str]:
    """Yields the names of the photos below a folder whose files tell where they were taken."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in PHOTO_SUFFIXES and has_place(path):
            yield path.relative_to(folder).as_posix()


def _put(image: Image, place: Path, strip: bool) -> None:
    if strip:
        form = _KNOWN_FORMATS.get(place.suffix.lower())
        if form is None:
            remedy = "Convert it to JPEG or PNG first, or leave --strip out."
            raise InputError(image.name, f"photos {place.suffix or 'without a suffix'} cannot be stripped", remedy)
        PIL.Image.fromarray(image.load()).save(place, form, **_QUALITY.get(form, {}))
    elif isinstance(image, EmbeddedImage):
        place.write_bytes(image.read())
    elif isinstance(image, FileImage):
        shutil.copyfile(image.path, place)
    else:
        raise InputError(image.name, "the photo is in no file that can be copied", "Pass --photos none, or --strip.")


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value or "").encode()
