from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from foveate.core.regions import Mask, Polygon
from foveate.core.rle import Rle
from foveate.datasets import vizwiz_grounding
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from foveate.formats.mask_png import read_mask_png
from tests.helpers import SHARED, needs_shared

GOOD: dict[str, Any] = {
    "width": 64,
    "height": 48,
    "question": "What is this?",
    "answers": ["cup", "mug"],
    "most_common_answer": "cup",
    "answer_grounding": [{"x": 0, "y": 0}, {"x": 64, "y": 0}, {"x": 64, "y": 24}, {"x": 0, "y": 24}, {"x": 0, "y": 0}],
}


NO_PIXEL = "answer_grounding covers the middle of no pixel, so that no region could hit it. Fix the record, or pass"


def corners(*points: tuple[float, float]) -> dict[str, Any]:
    return {"answer_grounding": [{"x": x, "y": y} for x, y in points]}


def written(root: Path, **records: Any) -> Path:
    named = {f"{name}.jpg": record for name, record in records.items()}
    (root / "val_grounding.json").write_text(json.dumps(named))
    return root


def mask_of(root: Path, name: str, rows: int) -> None:
    values = np.zeros((48, 64), dtype=np.uint8)
    values[:rows] = 255
    (root / "binary_masks_png" / "val").mkdir(parents=True, exist_ok=True)
    PIL.Image.fromarray(values).save(root / "binary_masks_png" / "val" / f"{name}.png")


@needs_shared
def test_the_real_validation_split() -> None:
    data = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz")
    queries, truths = list(data.queries()), list(data.truths())
    assert len(queries) == len(truths) == vizwiz_grounding.CARD.splits["val"]
    raw = json.loads((SHARED / "vizwiz" / "val_grounding.json").read_bytes())
    assert [q.id for q in queries] == list(raw)
    assert [q.question for q in queries] == [record["question"] for record in raw.values()]
    points = [len(t.targets[0].shape.parts[0]) for t in truths if isinstance(t.targets[0].shape, Polygon)]
    assert round(sum(points) / len(points), 2) == 11.87  # ../shared/data/README.md, without the closing point
    assert round(sum(n == 4 for n in points) / len(points), 3) == 0.366


@needs_shared
@pytest.mark.reference
@pytest.mark.parametrize(("grounder", "expected"), [("whole_image", 0.334), ("centre_box", 0.236)])
def test_the_priors_on_the_real_validation_split(grounder: str, expected: float, tmp_path: Path) -> None:
    """Computed independently with OpenCV; ours leaves the outline's pixels out (design/rasterisation.md)."""
    ground("vizwiz_grounding:val", SHARED / "vizwiz", grounder=grounder, out=tmp_path / "run")
    assert score(tmp_path / "run").metrics["mean_iou"].value == pytest.approx(expected, abs=0.001)


def test_a_record(tmp_path: Path) -> None:
    data = open_dataset("vizwiz_grounding:val", written(tmp_path, a=GOOD))
    ((query, truth),) = data.samples()
    assert (query.id, query.size_hw, query.image) == ("a.jpg", (48, 64), None)
    assert truth.answers == ("cup", "mug")
    assert truth.targets[0].answer == "cup"
    assert truth.targets[0].shape == Polygon((((0, 0), (64, 0), (64, 24), (0, 24)),))


def test_a_box_is_scored_against_the_polygons_pixels(tmp_path: Path) -> None:
    written(tmp_path, a=GOOD)
    ground("vizwiz_grounding:val", tmp_path, grounder="whole_image", out=tmp_path / "run")
    assert score(tmp_path / "run").metrics["mean_iou"].value == 0.5


