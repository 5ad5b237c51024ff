from __future__ import annotations

import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region
from foveate.core.rle import encode
from foveate.errors import InputError, OutputError
from foveate.formats.mask_png import mask_png
from foveate.runs.vizwiz_masks import read_masks, write_masks
from tests.helpers import predicted
from tests.unit.runs.form_files import folder_of, png, zipped

SIZES = {"a.jpg": (4, 6), "b.jpg": (4, 6)}


HALF = np.repeat(np.array([[255], [255], [0], [0]], dtype=np.uint8), 6, axis=1)
GOOD = png(HALF)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    mask = Region(Mask(encode(HALF)), None)
    given = [
        Prediction("a.jpg", "ok", final=mask, candidates=(mask,), size_hw=(4, 6)),
        Prediction("b.jpg", "no_region", size_hw=(4, 6), reason="nothing"),
    ]
    assert write_masks(given, tmp_path / "masks.zip") == 2
    first, second = read_masks(tmp_path / "masks.zip", SIZES)
    assert first == given[0]
    assert (second.id, second.status) == ("b.jpg", "no_region")


def test_a_box_becomes_its_pixels(tmp_path: Path) -> None:
    write_masks([predicted("a.jpg", (0, 0, 6, 2), (4, 6))], tmp_path / "masks.zip")
    (prediction,) = read_masks(tmp_path / "masks.zip", SIZES)
    assert prediction.final is not None
    assert prediction.final.shape == Mask(encode(HALF))


def test_masks_of_one_value_are_those_of_their_size(tmp_path: Path) -> None:
    sizes = [(4, 6), (6, 4), (4, 6), (24, 1)]
    given = [predicted(f"{n}.jpg", (0, 0, w, h), (h, w)) for n, (h, w) in enumerate(sizes)]
    given += [Prediction(f"{n}.jpg", "no_region", size_hw=hw, reason="none") for n, hw in enumerate(sizes, len(sizes))]
    write_masks(given, tmp_path / "masks.zip")
    with zipfile.ZipFile(tmp_path / "masks.zip") as file:
        for n, hw in enumerate(sizes):
            assert file.read(f"{n}.png") == mask_png(np.ones(hw, dtype=bool))
            assert file.read(f"{n + len(sizes)}.png") == mask_png(np.zeros(hw, dtype=bool))


def test_a_folder_is_as_good_as_a_zip(tmp_path: Path) -> None:
    files = {"a.png": GOOD}
    assert list(read_masks(folder_of(files)(tmp_path), SIZES)) == list(read_masks(zipped(files)(tmp_path), SIZES))


def test_a_mask_that_is_not_there_is_no_prediction(tmp_path: Path) -> None:
    assert [prediction.id for prediction in read_masks(zipped({"b.png": GOOD})(tmp_path), SIZES)] == ["b.jpg"]
    assert list(read_masks(zipped({})(tmp_path), SIZES)) == []


def test_masks_come_in_the_order_of_their_names_however_many(tmp_path: Path) -> None:
    names = [f"{number:03}" for number in range(60)]
    path = zipped({f"{name}.png": GOOD for name in reversed(names)})(tmp_path)
    read = list(read_masks(path, {f"{name}.jpg": (4, 6) for name in names}))
    assert [prediction.id for prediction in read] == [f"{name}.jpg" for name in names]
    assert {prediction.final for prediction in read} == {Region(Mask(encode(HALF)), None)}


def test_failures_become_empty_masks_and_are_told(tmp_path: Path) -> None:
    given = [
        predicted("a.jpg", None, (4, 6)),
        Prediction("b.jpg", "timeout", size_hw=(4, 6), reason="It took too long."),
    ]
    remarks: list[str] = []
    assert write_masks(given, tmp_path / "masks.zip", remarks.append) == 2
    assert remarks == ["1 prediction failed (b.jpg), of which the form can only say that there is no region"]
    assert [prediction.status for prediction in read_masks(tmp_path / "masks.zip", SIZES)] == ["no_region"] * 2


