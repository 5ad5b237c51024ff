"""VinVL's tables, archives one a photo, and HDF5 files of others; each written by plain code here."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from foveate.errors import InputError
from foveate.formats.region_files import StoredRegions, open_regions
from tests.unit.formats.region_made import WIDTH, Made, made, write_vinvl

PHOTOS = (made("42", 1), made("7", 2, count=2), made("1000", 3, count=5))
LONG = tuple(made(name, seed, count, width=2048) for name, seed, count in (("42", 1, 3), ("7", 2, 1)))


def same(found: StoredRegions, wanted: Made, *, shares: bool = False, size: bool = True) -> None:
    scale = np.array(wanted.size_hw[::-1] * 2) if shares else np.ones(4)
    assert found.shares is shares
    assert found.xyxy * scale == pytest.approx(wanted.boxes, abs=1e-4)
    assert np.array_equal(found.features, wanted.features)
    assert found.size_hw == (wanted.size_hw if size else None)


# VinVL


def test_vinvl_has_boxes_classes_and_features_in_tables_of_different_order(tmp_path: Path) -> None:
    folder = write_vinvl(tmp_path / "a", LONG)
    for path in (folder, folder / "features.tsv"):
        stored = open_regions(path)
        assert stored.width == 2048
        for one in LONG:
            found = stored.read(f"COCO_{int(one.name):012d}.jpg")
            same(found, one)
            assert found.labels == tuple(f"kind{number}" for number in one.classes)
    # Where rows begin was told, so that nothing had to be looked up and put by.
    assert sorted(path.suffix for path in folder.iterdir()) == [".lineidx", ".lineidx", ".tsv", ".tsv"]


def test_vinvls_features_end_in_their_boxes_where_no_table_tells_them(tmp_path: Path) -> None:
    stored = open_regions(write_vinvl(tmp_path / "a", LONG, "none"))
    same(stored.read("7.jpg"), LONG[1], shares=True, size=False)
    labelled = open_regions(write_vinvl(tmp_path / "b", LONG, "label")).read("7.jpg")
    same(labelled, LONG[1], size=False)
    assert labelled.labels == (f"kind{LONG[1].classes[0]}",)
    with pytest.raises(InputError, match="features of 5 numbers do not tell their boxes"):
        open_regions(write_vinvl(tmp_path / "c", PHOTOS, "none", place=False))


def test_vinvls_tables_of_two_runs_are_told_apart(tmp_path: Path) -> None:
    ours = write_vinvl(tmp_path / "a", LONG)
    others = (made("42", 9, 3, width=2048), made("7", 8, 2, width=2048))
    theirs = write_vinvl(tmp_path / "b", others)
    with pytest.raises(InputError, match=r"box \d is 0.* of the photo in one table, and 0.* at the end"):
        open_regions(ours, {"boxes": str(theirs / "predictions.tsv")})
    one_more = write_vinvl(tmp_path / "c", (LONG[0], others[1]))
    with pytest.raises(InputError, match=r"it has 1 features, and .*row 1 \(7\) has 2 boxes"):
        open_regions(ours, {"boxes": str(one_more / "predictions.tsv")}).read("7.jpg")
    with pytest.raises(InputError, match="no such table of boxes"):
        open_regions(ours, {"boxes": str(tmp_path / "absent.tsv")})


def test_three_columns_and_features_in_objects_are_vinvls_too(tmp_path: Path) -> None:
    from tests.unit.formats.region_made import text

    one = PHOTOS[0]
    (tmp_path / "a.tsv").write_text(f"{one.name}\t{len(one.boxes)}\t{text(one.features)}\n")
    objects = [
        {"rect": box.tolist(), "class": "cat", "feature": text(feature)}
        for box, feature in zip(one.boxes, one.features, strict=True)
    ]
    told = {"image_h": 40, "image_w": 60, "objects": objects}
    (tmp_path / "predictions.tsv").write_text(f"{one.name}\t{json.dumps(told)}\n")
    for path in (tmp_path / "a.tsv", tmp_path / "predictions.tsv"):
        found = open_regions(path).read("42.jpg")
        same(found, one)
        assert found.labels == ("cat",) * 3


def test_a_damaged_row_or_index_of_vinvl_is_named(tmp_path: Path) -> None:
    folder = write_vinvl(tmp_path / "a", LONG)
    (folder / "features.lineidx").write_text("0\n17\n")
    with pytest.raises(InputError, match="byte 17 is not where a row of features.tsv"):
        open_regions(folder)
    (folder / "features.lineidx").write_text("0\nx\n")
    with pytest.raises(InputError, match="no list of numbers"):
        open_regions(folder)
    (folder / "features.lineidx").unlink()
    whole = (folder / "features.tsv").read_bytes()
    (folder / "features.tsv").write_bytes(whole[:-20])
    with pytest.raises(InputError, match=r"row 2 \(7\): its second column is no JSON"):
        open_regions(folder).read("7.jpg")
    (folder / "features.tsv").write_bytes(whole.replace(b'"features"', b'"fixtures"'))
    with pytest.raises(InputError, match="no features with num_boxes, nor objects"):
        open_regions(folder)


# Archives, one a photo


def test_archives_are_found_by_name_with_rows_or_columns_and_without_what_fills_up(tmp_path: Path) -> None:
    first, second, third = PHOTOS
    sizes: dict[str, Any] = {"image_h": 40, "image_w": 60}
    np.savez(tmp_path / "COCO_42.jpg.npz", x=first.features.T, bbox=first.boxes, num_bbox=3, **sizes)
    np.savez(tmp_path / "7.npz", features=second.features, boxes=second.boxes, objects_id=second.classes)
    filled = np.concatenate([third.features, np.zeros((2, WIDTH), np.float32)])
    boxes = np.concatenate([third.boxes, np.zeros((2, 4), np.float32)])
    info: Any = np.array({"image_id": 1000}, dtype=object)
    np.savez(tmp_path / "1000.npz", x=filled, bbox=boxes, num_boxes=np.array([5]), image_h=40, image_w=60, info=info)
    (tmp_path / "objects_vocab.txt").write_text("a\nb\nc\nd\n")
    stored = open_regions(tmp_path)
    same(stored.read("COCO_42.jpg"), first)
    found = stored.read("folder/7.jpg")
    same(found, second, size=False)
    assert found.labels == tuple("abcd"[number] for number in second.classes)
    same(stored.read("1000.jpg"), third)
    with pytest.raises(InputError, match="no features of 8.jpg"):
        stored.read("8.jpg")
    np.savez(tmp_path.parent / "9.npz", x=first.features, bbox=first.boxes)
    with pytest.raises(InputError, match="no features of"):
        stored.read("../9.jpg")
    np.save(tmp_path / "8.npy", first.features)
    (tmp_path / "8.npy").rename(tmp_path / "8.npz")
    with pytest.raises(InputError, match="no archive of arrays"):
        stored.read("8.jpg")


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"x": np.zeros((3, 5)), "bbox": np.zeros((2, 4))}, r"it has 2 boxes, and features of the shape \(3, 5\)"),
        ({"x": np.zeros((3, 5))}, "it has no boxes, under none of the names bbox, boxes"),
        ({"bbox": np.zeros((3, 4))}, "it has no features"),
        ({"x": np.full((2, 5), np.inf), "bbox": np.zeros((2, 4))}, "features of region 1 has what is no number"),
        ({"x": np.zeros((2, 5)), "bbox": np.zeros((2, 3))}, r"boxes \(2, 3\), not"),
        ({"x": np.zeros((2, 5)), "bbox": np.zeros((2, 4)), "num_bbox": 3}, "num_boxes is 3, and it has 2 boxes"),
        ({"x": np.zeros((2, 5)), "bbox": np.zeros((2, 4)), "image_h": [1, 2], "image_w": 5}, "not one number"),
    ],
)
def test_a_damaged_archive_is_named(arrays: dict[str, Any], told: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "7.npz", **arrays)
    with pytest.raises(InputError, match=told) as caught:
        open_regions(tmp_path)
    assert caught.value.where == str(tmp_path / "7.npz")


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    class Harm:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "harmed",))

    np.save(tmp_path / "42.npy", np.array(Harm(), dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"42.npy: it is a pickle .*np.savez"):
        open_regions(tmp_path)
    np.savez(tmp_path / "42.npz", x=np.array([Harm()], dtype=object), bbox=np.zeros((1, 4)))
    with pytest.raises(InputError, match=r"42.npz: it is a pickle"):
        open_regions(tmp_path)
    (tmp_path / "42.npz").write_bytes(b"PK\3\4 cut off")
    with pytest.raises(InputError, match="it is no archive of arrays"):
        open_regions(tmp_path)
    assert not (tmp_path / "harmed").exists()
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="there is no .npz in it"):
        open_regions(tmp_path / "empty")


# HDF5


def padded(photos: tuple[Made, ...], field: str, room: int) -> np.ndarray[Any, Any]:
    rows = [getattr(one, field) for one in photos]
    return np.stack([np.pad(row, ((0, room - len(row)), (0, 0))) for row in rows])


def spatial(one: Made) -> np.ndarray[Any, Any]:
    shares = one.boxes / np.array(one.size_hw[::-1] * 2, dtype=np.float32)
    return np.concatenate([shares, shares[:, 2:] - shares[:, :2]], axis=1)


def test_h5_of_lxmert_is_padded_or_flat(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["features"], file["boxes"] = padded(PHOTOS, "features", 6), padded(PHOTOS, "boxes", 6)
        file["num_boxes"] = [len(one.boxes) for one in PHOTOS]
        file["image_ids"] = np.array([one.name.encode() for one in PHOTOS])
        file["image_h"], file["image_w"] = [40] * 3, [60] * 3
    ends = np.cumsum([0, *(len(one.boxes) for one in PHOTOS)])
    with h5py.File(tmp_path / "b.hdf5", "w") as file:
        file["features"] = np.concatenate([one.features for one in PHOTOS])
        file["bb"] = np.concatenate([one.boxes for one in PHOTOS])
        file["pos_boxes"] = np.stack([ends[:-1], ends[1:]], axis=1)
        file["image_ids"] = [int(one.name) for one in PHOTOS]
    for path in (tmp_path / "a.h5", tmp_path / "b.hdf5"):
        stored = open_regions(path)
        assert stored.width == WIDTH
        for one in PHOTOS[::-1]:
            same(stored.read(f"COCO_val2014_{int(one.name):012d}.jpg"), one, size=path.suffix == ".h5")


def test_h5_of_updn_has_shares_and_its_names_beside_as_json(tmp_path: Path) -> None:
    path = tmp_path / "train36.hdf5"
    rows = {"1000": 0, "42": 2, "7": 1}
    order = (PHOTOS[2], PHOTOS[1], PHOTOS[0])
    ends = np.cumsum([0, *(len(one.boxes) for one in order)])
    with h5py.File(path, "w") as file:
        file["image_features"] = np.concatenate([one.features for one in order])
        file["image_bb"] = np.concatenate([one.boxes for one in order])
        file["spatial_features"] = np.concatenate([spatial(one) for one in order])
        file["pos_boxes"] = np.stack([ends[:-1], ends[1:]], axis=1)
    with pytest.raises(InputError, match="nothing tells which photo a row is of"):
        open_regions(path)
    pickled = tmp_path / "train36_imgid2idx.pkl"
    pickled.write_bytes(pickle.dumps(rows))
    for settings in ({}, {"ids": str(pickled)}):
        with pytest.raises(InputError, match=r"these names are a pickle.*as JSON"):
            open_regions(path, settings)
    (tmp_path / "train36_imgid2idx.json").write_text(json.dumps(rows))
    stored = open_regions(path)
    for one in PHOTOS:
        same(stored.read(f"{one.name}.jpg"), one, shares=True, size=False)
    (tmp_path / "other.json").write_text(json.dumps({"42": 3}))
    with pytest.raises(InputError, match="a photo is told to be row 3, and it has 3 rows"):
        open_regions(path, {"ids": str(tmp_path / "other.json")})
    (tmp_path / "list.json").write_text(json.dumps(["a", "b", "c"]))
    same(open_regions(path, {"ids": str(tmp_path / "list.json")}).read("b.png"), order[1], shares=True, size=False)
    for broken in ("{", '"a"', '{"42": {"idx": null}}'):
        (tmp_path / "list.json").write_text(broken)
        with pytest.raises(InputError, match="it does not tell rows by photo"):
            open_regions(path, {"ids": str(tmp_path / "list.json")})
    with pytest.raises(InputError, match="no such file of names"):
        open_regions(path, {"ids": str(tmp_path / "absent.json")})


def test_h5_of_gqa_takes_the_photos_of_its_own_file(tmp_path: Path) -> None:
    info = {
        "n1": {"width": 60, "height": 40, "objectsNum": 3, "idx": 1, "file": 0},
        "n2": {"width": 60, "height": 40, "objectsNum": 2, "idx": 0, "file": 0},
        "n3": {"width": 60, "height": 40, "objectsNum": 9, "idx": 0, "file": 1},
    }
    (tmp_path / "gqa_objects_info.json").write_text(json.dumps(info))
    with h5py.File(tmp_path / "gqa_objects_0.h5", "w") as file:
        pair = (PHOTOS[1], PHOTOS[0])
        file["features"], file["bboxes"] = padded(pair, "features", 4), padded(pair, "boxes", 4)
    stored = open_regions(tmp_path / "gqa_objects_0.h5")
    same(stored.read("n1.jpg"), PHOTOS[0])
    same(stored.read("n2.jpg"), PHOTOS[1])
    with pytest.raises(InputError, match="no photo n3.jpg; it has 2, such as n1"):
        stored.read("n3.jpg")


def test_h5_that_does_not_fit_itself_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"

    def written(**arrays: Any) -> Path:
        with h5py.File(path, "w") as file:
            for name, values in arrays.items():
                file[name] = values
        return path

    ids = np.array([b"a", b"b"])
    with pytest.raises(InputError, match="it has image_ids; features and boxes are needed"):
        open_regions(written(image_ids=ids))
    flat = {"features": np.zeros((4, 5), np.float32), "boxes": np.zeros((4, 4), np.float32), "image_ids": ids}
    with pytest.raises(InputError, match=r"shape \(4, 5\), and no pos_boxes"):
        open_regions(written(**flat))
    with pytest.raises(InputError, match=r"row 2 \(b\): pos_boxes are 2 to 5, and there are 4"):
        open_regions(written(**flat, pos_boxes=[[0, 2], [2, 5]])).read("b.jpg")
    deep = {"features": np.zeros((2, 3, 5)), "boxes": np.zeros((2, 3, 4)), "image_ids": ids}
    with pytest.raises(InputError, match="it has 4 regions, and room for 3"):
        open_regions(written(**deep, num_boxes=[4, 1])).read("a.jpg")
    with pytest.raises(InputError, match=r"features are \(3, 5\) and boxes \(2, 4\)"):
        open_regions(written(**(deep | {"boxes": np.zeros((2, 2, 4))}))).read("a.jpg")
    path.write_bytes(written(**deep).read_bytes()[:300])
    with pytest.raises(InputError, match="it is no HDF5 file, or it is cut off"):
        open_regions(path)
