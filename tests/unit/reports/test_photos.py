from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray

from foveate.core.soft_maps import SoftMap
from foveate.reports.photos import map_picture, photo_uri
from foveate.sources.images import FileImage
from tests.unit.reports.made import SIZE


@dataclass(frozen=True)
class Plain:
    """A photo without a file."""

    size_hw: tuple[int, int]
    name: str = "plain.jpg"

    def load(self) -> NDArray[np.uint8]:
        return np.full((*self.size_hw, 3), (200, 30, 60), dtype=np.uint8)


def opened(uri: str, kind: str) -> PIL.Image.Image:
    head, data = uri.split(",")
    assert head == f"data:image/{kind};base64"
    return PIL.Image.open(io.BytesIO(base64.b64decode(data)))


@pytest.mark.parametrize(
    ("size_hw", "side", "wanted"),
    [((600, 1200), 800, (800, 400)), ((30, 20), 800, (20, 30)), ((1, 5000), 100, (100, 1))],
)
def test_a_photo_is_made_smaller_never_larger(size_hw: tuple[int, int], side: int, wanted: tuple[int, int]) -> None:
    with opened(photo_uri(Plain(size_hw), side), "jpeg") as photo:
        assert photo.size == wanted
        pixel = np.asarray(photo.convert("RGB"))[0, 0]
    assert np.abs(pixel.astype(int) - (200, 30, 60)).max() < 8


def test_what_the_file_tells_beside_pixels_stays_out(tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x010E] = "taken at home"
    exif[0x0112] = 6
    PIL.Image.new("RGB", (40, 20), "red").save(tmp_path / "a.jpg", exif=exif)
    uri = photo_uri(FileImage(tmp_path / "a.jpg"), 100)
    with opened(uri, "jpeg") as photo:
        assert photo.size == (20, 40)  # Upright.
        assert not photo.getexif()
    assert b"taken at home" not in base64.b64decode(uri.split(",")[1])


def test_a_map_is_laid_where_its_grid_is() -> None:
    values = np.array([[0.0, 1.0], [0.5, 0.25]], dtype=np.float32)
    found = map_picture(SoftMap(values, (10.0, 20.0, -5.0, 3.0)))
    assert (found.x, found.y, found.width, found.height) == (-5.0, 3.0, 20.0, 40.0)
    with opened(found.uri, "png") as picture:
        pixels = np.asarray(picture.convert("RGBA"))
    assert pixels[0, 1].tolist() == [0xFD, 0xE7, 0x25, 185]  # The brightest shade.
    assert pixels[0, 0].tolist() == [0x44, 0x01, 0x54, 0]  # 0 lets the photo through.
    assert pixels[1, 0, 3] == round(185 * (128 / 255) ** 0.5)


def test_a_fine_map_is_made_smaller() -> None:
    found = map_picture(SoftMap.over(np.ones((40, 1600)), (40, 1600)))
    with opened(found.uri, "png") as picture:
        assert picture.size == (160, 4)
    assert (found.width, found.height) == (1600.0, 40.0)


def test_a_weak_map_is_seen_and_an_empty_one_is_clear() -> None:
    weak = np.array([[0.0, 0.01]], dtype=np.float32)
    with opened(map_picture(SoftMap.over(weak, SIZE)).uri, "png") as picture:
        assert np.asarray(picture.convert("RGBA"))[0, :, 3].tolist() == [0, 185]
    with opened(map_picture(SoftMap.over(weak * 0, SIZE)).uri, "png") as picture:
        assert np.asarray(picture.convert("RGBA"))[0, :, 3].tolist() == [0, 0]
