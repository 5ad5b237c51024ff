from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.core.regions import Mask, Polygon
from foveate.datasets import coco
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared

IMAGES = [{"id": n, "file_name": f"COCO_val2014_{n:012d}.jpg", "width": 64, "height": 48} for n in (2, 1)]
KINDS = [{"id": 1, "name": "person"}, {"id": 44, "name": "bottle"}]


def instance(number: int, image: int, kind: int, *, crowd: bool = False) -> dict[str, Any]:
    x = 5 * number
    region: Any = [[x, 0, x + 4, 0, x + 4, 9, x, 9]]
    if crowd:
        region = {"size": [48, 64], "counts": [48 * 60, 96, 96]}
    return {"id": number, "image_id": image, "category_id": kind, "iscrowd": int(crowd), "segmentation": region}


def saved(root: Path, instances: list[dict[str, Any]], split: str = "val2014") -> Path:
    whole = {"images": IMAGES, "annotations": instances, "categories": KINDS}
    (root / f"instances_{split}.json").write_text(json.dumps(whole))
    return root


@pytest.fixture
def real(tmp_path: Path) -> Path:
    (tmp_path / "instances_val2017.json").symlink_to(SHARED / "coco" / "instances.json")
    captions = json.loads((SHARED / "coco" / "captions.json").read_text())
    (tmp_path / "captions_val2017.json").write_text(json.dumps({"annotations": captions}))
    (tmp_path / "val2017").symlink_to(SHARED / "coco" / "images")
    return tmp_path


@needs_shared
def test_the_real_sample(real: Path) -> None:
    raw = json.loads((SHARED / "coco" / "instances.json").read_text())
    kinds = {kind["id"]: kind["name"] for kind in raw["categories"]}
    names = {image["id"]: image["file_name"] for image in raw["images"]}
    crowded = {(a["image_id"], a["category_id"]) for a in raw["annotations"] if a["iscrowd"]}
    pairs = {(a["image_id"], a["category_id"]) for a in raw["annotations"]}
    data = open_dataset("coco:val2017", real)
    queries, truths = list(data.queries()), list(data.truths())
    assert [q.id for q in queries] == [t.id for t in truths]
    assert {q.id for q in queries} == {f"{names[image]}#{kinds[kind]}" for image, kind in pairs - crowded}
    assert data.remarks[0].startswith(f"questions left out because of a crowd of the kind: {len(crowded)}, ")
    assert len(crowded) == 8
    with_crowds = open_dataset("coco:val2017", real, settings={"crowd": "keep"})
    assert len(list(with_crowds.queries())) == len(pairs)
    kept = list(with_crowds.truths())
    assert sum(len(truth.targets) for truth in kept) == 542
    assert sum(bool(truth.facts["crowd"]) for truth in kept) == 8
    assert all(len(truth.facts["captions"]) >= 5 for truth in truths if "captions" in truth.facts)
    assert {q.image is not None for q in queries} == {True, False}
    assert all(q.image.size_hw == q.size_hw for q in queries if q.image)


@needs_shared
def test_exactly_one_region(real: Path) -> None:
    data = open_dataset("coco:val2017", real, only_one_region=True)
    truths = list(data.truths())
    everything = list(open_dataset("coco:val2017", real).truths())
    assert [t.id for t in truths] == [t.id for t in everything if t.facts["instances"] == 1]
    assert 0 < len(truths) < len(everything)
    assert [q.id for q in data.queries()] == [t.id for t in truths]
    assert {q.question for q in data.queries() if not q.question.startswith("Where is the ")} <= {
        "Where are the skis?",
        "Where are the scissors?",
    }


def test_questions_answers_and_order(tmp_path: Path) -> None:
    saved(tmp_path, [instance(1, 1, 44), instance(2, 2, 44), instance(3, 2, 1), instance(4, 2, 1)])
    data = open_dataset("coco:val2014", tmp_path)
    assert [(q.id, q.question, q.size_hw) for q in data.queries()] == [
        ("COCO_val2014_000000000002.jpg#person", "Where are the people?", (48, 64)),
        ("COCO_val2014_000000000002.jpg#bottle", "Where is the bottle?", (48, 64)),
        ("COCO_val2014_000000000001.jpg#bottle", "Where is the bottle?", (48, 64)),
    ]
    first, *_ = data.truths()
    assert (first.answers, first.match, first.polled) == (("person",), "union", False)
    assert first.facts == {"instances": 2, "crowd": False}
    assert [t.shape for t in first.targets] == [
        Polygon((((x, 0.0), (x + 4, 0.0), (x + 4, 9.0), (x, 9.0)),)) for x in (15.0, 20.0)
    ]
    assert data.remarks == []


def test_a_crowd_is_left_out_with_its_question_or_kept_as_its_mask(tmp_path: Path) -> None:
    saved(tmp_path, [instance(1, 1, 44), instance(2, 2, 1), instance(3, 2, 1, crowd=True)])
    data = open_dataset("coco:val2014", tmp_path)
    assert [t.id for t in data.truths()] == [q.id for q in data.queries()] == ["COCO_val2014_000000000001.jpg#bottle"]
    data = open_dataset("coco:val2014", tmp_path, settings={"crowd": "keep"})
    people = next(iter(data.truths()))
    assert [type(target.shape) for target in people.targets] == [Polygon, Mask]
    assert people.facts == {"instances": 1, "crowd": True}
    assert next(iter(data.queries())).question == "Where are the people?"
    with pytest.raises(UsageError, match=r"crowd is maybe\. Give one of leave_out, keep\."):
        list(open_dataset("coco:val2014", tmp_path, settings={"crowd": "maybe"}).queries())
    with pytest.raises(UsageError, match="it has no option crowds. Did you mean crowd"):
        open_dataset("coco:val2014", tmp_path, settings={"crowds": "keep"})


def test_a_photo_of_2014_is_found_by_its_name_of_2017(tmp_path: Path) -> None:
    coco.write_tiny(tmp_path)
    for split in ("val2014", "val2017"):
        saved(tmp_path, [instance(1, 1, 44)], split)
    (query,) = open_dataset("coco:val2014", tmp_path).queries()
    assert query.image
    assert (query.image_name, query.image.name) == ("COCO_val2014_000000000001.jpg", "000000000001.jpg")


def test_a_broken_annotation_stops_or_is_counted_and_both_sides_agree(tmp_path: Path) -> None:
    far = instance(2, 1, 1) | {"segmentation": [[0, 0, 200, 0, 200, 9]]}
    saved(tmp_path, [instance(1, 1, 44), far, instance(3, 9, 1), instance(4, 2, 1)])
    with pytest.raises(InputError, match="annotation 2: an outline has a corner 136 pixels outside the photo of 64 x"):
        list(open_dataset("coco:val2014", tmp_path).truths())
    data = open_dataset("coco:val2014", tmp_path, skip_invalid=True)
    assert [q.id for q in data.queries()] == [t.id for t in data.truths()]
    assert len(list(data.queries())) == 2
    assert len(data.skipped) == 2
