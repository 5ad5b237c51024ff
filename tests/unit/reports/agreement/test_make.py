"""The folder of an agreement report."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from foveate.annotation.judged import judgements_of
from foveate.annotation.submissions import Submission
from foveate.annotation.work import GroundingWork
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.errors import InputError, OutputError
from foveate.quality.agreement import agreement
from foveate.quality.alpha import Effort
from foveate.reports.agreement import rows
from foveate.reports.agreement.make import write_agreement
from foveate.reports.agreement.page import sections_of
from foveate.reports.agreement.pictures import outlined
from foveate.reports.sections.parts import Figure, Table
from foveate.reports.sections.write import AGREEMENT, MARKER, write_report
from tests.helpers import save_photo
from tests.submissions import boxed, drawn, sent

FEW = Effort(resamples=20)
SIZE: dict[str, Any] = {"size_hw": (48, 64)}


def boxes() -> list[Submission]:
    found = [sent(boxed(2, 2, 12, 12), "ann", **SIZE), sent(boxed(2, 2, 12, 10), "bob", **SIZE)]
    more = [sent(boxed(2, 2, 12, 12), "ann", "b.jpg", **SIZE), sent(boxed(30, 30, 40, 40), "bob", "b.jpg", **SIZE)]
    return [*found, *more, sent(boxed(0, 0, 9, 9), "ann", "c.jpg", **SIZE)]


def found_of(submissions: list[Submission], **more: Any) -> Any:
    return agreement(judgements_of(submissions), effort=FEW, **more)


def test_the_folder_has_page_pairs_and_numbers(tmp_path: Path) -> None:
    submissions = boxes()
    found = found_of(submissions, bins=10)
    made = write_agreement(found, submissions, tmp_path / "out")
    assert made.page == tmp_path / "out" / "agreement.html"
    page = made.page.read_text(encoding="utf-8")
    assert "5 judgements of 3 tasks by 2 annotators; 2 pairs of regions in 2 tasks." in page
    assert "Name the folder of the photos" in page
    assert page.count("<svg") >= 2
    assert "http://" not in page.replace("http://www.w3.org", "")
    with (tmp_path / "out" / "pairs.csv").open(newline="") as file:
        pairs = list(csv.DictReader(file))
    assert [(row["task"], row["first"], row["second"], row["relation"]) for row in pairs] == [
        ("a.jpg", "ann", "bob", "contains"),
        ("b.jpg", "ann", "bob", "disjoint"),
    ]
    assert [float(row["iou"]) for row in pairs] == [0.8, 0.0]
    assert float(pairs[0]["first_covers"]) == 100 / (48 * 64)
    values = json.loads((tmp_path / "out" / "agreement.json").read_text(encoding="utf-8"))
    assert values == json.loads(json.dumps(found.as_dict()))
    write_agreement(found, submissions, tmp_path / "out")
    assert AGREEMENT in json.loads((tmp_path / "out" / MARKER).read_text())


def test_another_kind_of_report_is_not_replaced(tmp_path: Path) -> None:
    write_report(tmp_path / "out", "t", "l", [])
    with pytest.raises(OutputError, match="no report of this kind"):
        write_agreement(found_of(boxes()), boxes(), tmp_path / "out")


def test_photos_that_are_at_hand_are_shown_with_their_outlines(tmp_path: Path) -> None:
    save_photo(tmp_path / "photos" / "a.jpg")
    save_photo(tmp_path / "photos" / "b.jpg", (64, 48))
    made = write_agreement(found_of(boxes()), boxes(), tmp_path / "out", root=tmp_path / "photos")
    page = made.page.read_text(encoding="utf-8")
    assert made.photos == 1
    assert '<div class="photos wide-photos">' in page
    assert "ann: yellow; bob: light blue, dashed" in page
    assert "1 task not shown on a photo; the first: b.jpg: the photo is 48 wide and 64 high" in page
    with PIL.Image.open(tmp_path / "out" / "photos" / "worst_photos_01.jpg") as photo:
        assert photo.size == (64, 48)
    gone = write_agreement(found_of(boxes()[2:]), boxes(), tmp_path / "gone", root=tmp_path / "out" / "photos")
    assert "there is no such photo below the folder" in gone.page.read_text(encoding="utf-8")
    with pytest.raises(InputError):
        write_agreement(found_of(boxes()), boxes(), tmp_path / "no", root=tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["box", "polygon", "mask", "thin"])
def test_each_outline_is_where_its_region_is(kind: str) -> None:
    plane = np.zeros((600, 960), dtype=bool)
    plane[200:400, 300:600] = True
    thin = np.zeros_like(plane)
    thin[201, 301:599] = True
    shape: Any = {
        "box": Box((300, 200, 600, 400)),
        "polygon": Polygon((((300, 200), (600, 200), (600, 400), (300, 400)),)),
        "mask": Mask(encode(plane)),
        "thin": Mask(encode(thin)),
    }[kind]
    picture = np.asarray(PIL.Image.open(io.BytesIO(outlined(np.full((600, 960, 3), 90, np.uint8), [shape]))))
    assert picture.shape == (300, 480, 3)
    changed = np.argwhere(np.abs(picture.astype(int) - 90).max(axis=2) > 60)
    expected = (100, 150, 101 if kind == "thin" else 200, 300)
    assert [*changed.min(axis=0), *(changed.max(axis=0) + 1)] == pytest.approx(expected, abs=8)


def test_two_outlines_have_two_colours() -> None:
    grey = np.full((240, 320, 3), 120, np.uint8)
    data = outlined(grey, [Box((20, 20, 120, 120)), Box((180, 20, 300, 120))])
    picture = np.asarray(PIL.Image.open(io.BytesIO(data))).astype(int)
    yellow, blue = (picture[..., 2] < picture[..., 0] - 80), (picture[..., 0] < picture[..., 2] - 80)
    assert np.argwhere(yellow)[:, 1].max() < 150 < np.argwhere(blue)[:, 1].min()


def test_chapters_say_what_was_not_measured() -> None:
    sections = {section.key: section for section in sections_of(found_of([]), None, "")}
    assert sections["pairs"].lead.startswith("No task has regions of two people")
    assert sections["alpha"].lead == "Alpha is not defined: no task has regions of two people."
    assert sections["differences"].lead == "There are no pairs."
    assert [type(part) for part in sections["pairs"].parts] == [Table]
    same = found_of([sent(boxed(2, 2, 12, 12), name, **SIZE) for name in ("ann", "bob")])
    sections = {section.key: section for section in sections_of(same, None, "")}
    assert sections["differences"].lead == "No two regions differ."
    (figure, table) = sections["pairs"].parts
    assert isinstance(figure, Figure)
    assert isinstance(table, Table)
    assert "0.8 to 1: 100.0 % here, published about 60 %" in figure.numbers
    assert "0.2 to 0.4: 0.0 % here, published not said" in figure.numbers
    assert table.rows[-1] == ["0.8 to 1", 1, 100.0, 60]


def test_words_for_a_sample_for_frames_and_for_those_who_did_not_draw() -> None:
    yes = GroundingWork.model_validate({"several_questions": True})
    submissions = [sent(drawn(), name, task) for name in ("ann", "bob", "cleo") for task in ("a.jpg", "b.jpg")]
    moved = [(x + 4, y) for x, y in [(2.0, 2.0), (12.0, 2.0), (12.0, 12.0), (2.0, 12.0)]]
    submissions[0] = sent(drawn(moved), "ann", "a.jpg")
    submissions += [sent(yes, "dora"), sent(yes, "eve")]
    found = agreement(judgements_of(submissions), frame="pixels", effort=Effort(most_pairs=5, resamples=20))
    assert "as masks" in rows.told(found.alpha)
    assert "from a seeded sample of 5 pairs (95 % of samples: " in rows.told(found.alpha)
    assert "frame pixels" in rows.told(found.alpha)
    assert rows.overview(found).endswith("one drew and the other did not 6, neither drew 1.")
    steps = {row[0]: row[1:4] for row in rows.steps(found)}
    assert steps["Is more than one question asked?"] == ["no 6, yes 2", 13, pytest.approx(100 * 7 / 13)]
    assert rows.as_text([["a", 1234, 0.5, None]]) == [["a", "1,234", "0.500", "n/a"]]
