from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import _proxy

from foveate.core.regions import Box
from foveate.perception.example_questions import example_questions
from foveate.perception.phrase_book import phrase_book
from tests.helpers import needs_shared, save_photo
from tests.unit.benchmarks.made import instance, photo

FIRST, SECOND = (10.0, 10.0, 30.0, 30.0), (50.0, 10.0, 90.0, 40.0)


def annotation(image: int, category: int, *, crowd: int = 0) -> dict[str, Any]:
    segmentation: Any = {"counts": [0, 1], "size": [100, 200]} if crowd else [[10, 10, 30, 10, 30, 30]]
    return {
        "image_id": image,
        "category_id": category,
        "bbox": [10, 10, 20, 20],
        "segmentation": segmentation,
        "iscrowd": crowd,
    }


def test_photos_are_read_with_their_annotations_in_the_detectors_words(tmp_path: Path) -> None:
    images = [{"id": n, "file_name": f"train/00000000000{n}.jpg", "height": 100, "width": 200} for n in (2, 1)]
    names = {1: ("tv", "electronic"), 2: ("dog", "animal")}
    categories = [{"id": n, "name": name, "supercategory": group} for n, (name, group) in names.items()]
    found = {"images": images, "categories": categories, "annotations": [annotation(2, 1), annotation(2, 2, crowd=1)]}
    (tmp_path / "coco").mkdir()
    (tmp_path / "coco" / "instances.json").write_text(json.dumps(found))
    save_photo(tmp_path / "coco" / "images" / "000000000001.jpg")
    save_photo(tmp_path / "toloka" / "images" / "000000000002.jpg")
    first, second = _proxy.photos(tmp_path)
    assert (first.name, first.instances) == ("000000000001.jpg", ())
    assert second.path == tmp_path / "toloka" / "images" / "000000000002.jpg"
    assert [(each.kind, each.xyxy) for each in second.instances] == [
        ("tvmonitor", (10, 10, 30, 30)),
        ("dog", (10, 10, 30, 30)),
    ]
    assert [each.kind for each in second.alone] == ["tvmonitor"]
    assert _proxy.groups(tmp_path) == {"tvmonitor": "electronic", "dog": "animal"}


def test_only_a_kind_that_stands_alone_is_asked_for(tmp_path: Path) -> None:
    shown = photo(tmp_path, instance("dog", FIRST), instance("cat", FIRST), instance("cat", SECOND))
    (sample,) = _proxy.present([shown], "named")
    assert sample.query.question == "Where is the dog?"
    assert [target.shape for target in sample.truth.targets] == [Box(FIRST)]
    assert sample.truth.size_hw == sample.query.size_hw == (100, 200)
    assert sample.outline is not None
    assert sample.outline.xyxy == FIRST


def test_a_crowd_is_not_one_thing_but_is_there(tmp_path: Path) -> None:
    shown = photo(tmp_path, instance("dog", FIRST, crowd=True))
    assert _proxy.present([shown], "named") == ()
    assert "dog" not in kinds(shown)


def kinds(shown: _proxy.Photo) -> list[str]:
    group_of = {kind: "animal" if kind in {"dog", "cat", "horse"} else "other" for kind in phrase_book().things}
    return [kind for kind, _ in _proxy.absent_kinds(shown, group_of)]


def test_real_questions_are_those_of_the_kind_at_most_three_the_sure_ones_first(tmp_path: Path) -> None:
    samples = _proxy.present([photo(tmp_path, instance("fork", FIRST))], "real")
    label = {each.question: each for each in example_questions()}
    assert len({sample.query.question for sample in samples}) == _proxy.MOST_QUESTIONS
    # Four of the nine questions for a fork are sure.
    assert all(label[sample.query.question].kind == "fork" for sample in samples)
    assert all(label[sample.query.question].sure for sample in samples)
    assert len({sample.query.id for sample in samples}) == 3


def test_a_narrower_word_than_the_kinds_own_is_not_asked() -> None:
    assert {each.wanted for each in _proxy.real("person")} == {"person"}
    assert {each.wanted for each in _proxy.real("diningtable")} == {"table"}
    assert _proxy.real("sheep") == ()  # The one question is for a goat.


def test_absent_kinds_are_two_near_ones_and_three_far_ones_none_of_them_there(tmp_path: Path) -> None:
    group_of = {kind: "animal" if kind in {"dog", "cat", "horse"} else "other" for kind in phrase_book().things}
    found = _proxy.absent_kinds(photo(tmp_path, instance("dog", FIRST)), group_of)
    assert {kind for kind, near in found if near} == {"cat", "horse"}
    assert [near for _, near in found] == [True, True, False, False, False]
    assert len({kind for kind, _ in found}) == 5


def test_too_few_near_kinds_are_made_up_by_far_ones(tmp_path: Path) -> None:
    group_of = dict.fromkeys(phrase_book().things, "other") | {"dog": "animal", "cat": "animal"}
    found = _proxy.absent_kinds(photo(tmp_path, instance("dog", FIRST)), group_of)
    assert [near for _, near in found] == [True, False, False, False, False]


def test_what_was_seen_without_an_annotation_is_not_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = photo(tmp_path, instance("dog", FIRST))
    gone = kinds(shown)
    monkeypatch.setitem(_proxy.SHOWN, shown.name, (gone[0],))
    assert gone[0] not in kinds(shown)
    assert gone[1:] == [kind for kind in kinds(shown) if kind in gone]


def test_an_absent_kind_has_a_truth_without_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_proxy, "groups", lambda: dict.fromkeys(phrase_book().things, "other"))
    samples = _proxy.absent([photo(tmp_path)], "real")
    assert len(samples) == 5
    assert not any(sample.truth.targets or sample.truth.answerable for sample in samples)


@pytest.mark.parametrize(("photo_name", "expected"), [("000000000030.jpg", False), ("000000000471.jpg", True)])
def test_photos_with_an_odd_number_are_held_out(photo_name: str, expected: bool) -> None:
    assert _proxy.held_out(photo_name) is expected


@pytest.mark.reference
@needs_shared
def test_the_sets_have_the_sizes_that_are_told() -> None:
    assert len(_proxy.groups()) == 80 == len(set(_proxy.groups()))
    found = _proxy.photos()
    sizes = {
        wording: (len(_proxy.present(found, wording)), len(_proxy.absent(found, wording)))
        for wording in ("ours", "real", "named")
    }
    assert sizes == {"ours": (110, 194), "real": (407, 345), "named": (156, 345)}
