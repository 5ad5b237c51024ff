from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.analysis.analyze import analyze_data, as_json_of
from foveate.analysis.photo_work import Job, Settings, photos_by_name, pixels_of
from foveate.analysis.text_counts import kinds_read, photos_read, text_counts
from foveate.analysis.text_elsewhere import Of, Text, of_named, photo_verdicts, photos_beside, read_text_of
from foveate.analysis.text_in_evidence import RULES
from foveate.datasets._open import Dataset, open_dataset
from foveate.datasets._options import HiddenError
from foveate.errors import UsageError
from tests.helpers import save_photo, write

# What is written on each photo, by its number.
WRITTEN = {1: ["COFFEE"], 2: ["TEA", "TIME"], 3: [], 4: ["MILK"], 5: ["SUGAR"], 6: ["SALT"]}


def record(answer: str, box: tuple[int, int, int, int] | None) -> dict[str, Any]:
    told = {"width": 64, "height": 48, "question": "What is this?", "answers": [answer] * 10}
    if box is None:
        return told | {"most_common_answer": answer, "answer_grounding": []}
    x0, y0, x1, y1 = box
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return told | {"most_common_answer": answer, "answer_grounding": [{"x": x, "y": y} for x, y in corners]}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a root of VizWiz: photo 1 has a target, 2 and 3 have none, 4 and 5 no sample; 6 is of another split."""

    def lines_of(job: Job) -> list[Any]:
        pixels_of(job)
        words = WRITTEN[int(job.image.name[-5])]
        return [
            [word, 0.9, [[4, 4 + 9 * k], [40, 4 + 9 * k], [40, 12 + 9 * k], [4, 12 + 9 * k]]]
            for k, word in enumerate(words)
        ]

    monkeypatch.setattr("foveate.analysis.text_in_evidence._lines_of", lines_of)
    for number in range(1, 6):
        save_photo(tmp_path / "images" / f"VizWiz_val_0000000{number}.png", colour=(number, 0, 0))
    save_photo(tmp_path / "images" / "VizWiz_train_00000006.png", colour=(6, 0, 0))
    save_photo(tmp_path / "elsewhere" / "VizWiz_val_00000007.png", colour=(7, 0, 0))
    records = {
        "VizWiz_val_00000001.png": record("coffee", (0, 0, 64, 20)),
        "VizWiz_val_00000002.png": record("tea", None),
        "VizWiz_val_00000003.png": record("black", None),
        "VizWiz_val_00000008.png": record("absent", None),
    }
    write(tmp_path / "val_grounding.json", json.dumps(records))
    return tmp_path


def read(root: Path, of: Of = "all", split: str = "val", **options: Any) -> tuple[Text, dict[str, Any]]:
    data = open_dataset(f"vizwiz_grounding:{split}", root, **options)
    analysis = analyze_data(data, hidden=True)
    text = read_text_of(data, analysis, photos_by_name(data), Settings(cache=root / "cache"), of=of)
    assert photos_read(text, analysis) >= {one.photo for one in text.unnamed.seen}
    return text, as_json_of([analysis], text=text)["text"]


def seen_of(text: Text) -> list[list[str]]:
    return [[one.photo for one in read.seen] for read in (text.untargeted, text.unnamed)]


def beside(data: Dataset) -> list[str]:
    return [photo.name for photo in photos_beside(data, photos_by_name(data))]


def test_each_kind_of_photo_is_counted_for_itself(root: Path) -> None:
    text, told = read(root)
    assert [(one.photo[-5], one.sample, one.answer) for one in text.untargeted.seen] == [
        ("2", "VizWiz_val_00000002.png", "tea"),
        ("3", "VizWiz_val_00000003.png", "black"),
    ]
    assert [(one.photo[-5], one.sample, one.answer) for one in text.unnamed.seen] == [
        ("4", None, None),
        ("5", None, None),
    ]
    assert told["photos"] == 5
    one, none, unnamed = told["with_target"], told["without_target"], told["no_sample"]
    assert [(kind["photos"], kind["absent"], kind["lines"]) for kind in (one, none, unnamed)] == [
        (1, 0, 1),
        (2, 1, 2),
        (2, 0, 2),
    ]
    assert one["region_has_text"] == {"n": 1, "found": 1, "share": 1.0}
    assert one["answer_in_region"]["exact"] == one["answer_in_photo"]["exact"] == {"n": 1, "found": 1, "share": 1.0}
    assert none["photo_has_text"] == {"n": 2, "found": 1, "share": 0.5}
    assert none["answer_in_photo"]["exact"] == {"n": 1, "found": 1, "share": 1.0}
    assert unnamed["photo_has_text"] == {"n": 2, "found": 2, "share": 1.0}
    assert "answer_in_photo" not in unnamed
    assert "region_has_text" not in none


@pytest.mark.parametrize(("of", "photos"), [("targets", (1, 0, 0)), ("samples", (1, 2, 0)), ("all", (1, 2, 2))])
def test_only_the_photos_that_are_meant_are_read(root: Path, of: Of, photos: tuple[int, int, int]) -> None:
    _, told = read(root, of)
    assert tuple(told[kind]["photos"] for kind in ("with_target", "without_target", "no_sample")) == photos
    assert len(list((root / "cache").rglob("*.json"))) == sum(photos)


def test_a_kind_that_does_not_exist_is_refused() -> None:
    assert of_named("samples") == "samples"
    with pytest.raises(UsageError, match="Did you mean samples"):
        of_named("sample")


def test_where_targets_are_hidden_the_photos_are_read_all_the_same(root: Path) -> None:
    save_photo(root / "images" / "VizWiz_test_00000001.png", colour=(1, 1, 1))
    hidden = record("coffee", None)
    del hidden["answer_grounding"]
    write(root / "test_grounding.json", json.dumps({"VizWiz_test_00000001.png": hidden}))
    data = open_dataset("vizwiz_grounding:test", root)
    with pytest.raises(HiddenError):
        analyze_data(data)
    assert "the targets are hidden: " in analyze_data(data, hidden=True).notes[0]
    _, told = read(root, split="test")
    assert told["with_target"]["photos"] == told["no_sample"]["photos"] == 0
    assert told["without_target"]["photo_has_text"] == {"n": 1, "found": 1, "share": 1.0}
    assert told["without_target"]["answer_in_photo"]["exact"] == {"n": 1, "found": 1, "share": 1.0}


def test_of_rows_without_targets_at_all_no_answer_is_known(root: Path, tmp_path: Path) -> None:
    cup = tmp_path / "cup"
    save_photo(cup / "images" / "0001.png")
    write(cup / "test_public.csv", "image,width,height,question\n0001.png,64,48,What?\n")
    data = open_dataset("toloka_vqa:test_public", cup)
    analysis = analyze_data(data, hidden=True)
    text = read_text_of(data, analysis, photos_by_name(data), Settings(cache=root / "cache"))
    assert [(one.photo, one.sample, one.answer) for one in text.untargeted.seen] == [("0001.png", "0001.png", None)]
    assert (analysis.n, len(analysis.columns)) == (1, 0)


def test_photos_that_another_split_names_or_that_are_left_out_are_of_some_sample(root: Path, tmp_path: Path) -> None:
    assert [name[-5] for name in beside(open_dataset("vizwiz_grounding:val", root))] == ["4", "5"]
    # Without those that lack one target, what they name still has a sample.
    only = open_dataset("vizwiz_grounding:val", root, only_one_region=True)
    assert [name[-5] for name in beside(only)] == ["4", "5"]
    cup = tmp_path / "cup"
    for number in range(1, 5):
        save_photo(cup / "images" / f"00{number}.png")
    for split, number in (("train", 1), ("test_public", 2), ("test_private", 3)):
        row = f"https://example.invalid/00{number}.png,64,48,1,1,9,9,What?"
        write(cup / f"{split}.csv", f"image,width,height,left,top,right,bottom,question\n{row}\n")
    assert beside(open_dataset("toloka_vqa:train", cup)) == ["004.png"]


def test_a_link_in_a_circle_hides_no_photo_of_its_folder(root: Path) -> None:
    for number in range(10, 30):
        name = f"VizWiz_val_000000{number}.png"
        if number % 2:
            save_photo(root / "images" / name, colour=(number, 0, 0))
        else:
            (root / "images" / name).symlink_to(name)
    found = beside(open_dataset("vizwiz_grounding:val", root))
    assert [name[-6:-4] for name in found] == ["04", "05", *(str(number) for number in range(11, 30, 2))]


def test_nothing_lies_beside_photos_that_are_not_here(tmp_path: Path, root: Path) -> None:
    (root / "images").rename(root / "gone")
    data = open_dataset("vizwiz_grounding:val", root)
    assert photos_beside(data, {"VizWiz_val_00000001.png": None}) == []


def test_broken_photos_of_every_kind_are_counted(root: Path) -> None:
    for number in (2, 4):
        (root / "images" / f"VizWiz_val_0000000{number}.png").write_bytes(b"no photo")
    text, _ = read(root)
    kinds = kinds_read(text, analyze_data(open_dataset("vizwiz_grounding:val", root)))
    assert [(kind.photos, kind.unread, len(seen)) for kind, seen in zip(kinds[1:], seen_of(text), strict=True)] == [
        (2, 1, 1),
        (2, 1, 1),
    ]


def test_verdicts_on_whole_photos_follow_the_rules(root: Path) -> None:
    text, _ = read(root)
    exact = photo_verdicts(text.untargeted)
    assert (exact.has_text.tolist(), exact.answered.tolist(), exact.in_photo.tolist()) == (
        [True, False],
        [True, True],
        [True, False],
    )
    own = photo_verdicts(text.untargeted, lambda answer, found: answer == "black")
    assert own.in_photo.tolist() == [False, True]
    data = open_dataset("vizwiz_grounding:val", root)
    counts = text_counts(text, analyze_data(data))
    assert {one.rule for one in counts if one.what == "answer_in_photo"} == set(RULES)
