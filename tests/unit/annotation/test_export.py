from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foveate.annotation.export import SAMPLE_FORMS, export_samples
from foveate.annotation.work import AskWork, GroundingWork
from foveate.core.queries import Query
from foveate.core.regions import Mask
from foveate.core.rle import area, encode
from foveate.core.truths import Target, Truth
from foveate.datasets._convert import Loss
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.formats._losses import losses
from foveate.formats._sample_forms import Sample
from foveate.formats.sample_forms import FORMS
from foveate.formats.vizwiz_samples import vizwiz_form
from tests.helpers import save_photo
from tests.submissions import SQUARE, boxed, drawn, sent

SUFFIX = {"jsonl": ".jsonl", "parquet": ".parquet", "csv": ".csv", "toloka": ".csv", "coco": ".json", "via": ".json"}
GIVEN = [
    sent(drawn(), "a", "a.jpg"),
    sent(drawn(SQUARE[:3]), "b", "a.jpg"),
    sent(GroundingWork(several_questions=True), "a", "b.jpg"),
]


def read_as(form: str, path: Path, photos: Path) -> list[tuple[Query, Truth]]:
    if form == "vizwiz":
        return list(open_dataset("vizwiz_grounding:val", path).pairs())
    if form == "toloka":
        return list(open_dataset("toloka_vqa:test_public", path.parent).pairs())
    return list(open_dataset(str(path), settings={"form": form, "photos": str(photos)}).pairs())


@pytest.mark.parametrize("form", SAMPLE_FORMS)
def test_every_form_is_written_and_read_with_its_target(tmp_path: Path, form: str) -> None:
    photos = tmp_path / "photos"
    for name in ("a.jpg", "b.jpg"):
        save_photo(photos / name, (24, 32))
    out = tmp_path / f"test_public{SUFFIX.get(form, '')}"
    told: list[Loss] = []
    options = {"lossy": True, "photos": "link", "photos_root": photos} if form == "yolo" else {"lossy": True}
    done = export_samples(GIVEN, out, to=form, on_loss=told.append, **options)
    assert (done.converted.n, done.remarks()) == (2, ["no target because of several_questions: 1"])
    assert bool(told) == (form not in {"jsonl", "parquet", "hf"})
    truths = [truth for _, truth in read_as(form, out, photos) if truth.targets]
    assert len(truths) == 1
    (target,) = truths[0].targets
    assert target.shape.xyxy == pytest.approx((2, 2, 12, 12))


def test_what_a_form_loses_is_refused_before_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot hold all of this: samples have no region, facts"):
        export_samples(GIVEN, tmp_path / "out.json", to="coco")
    assert list(tmp_path.iterdir()) == []


def test_photos_are_put_beside(tmp_path: Path) -> None:
    save_photo(tmp_path / "photos" / "a.jpg", (24, 32))
    done = export_samples(
        GIVEN, tmp_path / "out", to="vizwiz", lossy=True, photos="copy", photos_root=tmp_path / "photos"
    )
    # The photo of the sample that the form leaves out is not there, which is told.
    assert done.converted.photos == {"written": 1, "absent": 1}
    assert (tmp_path / "out" / "val" / "a.jpg").is_file()
    (query,) = open_dataset("vizwiz_grounding:val", tmp_path / "out").queries()
    assert query.image


def test_names_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="form vizwitz: there is none of this name. Did you mean vizwiz"):
        export_samples(GIVEN, tmp_path / "out", to="vizwitz")
    with pytest.raises(UsageError, match="split dev: VizWiz has no such split"):
        export_samples(GIVEN, tmp_path / "out", to="vizwiz", split="dev")


def test_tasks_without_a_question_are_told(tmp_path: Path) -> None:
    nothing = sent(AskWork(outcome="nothing"), question="")
    with pytest.raises(InputError, match="no task has a question"):
        export_samples([nothing], tmp_path / "out.jsonl", to="jsonl")
    asked = sent(AskWork(outcome="asked", question="Where?"), task="b.jpg", question="")
    done = export_samples([nothing, asked], tmp_path / "out.jsonl", to="jsonl")
    assert done.remarks() == ["no target because of not_verified: 1", "tasks without a question, left out: 1"]


def test_a_hole_is_told_wherever_a_mask_becomes_an_outline() -> None:
    inside = np.ones((24, 32), dtype=bool)
    inside[8:12, 8:12] = False
    query = Query("a.jpg", "a.jpg", None, "What?", (24, 32))
    holed = Sample(query, Truth("a.jpg", ("cup",), (Target(Mask(encode(inside)), "cup"),), size_hw=(24, 32)))
    for form in (FORMS["via"], FORMS["yolo"], vizwiz_form()):
        assert "mask" in losses(holed, form)
        assert "without holes" in form.lost["mask"]
    assert [name for name in ("coco", "labelme") if "mask" in losses(holed, FORMS[name])] == []


def test_boxes_too(tmp_path: Path) -> None:
    done = export_samples([sent(boxed(1, 2, 3.5, 4))], tmp_path / "out.csv", to="toloka", lossy=True)
    assert done.converted.losses["fractions"].n == 1


def test_a_photo_too_large_for_a_mask_file_is_told(tmp_path: Path) -> None:
    huge = [sent(drawn(), size_hw=(60_000, 60_000))]
    with pytest.raises(InputError, match="60000 x 60000 is too large"):
        export_samples(huge, tmp_path / "out", to="vizwiz", lossy=True)


def test_gold_and_decisions_are_told(tmp_path: Path) -> None:
    gold = [sent(drawn(), "a", gold=True), sent(drawn(), "a", "b.jpg"), sent(drawn(), "b", "b.jpg", adjudicated=True)]
    done = export_samples(gold, tmp_path / "out.jsonl", to="jsonl")
    said = ["gold tasks without a decision in the file, left out: 1", "samples as somebody decided: 1"]
    assert done.remarks() == said
    with pytest.raises(InputError, match="every task with a question is gold without a decision"):
        export_samples(gold[:1], tmp_path / "none.jsonl", to="jsonl")


def test_a_region_of_several_parts_loses_them_where_a_form_holds_one_outline(tmp_path: Path) -> None:
    apart = [[(2, 2), (6, 2), (6, 6), (2, 6)], [(10, 10), (14, 10), (14, 14), (10, 14)]]
    given = [sent(drawn(outline), str(n)) for n, outline in enumerate(apart)]
    with pytest.raises(InputError, match="cannot hold all of this"):
        export_samples(given, tmp_path / "out", to="vizwiz", rule="union")
    export_samples(given, tmp_path / "out.jsonl", to="jsonl", rule="union")
    (truth,) = open_dataset(str(tmp_path / "out.jsonl")).truths()
    shape = truth.targets[0].shape
    assert isinstance(shape, Mask)
    assert area(shape.encoded) == 32
