from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.truths import Truth
from foveate.datasets import _vizwiz_joins, vizwiz_grounding
from foveate.datasets._findings import Finding
from foveate.datasets._open import Dataset, open_dataset
from foveate.datasets._options import Options
from foveate.datasets._vizwiz_joins import vqa_facts
from foveate.errors import InputError, UsageError
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from foveate.formats.vizwiz_vqa import VizwizVqaRecord

SQUARE = [{"x": 0, "y": 0}, {"x": 32, "y": 0}, {"x": 32, "y": 24}, {"x": 0, "y": 24}]
ANSWERS = ["cup", "mug", "cup"]
FLAWS = dict.fromkeys(("FRM", "BLR", "DRK", "BRT", "OBS", "OTH", "NON", "ROT"), 0)
QUALITY = "quality/val.json"
SKILLS = "skills/vizwiz_skill_typ_val.csv"
VQA = "Annotations/val.json"


def save(root: Path, name: str, values: object) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(values if isinstance(values, str) else json.dumps(values), encoding="utf-8")
    return path


def save_grounding(root: Path, *names: str) -> None:
    record = {
        "width": 64,
        "height": 48,
        "question": "What is this?",
        "answers": ANSWERS,
        "most_common_answer": "cup",
        "answer_grounding": SQUARE,
    }
    save(root, "val_grounding.json", dict.fromkeys(names, record))


def asked(image: str, **others: Any) -> dict[str, Any]:
    answers = [{"answer": a, "answer_confidence": c} for a, c in zip(ANSWERS, ("yes", "maybe", "no"), strict=True)]
    return {
        "image": image,
        "question": "What is this?",
        "answers": answers,
        "answer_type": "other",
        "answerable": 1,
    } | others


def seen(image: str, unrecognizable: int, **flaws: int) -> dict[str, Any]:
    return {"image": image, "flaws": FLAWS | flaws, "unrecognizable": unrecognizable}


def skills(*rows: str) -> str:
    return "\n".join(["IMG,QSN,TXT,OBJ,COL,CNT,OTH", *rows, ""])


def opened(root: Path, **others: Any) -> tuple[Dataset, list[Truth]]:
    data = open_dataset("vizwiz_grounding:val", root, **others)
    return data, list(data.truths())