def test_writing_in_threads_leaves_the_filters_of_warnings_alone(tmp_path: Path) -> None:
    before = list(warnings.filters)
    write_masks([predicted(f"{n}.jpg", (0, 0, 6, 2), (400, 600)) for n in range(40)], tmp_path / "masks.zip")
    assert list(warnings.filters) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_mask_twice(tmp_path: Path) -> None:
    path = tmp_path / "masks.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for _ in range(2):
            archive.writestr("a.png", GOOD)
    with pytest.raises(InputError, match=r"it holds a\.png twice"):
        list(read_masks(path, SIZES))


def test_data_sets_whose_photos_this_form_cannot_tell(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not tell the photo's size"):
        list(read_masks(zipped({"a.png": GOOD})(tmp_path), {"a.jpg": None}))
    with pytest.raises(InputError, match="two samples of the data set have one name"):
        list(read_masks(tmp_path, {"a.jpg": (4, 6), "a.png": (4, 6)}))


def test_a_region_without_a_pixel_is_not_written_as_no_region(tmp_path: Path) -> None:
    thin = [(0.6, 1, 1.4, 3), (1, 1.5000001, 5, 2.4), (0, 0, 0.4, 4)]
    given = [predicted(f"{n}.jpg", box, (4, 6)) for n, box in enumerate(thin)]
    with pytest.raises(InputError) as caught:
        write_masks(
            [*given, predicted("a.jpg", (0, 0, 1, 1), (4, 6)), predicted("b.jpg", None, (4, 6))], tmp_path / "m.zip"
        )
    assert str(caught.value) == (
        f"{tmp_path / 'm.zip'}: 3 predictions have a region that covers the middle of no pixel (0.jpg, 1.jpg, 2.jpg), "
        "and the form is one mask a photo, of its size. Use the form coco or jsonl, which keep it."
    )
    assert list(tmp_path.iterdir()) == []
    # A pixel's middle is enough.
    write_masks([predicted("a.jpg", (0.4, 1, 1.4, 3), (4, 6))], tmp_path / "m.zip")
    (prediction,) = read_masks(tmp_path / "m.zip", SIZES)
    assert prediction.final is not None
    assert prediction.final.shape.xyxy == (0, 1, 1, 3)


def test_names_in_folders_are_told_apart_by_their_last_part_or_refused(tmp_path: Path) -> None:
    sizes = dict.fromkeys(["sub/x.jpg", "./jar.jpg"], (4, 6))
    write_masks([predicted(sample, (0, 0, 6, 2), (4, 6)) for sample in sizes], tmp_path / "masks.zip")
    assert {p.id for p in read_masks(tmp_path / "masks.zip", sizes)} == set(sizes)
    with pytest.raises(InputError, match=r"1 prediction has the file name of another \(sub/a.jpg\)"):
        write_masks([predicted(sample, None, (4, 6)) for sample in ("a.jpg", "sub/a.jpg")], tmp_path / "b.zip")


def test_what_the_form_cannot_hold_leaves_no_file(tmp_path: Path) -> None:
    out = tmp_path / "masks.zip"
    given = [
        predicted("a.jpg", (0, 0, 1, 1), (4, 6)),
        predicted("a.png", (0, 0, 1, 1), (4, 6)),
        predicted("c.jpg", (0, 0, 1, 1)),
    ]
    with pytest.raises(InputError) as caught:
        write_masks(given, out)
    assert str(caught.value) == (
        f"{out}: 1 prediction has no photo size (c.jpg), 1 prediction has the file name of another (a.png), and the "
        "form is one mask a photo, of its size. Give predictions that tell it, as runs do. Use the form coco or jsonl, "
        "which join by id."
    )
    assert not out.exists()
    out.touch()
    with pytest.raises(OutputError, match="there is a file already"):
        write_masks([], out)
    with pytest.raises(OutputError, match="it cannot be written"):
        write_masks([], tmp_path / "nowhere" / "masks.zip")