def test_corners_a_little_outside_are_moved_onto_the_photo(tmp_path: Path) -> None:
    bent = GOOD | {"answer_grounding": [{"x": -5.5, "y": 0}, {"x": 64, "y": 0}, {"x": 64, "y": 50}]}
    (truth,) = open_dataset("vizwiz_grounding:val", written(tmp_path, a=bent)).truths()
    assert truth.targets[0].shape == Polygon((((0, 0), (64, 0), (64, 48)),))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"answer_grounding": GOOD["answer_grounding"][:2]}, "the polygon has 2 points, it needs 3"),
        ({"answer_grounding": [{"x": 0, "y": 0}, {"x": 99, "y": 0}, {"x": 9, "y": 9}]}, "a corner 35 pixels outside"),
        ({"answer_grounding": [{"x": 0}]}, r"answer_grounding\.0\.y is"),
        ({"question": " "}, "question is ' '; a text is needed here"),
        ({"width": 0}, "width is 0"),
        ({"width": 99_999, "height": 99_999}, "an image has at most 4,294,967,295 pixels, not 99999 x 99999"),
        # Between the middles of two columns of pixels; and nothing of it is on the photo.
        (corners((1.6, 2), (2.4, 2), (2.4, 9), (1.6, 9)), NO_PIXEL),
        (corners((-5, 2), (0.3, 2), (0.3, 9), (-5, 9)), NO_PIXEL),
        (corners((-5, 2), (-1, 2), (-1, 9), (-5, 9)), "the polygon has no area"),
    ],
)
def test_broken_records(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    written(tmp_path, a=GOOD, b=GOOD | change)
    with pytest.raises(InputError, match=rf"val_grounding\.json, b\.jpg: .*{said}"):
        list(open_dataset("vizwiz_grounding:val", tmp_path).queries())
    data = open_dataset("vizwiz_grounding:val", tmp_path, skip_invalid=True)
    assert [q.id for q in data.queries()] == [t.id for t in data.truths()] == ["a.jpg"]
    assert len(data.skipped) == 1


def test_a_mask_wins_over_the_polygon_and_a_difference_is_told_by_the_score(tmp_path: Path) -> None:
    written(tmp_path, a=GOOD, b=GOOD, c=GOOD)
    mask_of(tmp_path, "a", 24)
    mask_of(tmp_path, "b", 12)
    data = open_dataset("vizwiz_grounding:val", tmp_path)
    shapes = [truth.targets[0].shape for truth in data.truths()]
    assert [type(shape) for shape in shapes] == [Mask, Mask, Polygon]
    drawn = Polygon((((0, 0), (64, 0), (64, 24), (0, 24)),))
    assert [truth.targets[0].outline for truth in data.truths()] == [drawn, drawn, None]
    assert data.remarks == ["masks that differ from their polygon (IoU under 0.9) and were taken: 1, b.jpg"]
    ground("vizwiz_grounding:val", tmp_path, grounder="whole_image", out=tmp_path / "run")
    result = score(tmp_path / "run")
    assert result.metrics["mean_iou"].value == pytest.approx((0.5 + 0.25 + 0.5) / 3)
    assert result.notes == data.remarks


def test_a_broken_mask_stops_queries_and_truths_or_is_passed_over_by_both(tmp_path: Path) -> None:
    written(tmp_path, a=GOOD, b=GOOD, c=GOOD, d=GOOD)
    folder = tmp_path / "binary_masks_png" / "val"
    mask_of(tmp_path, "a", 24)
    mask_of(tmp_path, "b", 0)
    mask_of(tmp_path, "c", 24)
    (folder / "c.png").write_bytes((folder / "c.png").read_bytes()[:60])
    data = open_dataset("vizwiz_grounding:val", tmp_path)
    for read in (data.queries, data.truths):
        with pytest.raises(InputError) as caught:
            list(read())
        assert str(caught.value) == (
            f"{folder / 'b.png'}: the official mask is empty. Take the official file again, or pass --skip-invalid."
        )
    data = open_dataset("vizwiz_grounding:val", tmp_path, skip_invalid=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["a.jpg", "d.jpg"]
    assert [fault.partition(":")[0] for fault in data.skipped] == [str(folder / "b.png"), str(folder / "c.png")]


def test_a_mask_larger_than_any_photo_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, a=GOOD)
    mask_of(tmp_path, "a", 24)
    monkeypatch.setenv("FOVEATE_MAX_MEGAPIXELS", "0.003")
    monkeypatch.setattr(vizwiz_grounding, "read_mask_png", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(InputError, match=r"a\.png: the photo of the mask is 64 x 48, 0\.00307 megapixels; the limit"):
        list(open_dataset("vizwiz_grounding:val", tmp_path).truths())


def test_a_mask_is_not_that_of_two_photos(tmp_path: Path) -> None:
    (tmp_path / "val_grounding.json").write_text(json.dumps({"a.jpg": GOOD, "b.jpg": GOOD, "sub/a.jpg": GOOD}))
    mask_of(tmp_path, "a", 24)
    file = tmp_path / "binary_masks_png" / "val" / "a.png"
    with pytest.raises(InputError) as caught:
        list(open_dataset("vizwiz_grounding:val", tmp_path).truths())
    assert str(caught.value) == (
        f"{file}: by its name it is the mask of a.jpg and of sub/a.jpg. Take the official file again, or pass "
        "--skip-invalid."
    )
    data = open_dataset("vizwiz_grounding:val", tmp_path, skip_invalid=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["a.jpg", "b.jpg"]


def test_a_run_that_passed_over_a_broken_mask_is_scored_without_it(tmp_path: Path) -> None:
    written(tmp_path, a=GOOD, b=GOOD)
    mask_of(tmp_path, "a", 12)
    mask_of(tmp_path, "b", 0)
    ground("vizwiz_grounding:val", tmp_path, grounder="whole_image", out=tmp_path / "run", skip_invalid=True)
    result = score(tmp_path / "run")
    assert (result.n, result.metrics["mean_iou"].value) == (1, 0.25)


def test_a_mask_is_read_once_for_queries_and_truths_and_again_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counted(file: Path, size_hw: tuple[int, int]) -> Rle:
        read.append(file)
        return read_mask_png(file, size_hw)

    monkeypatch.setattr(vizwiz_grounding, "read_mask_png", counted)
    written(tmp_path, a=GOOD)
    mask_of(tmp_path, "a", 24)
    data = open_dataset("vizwiz_grounding:val", tmp_path)
    list(data.queries())
    list(data.truths())
    assert len(read) == 1
    mask_of(tmp_path, "a", 12)
    os.utime(read[0], ns=(1, 1))
    (truth,) = data.truths()
    assert truth.targets[0].shape.xyxy == (0, 0, 64, 12)


def test_hidden_targets_leave_queries_only(tmp_path: Path) -> None:
    written(tmp_path, a={key: GOOD[key] for key in ("width", "height", "question")})
    data = open_dataset("vizwiz_grounding:val", tmp_path)
    assert len(list(data.queries())) == 1
    with pytest.raises(InputError, match="it holds no answer_grounding"):
        list(data.truths())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid JSON"),
        ("[]", "not an object of one record a photo"),
        ('{"a.jpg": 3}', "one record a photo"),
        (
            '{"a.jpg": {}, "b.jpg": {}, "a.jpg": {}}',
            r"this is not valid JSON .the key a\.jpg appears twice.\. Take the official file again",
        ),
        ('{"a.jpg": {"width": 3, "width": 4}}', "the key width appears twice"),
        (r'{"\ud83d.jpg": {}}', r"this is not valid JSON .half a character at the end of '\{\"\\ud83d'"),
    ],
)
def test_files_that_are_none(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "val_grounding.json").write_text(text)
    with pytest.raises(InputError, match=said):
        list(open_dataset("vizwiz_grounding:val", tmp_path).queries())


@pytest.mark.parametrize("name", ["", " "])
def test_a_record_of_no_photo_stops_or_is_passed_over(name: str, tmp_path: Path) -> None:
    (tmp_path / "val_grounding.json").write_text(json.dumps({"a.jpg": GOOD, name: GOOD}))
    data = open_dataset("vizwiz_grounding:val", tmp_path)
    for read in (data.queries, data.truths):
        with pytest.raises(InputError) as caught:
            list(read())
        assert str(caught.value) == (
            f"{tmp_path / 'val_grounding.json'}, record 2: the name of its photo is empty. Fix the record, or pass "
            "--skip-invalid."
        )
    data = open_dataset("vizwiz_grounding:val", tmp_path, skip_invalid=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["a.jpg"]
    assert len(data.skipped) == 1


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"train_grounding\.json: there is no such file"):
        list(open_dataset("vizwiz_grounding:train", tmp_path).queries())
    with pytest.raises(UsageError, match="the folder of its files is not given"):
        open_dataset("vizwiz_grounding:val")


def test_photos_and_masks_lie_in_the_root_where_the_records_lie_below_it(tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path)
    (tmp_path / "annotations").mkdir()
    (tmp_path / "val_grounding.json").rename(tmp_path / "annotations" / "val_grounding.json")
    mask_of(tmp_path, "000000000000", 24)
    data = open_dataset("vizwiz_grounding:val", tmp_path)
    assert all(query.image is not None for query in data.queries())
    shapes = [type(truth.targets[0].shape) for truth in data.truths()]
    assert shapes == [Mask, Polygon, Polygon]
