from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from foveate.datasets._open import open_dataset
from foveate.errors import InputError, OutputError, UsageError
from foveate.reports.curation.curate import curate, usual
from tests.helpers import save_photo, write

QUESTIONS = {
    "a.jpg": ("What is <b>this</b>?", ["red & <i>blue</i>"] * 10),
    "b.jpg": ("What brand and item is this?", ["soup"] * 10),
    "c.jpg": ("How many cups? How many cups?", ["2"] * 10),
    "d.jpg": ("What is it?", ["x"] * 4 + list("abcdef")),
    "e.jpg": ("=1+1?", ["no"] * 10),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return made(tmp_path / "data", QUESTIONS)


def made(folder: Path, questions: dict[str, tuple[str, list[str]]]) -> Path:
    corners = [{"x": x, "y": y} for x, y in ((1, 1), (9, 1), (9, 9), (1, 1))]
    records = {
        name: {
            "width": 64,
            "height": 48,
            "question": question,
            "answers": answers,
            "most_common_answer": answers[0],
            "answer_grounding": corners,
        }
        for name, (question, answers) in questions.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "val_grounding.json", json.dumps(records))
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, flags: dict[str, str]) -> Path:
    table = rows(path)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows({**row, "flag": flags.get(row["id"], "no")} for row in table)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_folder_holds_what_each_step_did(root: Path, tmp_path: Path) -> None:
    found = curate("vizwiz_grounding:val", root, tmp_path / "out")
    out = tmp_path / "out"
    assert (found.n, found.kept) == (5, 3)
    assert rows(out / "removed.csv") == [
        {"id": "b.jpg", "step": "several_questions", "why": "it has 6 words, more than 5, and “and”"},
        {"id": "d.jpg", "step": "few_agree", "why": "4 of 10 answer “x”, 5 are needed"},
    ]
    kept = [json.loads(line) for line in (out / "kept.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [values["id"] for values in kept] == ["a.jpg", "c.jpg", "e.jpg"]
    assert kept[1] == {
        "id": "c.jpg",
        "image": "c.jpg",
        "question": "How many cups?",
        "asked": "How many cups? How many cups?",
        "most_common_answer": "2",
        "answers": ["2"] * 10,
        "flags": [{"rule": "several_regions", "why": "it says “how many”, “cups”"}],
        "rounds_passed": [],
    }
    assert [row["rule"] for row in rows(out / "flags.csv")] == ["several_regions", "not_groundable"]
    assert [row["question"] for row in rows(out / "trimmed.csv")] == ["How many cups?"]
    assert len(list((out / "review").iterdir())) == 6
    first = rows(out / "review" / "answer_not_shown.reviewer2.csv")[0]
    assert first == {
        "id": "e.jpg",
        "image": "e.jpg",
        "question": "'=1+1?",
        "answer": "no",
        "reason": "the answer is “no”",
        "flag": "",
        "note": "",
    }


def test_the_same_data_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    for name in ("one", "two", "one"):
        curate("vizwiz_grounding:val", root, tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_reviews_go_on_from_the_same_data(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    curate("vizwiz_grounding:val", root, out)
    lists = [
        fill(out / "review" / "several_questions.reviewer1.csv", {"a.jpg": "yes"}),
        fill(out / "review" / "several_questions.reviewer2.csv", {"a.jpg": "no"}),
    ]
    held = [path.read_bytes() for path in lists]
    found = curate("vizwiz_grounding:val", root, out, reviews=lists)
    step = next(step for step in found.steps if step.name == "review.several_questions")
    assert (step.before, step.removed, step.left) == (3, 1, 2)
    assert step.agreement is not None
    assert step.agreement.n == 3
    assert [path.read_bytes() for path in lists] == held
    assert rows(out / "removed.csv")[0] == {
        "id": "a.jpg",
        "step": "review.several_questions",
        "why": "reviewer1 flags it",
    }
    # The lists of later rounds, which nobody began, are shorter now.
    assert [row["id"] for row in rows(out / "review" / "several_regions.reviewer1.csv")] == ["c.jpg", "e.jpg"]
    kept = [json.loads(line) for line in (out / "kept.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [values["rounds_passed"] for values in kept] == [["several_questions"]] * 2
    # A list that is filled in but not named stays, and that is said.
    again = curate("vizwiz_grounding:val", root, out)
    assert [path.read_bytes() for path in lists] == held
    assert sum("stays as it is" in remark for remark in again.remarks) == 2


def test_a_list_that_is_not_whole_stops_unless_told(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    curate("vizwiz_grounding:val", root, out)
    held = contents(out)
    path = fill(out / "review" / "several_regions.reviewer1.csv", {"c.jpg": "yes", "e.jpg": ""})
    held["review/several_regions.reviewer1.csv"] = path.read_bytes()
    with pytest.raises(InputError, match=r"several_regions\.reviewer1\.csv, line 4, .*e\.jpg: the flag is empty"):
        curate("vizwiz_grounding:val", root, out, reviews=[path])
    assert contents(out) == held
    found = curate("vizwiz_grounding:val", root, out, reviews=[path], skip_invalid=True)
    assert found.kept == 2
    assert any("1 fault passed over" in remark for remark in found.remarks)
    assert any("has one reviewer, reviewer1" in remark for remark in found.remarks)


def test_a_folder_of_something_else_is_refused(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    write(out / "thesis.txt", "dear")
    with pytest.raises(OutputError, match="it holds other things than a screening"):
        curate("vizwiz_grounding:val", root, out)
    assert contents(out) == {"thesis.txt": b"dear"}
    with pytest.raises(OutputError, match="it is a file, not a folder"):
        curate("vizwiz_grounding:val", root, write(tmp_path / "file", ""))


def test_a_screening_of_other_data_is_refused(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    curate("vizwiz_grounding:val", root, out)
    held = contents(out)
    other = made(tmp_path / "other", {"z.jpg": ("What?", ["red"] * 10)})
    with pytest.raises(OutputError, match=r"it is the screening of vizwiz_grounding:val \([0-9a-f]{12}\), not of"):
        curate("vizwiz_grounding:val", other, out)
    write(out / "curation.json", "[]")
    with pytest.raises(OutputError, match="it cannot be read as that of a screening"):
        curate("vizwiz_grounding:val", root, out)
    assert contents(out) == {**held, "curation.json": b"[]"}


class Page(HTMLParser):
    """What a browser would load or run, and which ids there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append(tag)
        self.ids += [values["id"] or ""] if "id" in values else []
        if tag == "a":
            self.links.append(values.get("href") or "")
        else:
            self.loaded += [value for key in ("src", "href") if (value := values.get(key))]


def test_the_page_needs_nothing_and_runs_nothing(root: Path, tmp_path: Path) -> None:
    save_photo(root / "images" / "b.jpg")
    save_photo(root / "images" / "c.jpg")
    (root / "images" / "d.jpg").write_bytes(b"no photo")
    curate("vizwiz_grounding:val", root, tmp_path / "out")
    text = (tmp_path / "out" / "funnel.html").read_text(encoding="utf-8")
    found = Page(text)
    assert not {"script", "b", "i", "iframe", "form"} & set(found.tags)
    assert found.loaded
    assert all(address.startswith("data:") for address in found.loaded)
    assert found.tags.count("img") == 3  # b removed; c trimmed and flagged
    assert len(found.ids) == len(set(found.ids))
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)
    assert "(no photo: this is not a photo that can be read" in text
    assert "a part; the published counts stand beside ours" in text
    assert text.count("<del>") == 2  # c twice


def test_published_counts_stand_beside_their_own_data_only(root: Path, tmp_path: Path) -> None:
    curate("vizwiz_grounding:val", root, tmp_path / "out")
    assert "11,085" in (tmp_path / "out" / "funnel.html").read_text(encoding="utf-8")
    photo = save_photo(tmp_path / "own" / "x.png").name
    table = write(tmp_path / "q.csv", f"image,question,left,top,right,bottom\n{photo},What is it?,1,1,9,9\n")
    found = curate("folder", tmp_path / "own", tmp_path / "of_own", questions=table)
    assert "published" not in (tmp_path / "of_own" / "funnel.html").read_text(encoding="utf-8").lower()
    assert all(step.published.removed is None for step in found.steps)
    assert found.remarks == ["1 sample without answers of people, which few_agree does not judge"]


def test_rules_are_named_with_commas() -> None:
    assert usual("few_agree, unanswerable") == ["few_agree", "unanswerable"]
    assert usual(None)[0] == "unanswerable"


def test_wrong_usage_is_told_before_the_data_is_read(tmp_path: Path) -> None:
    for wrong in ({"rules": ["fw_agree"]}, {"settings": ["x=1"]}, {"reviews": ["lists.csv"]}):
        arguments: dict[str, Any] = wrong
        with pytest.raises(UsageError):
            curate("vizwiz_grounding:val", tmp_path / "nowhere", tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_bars_are_as_long_as_their_counts(root: Path, tmp_path: Path) -> None:
    curate("vizwiz_grounding:val", root, tmp_path / "out")
    text = (tmp_path / "out" / "funnel.html").read_text(encoding="utf-8")
    bars = re.findall(
        r'class="left" width="([\d.]+)" height="16"/><rect class="removed" x="([\d.]+)" width="([\d.]+)"', text
    )
    assert [tuple(map(float, bar)) for bar in bars[:3]] == [(100, 100, 0), (80, 80, 20), (60, 60, 20)]


def test_what_is_kept_is_a_table_of_questions(root: Path, tmp_path: Path) -> None:
    made_of = curate("vizwiz_grounding:val", root, tmp_path / "out")
    asked = open_dataset("folder", tmp_path, questions=tmp_path / "out" / "kept.jsonl")
    kept = [outcome.query for outcome in made_of.outcomes if outcome.step is None]
    found = [(query.id, query.image_name, query.question) for query in asked.queries(with_images=False)]
    assert found == [(query.id, query.image_name, query.question) for query in kept]
    assert ("c.jpg", "c.jpg", "How many cups?") in found
