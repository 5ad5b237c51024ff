from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.analysis.photo_work import Job, Settings, Work, look
from foveate.analysis.text_in_evidence import RULES, exact, fuzzy, inside, read_evidence, reading, verdicts, words_of
from foveate.core.masks import box_to_rle
from foveate.core.regions import Box
from foveate.core.truths import Target
from foveate.perception.text_lines import TextLine, text_line
from foveate.sources.images import FileImage
from tests.helpers import SHARED, Sides, needs_shared, save_photo
from tests.unit.analysis.looked import Sample, analysed, dataset

SIZE = (300, 640)


def line(box: Sides, text: str = "word") -> TextLine:
    x0, y0, x1, y1 = box
    made = text_line(text, 1.0, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64), SIZE)
    assert made is not None
    return made


def page(path: Path) -> FileImage:
    """Writes a page with one text at the top and one at the bottom."""
    sheet = PIL.Image.new("RGB", (SIZE[1], SIZE[0]), "white")
    pen = PIL.ImageDraw.Draw(sheet)
    for y, text in ((30, "Ground coffee"), (190, "Best before 2027")):
        pen.text((40, y), text, fill="black", font=PIL.ImageFont.load_default(size=48))
    sheet.save(path)
    return FileImage(path)


@pytest.mark.parametrize(
    ("answer", "text", "exactly", "nearly"),
    [
        ("Ground Coffee", "GROUND COFFEE, 500 g", True, True),
        ("café", "cafe crème", True, True),
        ("don't", "DON’T WALK", True, True),
        ("coffee ground", "ground coffee", False, False),
        ("ground coffee", "ground strong coffee", False, False),
        ("cof", "coffee", False, False),
        ("coffee", "cofee", False, True),
        ("coffee", "coffees", False, True),
        ("coffee", "soffee", False, True),
        ("coffee", "coeffe", False, False),
        ("tea", "pea", False, False),
        ("7up", "7 up", False, False),
        ("", "anything", False, False),
        ("?!", "?!", False, False),
    ],
)
def test_answers_are_looked_for_by_stated_rules(answer: str, text: str, exactly: bool, nearly: bool) -> None:
    assert (exact(answer, text), fuzzy(answer, text)) == (exactly, nearly)


def _apart(a: str, b: str) -> int:
    """Returns the edit distance, by the table of the textbook."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_long_words_are_alike_within_one_edit(a: str, b: str) -> None:
    near = bool(a) and (a == b or (min(len(a), len(b)) >= 5 and _apart(a, b) <= 1))
    assert fuzzy(a, b) == near


def test_letters_of_other_kinds_are_plain_ones() -> None:
    assert words_of("\U0001d63c\uff22 \ufb01ne \u2460") == ["ab", "fine", "1"]


@given(st.text(max_size=40))
def test_words_stay_as_they_are_when_read_again(text: str) -> None:
    assert words_of(" ".join(words_of(text))) == words_of(text)


def test_a_line_belongs_to_a_region_by_half_of_its_pixels() -> None:
    region = box_to_rle((0, 0, 100, 300), SIZE)
    assert inside(line((50, 10, 150, 30)), region)
    assert not inside(line((52, 10, 152, 30)), region)
    assert inside(line((10.2, 10.2, 10.4, 10.4)), region)
    assert not inside(line((200.2, 10.2, 200.4, 10.4)), region)


def test_text_and_answers_are_found_where_they_are(tmp_path: Path) -> None:
    photo = page(tmp_path / "page.png")
    upper, lower, empty = Box((0, 0, 640, 120)), Box((0, 170, 640, 300)), Box((600, 120, 640, 160))
    samples = [
        Sample([Target(shape)], answer=answer, photo="page.png", image=photo)
        for shape, answer in ((upper, "coffee"), (lower, "coffee"), (empty, "coffee"), (upper, None), (upper, "ground"))
    ]
    data, analysis = dataset(samples, SIZE), analysed(samples, SIZE)
    settings = Settings(cache=tmp_path / "cache")
    found = read_evidence(data, analysis, {"page.png": photo}, settings, crops=True)
    assert [[each.text for each in evidence.inside] for evidence in found.evidence[:3]] == [
        ["Ground coffee"],
        ["Best before 2027"],
        [],
    ]
    result = verdicts(found, analysis)
    assert result.has_text.tolist() == [True, True, False, True, True]
    assert result.photo_has_text.all()
    assert result.answered.tolist() == [True, True, True, False, True]
    assert result.in_region.tolist() == [True, False, False, False, True]
    assert result.in_photo.tolist() == [True, True, True, False, True]
    cropped = verdicts(found, analysis, RULES["exact"], crops=True)
    assert cropped.in_region.tolist() == result.in_region.tolist()
    crop = found.evidence[1].crop
    assert crop is not None
    assert crop[0].xyxy[1] > 170
    # Kept: the whole photo once, and each different part of it.
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 4


def test_photos_absent_broken_or_of_another_size_are_counted(tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no photo")
    images = {
        "broken.jpg": FileImage(tmp_path / "broken.jpg"),
        "other.png": FileImage(save_photo(tmp_path / "other.png", (30, 64))),
        "blank.png": FileImage(save_photo(tmp_path / "blank.png", SIZE)),
    }
    names = [*images, "absent.png"]
    samples = [Sample([Target(Box((0, 0, 9, 9)))], photo=name, image=images.get(name)) for name in names]
    data, analysis = dataset(samples, SIZE), analysed(samples, SIZE)
    found = read_evidence(data, analysis, images, Settings(cache=tmp_path / "cache"))
    assert [each.row for each in found.evidence] == [2]
    assert (found.photos, found.absent, sorted(found.unread)) == (3, 1, ["broken.jpg", "other.png"])
    assert "64 wide and 30 high, not 640 wide and 300 high" in found.unread["other.png"]


@needs_shared
def test_photos_of_blind_people_with_polygons(tmp_path: Path) -> None:
    from foveate.datasets._open import open_dataset

    data = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz")
    images = {query.id: query.image for query in data.queries()}
    truths = [truth for truth in data.truths() if images[truth.id] is not None]
    assert [truth.id for truth in truths] == [f"VizWiz_val_000000{number}.jpg" for number in ("11", "01", "02")]
    for truth in truths:
        assert truth.size_hw
        sample = Sample(truth.targets, answer=truth.answers[0], photo=truth.id, image=images[truth.id])
        made, analysis = dataset([sample], truth.size_hw), analysed([sample], truth.size_hw)
        (found,) = read_evidence(made, analysis, images, Settings(cache=tmp_path)).evidence
        assert bool(found.inside) == (truth.id != "VizWiz_val_00000011.jpg")


@pytest.mark.parametrize(
    "made", [5, [[1, 2]], [["TEA", "high", [[0, 0]] * 4]], [["TEA", 0.9, [[0, 0], [1]]]], {"a": 1}]
)
def test_what_is_kept_but_is_no_text_is_read_again(made: object, tmp_path: Path) -> None:
    job = Job(FileImage(save_photo(tmp_path / "a.png")))
    work, settings = Work("text", "1", lambda _: [], reading().fits), Settings(cache=tmp_path / "kept")
    assert look({"a": job}, work, settings, "").kept == 0
    (file,) = (tmp_path / "kept").rglob("*.json")
    assert look({"a": job}, work, settings, "").kept == 1
    file.write_text(json.dumps({"version": "1", "made": made}), encoding="utf-8")
    again = look({"a": job}, work, settings, "")
    assert (again.kept, again.made) == (0, {"a": []})
