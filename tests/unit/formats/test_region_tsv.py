from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.errors import InputError, UsageError
from foveate.formats import _region_lines
from foveate.formats._region_names import PhotoRows, keys_of
from foveate.formats.region_files import StoredRegions, open_regions
from tests.unit.formats.region_made import (
    BUTD,
    LXMERT,
    WIDTH,
    Made,
    butd_row,
    lxmert_row,
    made,
    text,
    write_table,
)

PHOTOS = (made("42", 1), made("7", 2, count=2), made("1000", 3, count=5))
NAMES = {"COCO_val2014_000000000042.jpg": 0, "7.png": 1, "folder/VizWiz_val_00001000.jpg": 2}


def same(found: StoredRegions, wanted: Made) -> None:
    assert np.array_equal(found.xyxy, wanted.boxes.astype(np.float64))
    assert np.array_equal(found.features, wanted.features)
    assert found.size_hw == wanted.size_hw
    assert not found.shares


def test_bottom_up_attention_is_found_by_the_photos_number_in_its_own_order(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.tsv", BUTD, [butd_row(one) for one in PHOTOS])
    stored = open_regions(path)
    assert stored.width == WIDTH
    for name, at in reversed(NAMES.items()):
        same(stored.read(name), PHOTOS[at])
        assert stored.read(name).labels is None


def test_lxmerts_ten_columns_have_height_first_and_classes(tmp_path: Path) -> None:
    photos = (made("COCO_val2014_000000000042", 4), made("n123", 5))
    path = write_table(tmp_path / "a.tsv", (*LXMERT, "features"), [lxmert_row(one) for one in photos])
    (tmp_path / "objects_vocab.txt").write_text("yolk\ngoggles,glasses\nbike\nair\n")
    names = ("yolk", "goggles", "bike", "air")
    for name, one in zip(("COCO_val2014_000000000042.jpg", "n123.jpg"), photos, strict=True):
        found = open_regions(path).read(name)
        same(found, one)
        assert found.labels == tuple(names[number] for number in one.classes)
    (tmp_path / "short.txt").write_text("yolk\n")
    with pytest.raises(InputError, match="the list has 1 names"):
        open_regions(path, {"labels": str(tmp_path / "short.txt")}).read("n123.jpg")
    with pytest.raises(InputError, match="no such list"):
        open_regions(path, {"labels": str(tmp_path / "absent.txt")})


def test_columns_are_told_by_a_first_line_or_by_who_asks(tmp_path: Path) -> None:
    odd = ("image_id", "num_boxes", "features", "boxes")
    rows = [{key: butd_row(one)[key] for key in odd} for one in PHOTOS]
    headed = open_regions(write_table(tmp_path / "a.tsv", odd, rows, header=True))
    told = open_regions(write_table(tmp_path / "b.tsv", odd, rows), {"fields": "image_id, num_boxes,features,boxes"})
    for stored in (headed, told):
        found = stored.read("42.jpg")
        assert np.array_equal(found.features, PHOTOS[0].features)
        assert found.size_hw is None
    with pytest.raises(InputError, match="it has 4 columns; bottom-up attention has 6"):
        open_regions(tmp_path / "b.tsv")
    with pytest.raises(InputError, match="no column boxes"):
        open_regions(tmp_path / "b.tsv", {"fields": "image_id,num_boxes,features,rects"})
    with pytest.raises(InputError, match="boxes first, and image_id has to be"):
        open_regions(tmp_path / "b.tsv", {"fields": "boxes,num_boxes,features,image_id"})
    with pytest.raises(UsageError, match="Did you mean fields"):
        open_regions(tmp_path / "b.tsv", {"field": "image_id"})


def _spoilt(change: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    return [butd_row(PHOTOS[0]), butd_row(PHOTOS[1]) | change(butd_row(PHOTOS[1]))]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda row: {"features": row["features"][:-8]}, "features has 36 bytes, which 2 boxes"),
        (lambda row: {"features": row["features"][:-3]}, "features is no base64"),
        (
            lambda row: {"features": text(np.zeros((2, 3), np.float32))},
            "features have 3 numbers a region, those of.* 5",
        ),
        (lambda row: {"features": text(np.full((2, 5), np.nan, np.float32))}, "features of region 1 has what is no"),
        (lambda row: {"boxes": text(np.zeros((2, 4)))}, "boxes has 8 numbers a region, not 4"),
        (lambda row: {"boxes": ""}, "boxes has 0 bytes"),
        (lambda row: {"num_boxes": "many"}, "num_boxes is 'many', not a whole number"),
        (lambda row: {"num_boxes": "3"}, "boxes has 32 bytes, which 3 boxes"),
        (lambda row: {"image_h": "0"}, "image_h is '0'"),
    ],
)
def test_a_damaged_row_is_named(change: Any, told: str, tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.tsv", BUTD, _spoilt(change))
    stored = open_regions(path)
    same(stored.read("42.jpg"), PHOTOS[0])
    with pytest.raises(InputError, match=told) as caught:
        stored.read("7.jpg")
    assert caught.value.where == f"{path}, row 2 (7)"


def test_a_file_that_is_cut_off_says_so_at_its_last_photo(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.tsv", BUTD, [butd_row(one) for one in PHOTOS])
    whole = path.read_bytes()
    begins = whole.rindex(b"\n1000\t") + 1
    for cut in (begins + 6, begins + 40, len(whole) - 9):
        path.write_bytes(whole[:cut])
        stored = open_regions(path)
        same(stored.read("42.jpg"), PHOTOS[0])
        with pytest.raises(InputError, match=r"row 3 \(1000\)"):
            stored.read("1000.jpg")
    path.write_bytes(whole[: begins + 2])
    with pytest.raises(InputError, match="row 3.* no photo in a first column"):
        open_regions(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="it is empty"):
        open_regions(path)


def test_where_rows_begin_is_looked_up_once_and_anew_for_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_table(tmp_path / "a.tsv", BUTD, [butd_row(one) for one in PHOTOS])
    open_regions(path)
    found: list[int] = []
    look = _region_lines._found

    def told(data: mmap.mmap) -> Any:
        found.append(len(data))
        return look(data)

    monkeypatch.setattr(_region_lines, "_found", told)
    same(open_regions(path).read("1000.jpg"), PHOTOS[2])
    assert found == []
    write_table(path, BUTD, [butd_row(one) for one in PHOTOS[::-1]])
    os.utime(path, ns=(1, 1))
    same(open_regions(path).read("1000.jpg"), PHOTOS[2])
    assert len(found) == 1
    (tmp_path / ".a.tsv.foveate-index.npz").write_bytes(b"PK broken")
    same(open_regions(path).read("42.jpg"), PHOTOS[0])
    assert len(found) == 2


def test_a_photo_twice_is_one_if_both_rows_are_the_same(tmp_path: Path) -> None:
    rows = [butd_row(one) for one in (PHOTOS[0], PHOTOS[1], PHOTOS[0])]
    same(open_regions(write_table(tmp_path / "a.tsv", BUTD, rows)).read("42.jpg"), PHOTOS[0])
    rows[2] = butd_row(made("42", 9))
    with pytest.raises(InputError, match="rows 1 and 3 both are of 42.jpg, and differ"):
        open_regions(write_table(tmp_path / "b.tsv", BUTD, rows)).read("42.jpg")


def test_a_photo_that_is_not_there_and_files_of_other_kinds_are_told(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.tsv", BUTD, [butd_row(one) for one in PHOTOS])
    with pytest.raises(InputError, match="it has no photo 8.jpg; it has 3, such as 42"):
        open_regions(path).read("8.jpg")
    with pytest.raises(InputError, match="no photo cat.jpg"):
        open_regions(path).read("cat.jpg")
    for name, told in (("a.npy", "pickle"), ("a.pkl", "pickle"), ("a.txt", ".txt is no form")):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(InputError, match=told):
            open_regions(tmp_path / name)
    with pytest.raises(InputError, match="no such file or folder"):
        open_regions(tmp_path / "absent.tsv")


@given(st.lists(st.integers(0, 999_999), min_size=1, max_size=30, unique=True), st.data())
def test_numbers_are_found_whatever_their_order_and_noughts_before(numbers: list[int], data: st.DataObject) -> None:
    noughts = data.draw(st.integers(0, 9))
    rows = PhotoRows(Path("a"), keys_of([str(number).zfill(noughts) for number in numbers]))
    at = data.draw(st.integers(0, len(numbers) - 1))
    assert rows.row(f"any/VizWiz_val_{numbers[at]:08d}.jpg") == at


@given(st.lists(st.text("abc_é.", min_size=1, max_size=6).map(lambda name: f"x{name}y"), min_size=1, unique=True))
def test_names_are_found_with_and_without_their_end_and_folder(names: list[str]) -> None:
    rows = PhotoRows(Path("a"), keys_of(names))
    assert [rows.row(name) for name in names] == list(range(len(names)))
    assert [rows.row(f"folder/{name}.jpg") for name in names] == list(range(len(names)))
    with pytest.raises(InputError):
        rows.row("another")
    assert len(rows) == len(names)
