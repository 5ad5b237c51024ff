"""Screenings for the tests of their pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from foveate.annotation.origin import Origin
from foveate.app.accounts.models import User
from foveate.app.rounds.making import Plan, create
from foveate.app.rounds.marking import mark
from foveate.app.rounds.models import Screening, Turn
from tests.helpers import save_photo

# What rules say of them: kept, trimmed, flagged for regions, removed (two questions), flagged for not shown, kept.
QUESTIONS = (
    "What colour is it?",
    "What is this? What is this?",
    "How many tins are there?",
    "What is this and what is that there?",
    "Is there a cat?",
    "Who is that?",
)
SIZE_HW = (48, 64)


def data_folder(folder: Path, questions: Sequence[str] = QUESTIONS, *, photos: bool = True) -> Path:
    """Writes a part of VizWiz-VQA of our own: ten answers each, and small photos."""
    rows = []
    for number, question in enumerate(questions):
        name = f"photo{number}.png"
        if photos:
            save_photo(folder / name, SIZE_HW, (30 * number, 90, 160))
        said = "no" if question.startswith("Is ") else "red"
        answers = [{"answer": said, "answer_confidence": "yes"} for _ in range(10)]
        rows.append({"image": name, "question": question, "answer_type": "other", "answerable": 1, "answers": answers})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "val.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def plan(folder: Path, reviewers: tuple[User, User] | None = None, **more: object) -> Plan:
    """Returns the plan of a screening."""
    origin = Origin("vizwiz_vqa:val", folder)
    return Plan("tins", origin, title="Tins & cats", reviewers=reviewers, **more)  # type: ignore[arg-type]


def screening(
    folder: Path, made_by: User, reviewers: tuple[User, User] | None = None, *, photos: bool = True, **more: object
) -> Screening:
    """Makes a screening of six samples, of which its rules leave five."""
    data_folder(folder, photos=photos)
    return create(plan(folder, reviewers, **more), made_by)


def turn(of: Screening, number: int = 0) -> Turn:
    """Returns one of its rounds, as it is now."""
    return Turn.objects.select_related("screening").get(screening=of, number=number)


def number_of(of: Screening, key: str) -> int:
    """Returns the number of a sample."""
    return of.samples.get(key=key).pk


def answer_all(person: User, of: Turn, yes: Sequence[str] = (), note: str = "") -> None:
    """Answers all that is left for somebody in a round: yes for some keys, no for all others."""
    from foveate.app.rounds.marking import to_do

    for sample in list(to_do(person, of)):
        mark(person, of, sample.pk, sample.key in yes, note if sample.key in yes else "")