def test_without_the_other_files_nothing_is_known_and_nothing_is_said(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    data, (truth,) = opened(tmp_path)
    assert truth.facts == {}
    assert data.remarks == []


def test_all_that_is_known(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg", "b.jpg")
    save(tmp_path, VQA, [asked("z.jpg"), asked("a.jpg")])
    save(tmp_path, SKILLS, skills("a.jpg,What is this?,3,5,2,0,4"))
    save(tmp_path, QUALITY, [seen("a.jpg", 2, BLR=5, FRM=3, DRK=2), seen("b.jpg", 0, NON=5)])
    data, (a, b) = opened(tmp_path)
    assert a.facts == {
        "answer_type": "other",
        "confidences": ("yes", "maybe", "no"),
        "skills": ("text", "object", "other"),
        "quality": "medium",
        "unrecognizable": 2,
        "flaws": ("framing", "blur"),
    }
    assert b.facts == {"quality": "none", "unrecognizable": 0, "flaws": ("none",)}
    assert data.remarks == [
        "VizWiz-VQA: 1 of 2 samples (val.json)",
        "VizWiz-VQA-Skills: 1 of 2 samples (vizwiz_skill_typ_val.csv)",
        "image quality issues: 2 of 2 samples (val.json)",
    ]


@pytest.mark.parametrize(
    ("votes", "level"),
    [(0, "none"), (1, "medium"), (2, "medium"), (3, "severe"), (4, "severe"), (5, "severe")],
)
def test_the_three_levels_of_quality(votes: int, level: str, tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, QUALITY, [seen("a.jpg", votes)])
    _, (truth,) = opened(tmp_path, settings={"votes": "1"})
    assert (truth.facts["quality"], truth.facts["unrecognizable"]) == (level, votes)


@pytest.mark.parametrize(
    ("votes", "flaws", "needed"),
    [
        ("1", ("framing", "blur", "dark", "rotation"), ("text", "object", "counting")),
        ("3", ("framing", "rotation"), ("text", "object")),
        ("5", ("rotation",), ("object",)),
    ],
)
def test_how_many_people_must_see_it_is_a_setting(
    votes: str, flaws: tuple[str, ...], needed: tuple[str, ...], tmp_path: Path
) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, QUALITY, [seen("a.jpg", 0, FRM=3, BLR=2, DRK=1, ROT=5)])
    save(tmp_path, SKILLS, skills("a.jpg,What is this?,4,5,0,1,0"))
    _, (truth,) = opened(tmp_path, settings={"votes": votes})
    assert (truth.facts["flaws"], truth.facts["skills"]) == (flaws, needed)


@pytest.mark.parametrize("votes", ["0", "6", "-1", "three", "2.5", "", "٣"])
def test_a_threshold_that_is_none(votes: str, tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    with pytest.raises(UsageError) as caught:
        opened(tmp_path, settings={"votes": votes})
    assert str(caught.value) == (
        f"votes: {votes!r} is no number of people from 1 to 5. Say votes=3, for more than half."
    )


def test_an_unknown_setting_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"it has no option vote\. Did you mean votes"):
        open_dataset("vizwiz_grounding:val", tmp_path, settings={"vote": "3"})


def test_files_that_are_not_there_are_named_where_another_is(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, QUALITY, [seen("a.jpg", 0)])
    data, (truth,) = opened(tmp_path)
    assert set(truth.facts) == {"quality", "unrecognizable", "flaws"}
    assert data.remarks == [
        "image quality issues: 1 of 1 samples (val.json)",
        "not below the folder, so nothing is known by: VizWiz-VQA, VizWiz-VQA-Skills",
    ]


def test_the_test_splits_files_tell_nothing(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, QUALITY, [{"image": "a.jpg"}])
    save(tmp_path, SKILLS, "IMG,QSN\na.jpg,What is this?\n")
    save(tmp_path, VQA, [{"image": "a.jpg", "question": "What is this?"}])
    _, (truth,) = opened(tmp_path)
    assert truth.facts == {}


def test_confidences_stay_with_their_answers_in_another_order(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    turned = [("mug", "maybe"), ("cup", "no"), ("cup", "yes")]
    answers = [{"answer": answer, "answer_confidence": sure} for answer, sure in turned]
    save(tmp_path, VQA, [asked("a.jpg", answers=answers)])
    _, (truth,) = opened(tmp_path)
    assert truth.answers == ("cup", "mug", "cup")
    assert truth.facts["confidences"] == ("no", "maybe", "yes")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["yes", "maybe", "no"])), min_size=1), st.randoms())
def test_no_confidence_changes_its_answer(given_answers: list[tuple[str, str]], chance: Random) -> None:
    answers = [{"answer": answer, "answer_confidence": sure} for answer, sure in given_answers]
    record = VizwizVqaRecord.model_validate(asked("a.jpg", answers=answers))
    turned = [answer for answer, _ in given_answers]
    chance.shuffle(turned)
    found = vqa_facts(record, turned)["confidences"]
    assert isinstance(found, tuple)
    assert sorted(zip(turned, found, strict=True)) == sorted(given_answers)


@pytest.mark.parametrize(
    "change", [{"question": "What is that?"}, {"answers": [{"answer": "cup", "answer_confidence": "yes"}] * 3}]
)
def test_another_question_or_other_answers_are_counted_and_not_joined(change: dict[str, Any], tmp_path: Path) -> None:
    names = [f"{letter}.jpg" for letter in "abcde"]
    save_grounding(tmp_path, *names)
    save(tmp_path, VQA, [asked("a.jpg"), *(asked(name, **change) for name in names[1:])])
    data, truths = opened(tmp_path)
    assert [set(truth.facts) for truth in truths] == [{"answer_type", "confidences"}] + [set()] * 4
    assert data.remarks[0] == (
        "VizWiz-VQA: 1 of 5 samples (val.json); question or answers differ, not joined: 4, b.jpg, c.jpg, d.jpg and 1 "
        "more"
    )


