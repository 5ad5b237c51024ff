from __future__ import annotations

from pathlib import Path

import PIL.Image
import pytest

from foveate.annotation.photo_sizes import photo_sizes
from foveate.errors import InputError
from tests.helpers import save_photo, write


def test_sizes_are_those_of_the_upright_photo(tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    PIL.Image.new("RGB", (64, 48)).save(tmp_path / "a.jpg", exif=exif)
    assert photo_sizes(tmp_path)("a.jpg") == (64, 48)
    assert photo_sizes(tmp_path)("b.jpg") is None


def test_sizes_of_a_table_must_be_those_of_the_photos(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.jpg", (48, 64))
    table = write(tmp_path / "sizes.csv", "image,width,height\na.jpg,64,48\nb.jpg,10,20\n")
    size_of = photo_sizes(tmp_path, table)
    assert [size_of(name) for name in ("a.jpg", "b.jpg", "c.jpg")] == [(48, 64), (20, 10), None]
    assert photo_sizes()("a.jpg") is None
    turned = write(tmp_path / "turned.csv", "image,width,height\na.jpg,48,64\n")
    with pytest.raises(
        InputError, match="the photo is 64 wide and 48 high, not 48 wide and 64 high; it looks transpos"
    ):
        photo_sizes(tmp_path, turned)("a.jpg")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("a.jpg,,\n", "line 2: width and height are empty"),
        ("a.jpg,64,48\na.jpg,48,64\n", "line 3: a.jpg is here a second time with another size"),
        ("a.jpg,64,x\n", "line 2: height is 'x'"),
    ],
)
def test_broken_tables_are_told(tmp_path: Path, rows: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        photo_sizes(None, write(tmp_path / "sizes.csv", f"image,width,height\n{rows}"))