def test_skills_of_another_question_are_counted_and_not_joined(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg", "b.jpg")
    save(tmp_path, SKILLS, skills("a.jpg, What is this? ,5,0,0,0,0", "b.jpg,What color?,0,0,5,0,0"))
    data, (a, b) = opened(tmp_path)
    assert (a.facts, b.facts) == ({"skills": ("text",)}, {})
    assert data.remarks[0].endswith("question or answers differ, not joined: 1, b.jpg")


def test_the_two_files_of_one_name_are_told_apart_wherever_they_lie(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, "val.json", [seen("a.jpg", 5)])
    save(tmp_path, "deep/below/VAL.JSON", [asked("a.jpg")])
    save(tmp_path, "other/Vizwiz_Skill_Typ_val.CSV", skills("a.jpg,What is this?,5,0,0,0,0"))
    save(tmp_path, "other/train.json", [seen("a.jpg", 1)])
    save(tmp_path, "other/._val.json", "Mac OS X")
    _, (truth,) = opened(tmp_path)
    assert (truth.facts["quality"], truth.facts["answer_type"], truth.facts["skills"]) == ("severe", "other", ("text",))


@pytest.mark.parametrize("name", ["val_vqa_partial.json", "vizwiz-vqa-val.json", "VQA_val.json"])
def test_a_file_may_be_named_by_split_and_what_it_is(name: str, tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, name, [asked("a.jpg")])
    _, (truth,) = opened(tmp_path)
    assert truth.facts["answer_type"] == "other"


@pytest.mark.parametrize("name", ["val_grouped.json", "interval_vqa.json", "val_vqa.txt"])
def test_a_file_of_another_name_is_none(name: str, tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, name, [asked("a.jpg")])
    data, (truth,) = opened(tmp_path)
    assert (truth.facts, data.remarks) == ({}, [])


@pytest.mark.parametrize(
    ("one", "two", "kind", "values"),
    [
        (QUALITY, "val.json", "image quality issues", [seen("a.jpg", 0)]),
        (VQA, "val_vqa_partial.json", "VizWiz-VQA", [asked("a.jpg")]),
        ("a/vizwiz_skill_typ_val.csv", SKILLS, "VizWiz-VQA-Skills", skills()),
    ],
)
def test_two_files_for_one_join_are_both_named(one: str, two: str, kind: str, values: object, tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    paths = {str(save(tmp_path, name, values)) for name in (one, two)}
    with pytest.raises(InputError, match=f"two files could be the {kind} of this split; the other is ") as caught:
        opened(tmp_path)
    assert {caught.value.where, caught.value.problem.rpartition(" ")[2]} == paths
    assert caught.value.remedy == "Leave one of them below --root."


def test_links_are_followed_once(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    save_grounding(root, "a.jpg")
    there = save(tmp_path, "elsewhere/val.json", [seen("a.jpg", 5)])
    (root / "quality").symlink_to(there.parent)
    (root / "val.json").symlink_to(there)
    (root / "round").symlink_to(root)
    (root / "skills").mkdir()
    (root / "skills" / "vizwiz_skill_typ_train.csv").symlink_to(tmp_path / "nothing")
    data, (truth,) = opened(root)
    assert truth.facts["quality"] == "severe"
    assert data.remarks[0] == "image quality issues: 1 of 1 samples (val.json)"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[3]", "not JSON", '{"images": [], "annotations": []}', '[{"id": 1}]']
)
def test_a_file_that_is_neither_is_told_and_left_out(text: str, tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    path = save(tmp_path, "val.json", text)
    data, (truth,) = opened(tmp_path)
    said = f"{path} begins like neither VizWiz-VQA nor image quality issues, and is left out"
    assert (truth.facts, data.remarks) == ({}, [said])
    with pytest.raises(InputError) as caught:
        list(open_dataset("vizwiz_vqa:val", tmp_path).queries())
    assert caught.value.problem == f"no val.json of VizWiz-VQA is below it; {said}"


def test_a_broken_record_stops_or_is_counted_and_the_sample_is_kept(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg", "b.jpg")
    path = save(tmp_path, QUALITY, [seen("a.jpg", 0), seen("b.jpg", 9), seen("a.jpg", 0)])
    with pytest.raises(InputError) as caught:
        opened(tmp_path)
    assert caught.value.where == f"{path}, record 2"
    assert caught.value.remedy == "Fix the record, pass --skip-invalid, or move the file out of the folder."
    data, truths = opened(tmp_path, skip_invalid=True)
    assert [set(truth.facts) for truth in truths] == [{"quality", "unrecognizable", "flaws"}, set()]
    assert data.remarks[0] == (
        f"image quality issues: 1 of 2 samples (val.json); passed over: 2 broken, the first: {path}, record 2: "
        "unrecognizable is 9; input should be less than or equal to 5"
    )


def test_joined_files_are_read_once_for_an_opened_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_grounding(tmp_path, "a.jpg", "b.jpg")
    quality = save(tmp_path, QUALITY, [seen("a.jpg", 0), seen("b.jpg", 9)])
    save(tmp_path, SKILLS, skills("a.jpg,What is this?,5,0,0,0,0"))
    save(tmp_path, VQA, [asked("a.jpg"), asked("b.jpg", question="Another?")])
    read: list[str] = []
    for name in ("read_vizwiz_vqa", "read_vizwiz_skills", "read_vizwiz_quality"):
        reader = getattr(_vizwiz_joins, name)

        def noted(path: Path, *others: Any, _reader: Any = reader) -> Any:
            read.append(path.relative_to(tmp_path).as_posix())
            return _reader(path, *others)

        monkeypatch.setattr(_vizwiz_joins, name, noted)
    data, first = opened(tmp_path, skip_invalid=True)
    remarks = list(data.remarks)
    assert list(data.truths()) == first
    assert data.remarks == remarks
    assert [sum(word in remark for remark in remarks) for word in ("passed over: 1 broken", "not joined: 1")] == [1, 1]
    assert sorted(read) == sorted([QUALITY, SKILLS, VQA])
    # A file that was changed is read again, and no other.
    save(tmp_path, QUALITY, [seen("a.jpg", 5), seen("b.jpg", 5)])
    os.utime(quality, ns=(1, 1))
    assert [truth.facts["quality"] for truth in data.truths()] == ["severe", "severe"]
    assert read[3:] == [QUALITY]
    # Another opening knows nothing of it.
    opened(tmp_path)
    assert len(read) == 7


def test_a_file_that_breaks_off_is_told(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    path = save(tmp_path, QUALITY, json.dumps([seen("a.jpg", 0)] * 3)[:-20])
    with pytest.raises(InputError, match="this is not valid JSON") as caught:
        opened(tmp_path, skip_invalid=True)
    assert caught.value.where == str(path)


def test_a_score_is_the_same_with_and_without_joins_and_tells_them(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg", "b.jpg")
    ground("vizwiz_grounding:val", tmp_path, grounder="whole_image", out=tmp_path / "run")
    before = score(tmp_path / "run")
    save(tmp_path, QUALITY, [seen("a.jpg", 5)])
    after = score(tmp_path / "run")
    assert before.metrics == after.metrics
    assert before.notes == []
    assert after.notes[0] == "image quality issues: 1 of 2 samples (val.json)"


def test_what_could_be_joined_is_found(tmp_path: Path) -> None:
    save_grounding(tmp_path, "a.jpg")
    save(tmp_path, QUALITY, [seen("a.jpg", 0)])
    other = save(tmp_path, "val_vqa.json", "{}")
    *found, masks = vizwiz_grounding.findings(tmp_path, "val", Options())
    assert [finding.kind for finding in found] == ["note"] * 3
    assert "mask" in masks.what
    assert found[0] == Finding(
        "val",
        "note",
        "the file of VizWiz-VQA is not below the root: answer types and confidences are not known",
        "Put its val.json below the root to know them.",
    )
    assert found[1].what.startswith("the file of VizWiz-VQA-Skills is not below the root")
    assert found[2].what.startswith(f"{other} begins like neither")
