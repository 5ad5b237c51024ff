"""The pages and `foveate curate` are one process: the same answers give the same files, to the byte."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from foveate.annotation.origin import Origin
from foveate.app.accounts.models import User
from foveate.app.refused import RefusedError
from foveate.app.rounds.closing import close
from foveate.app.rounds.lists import take_file
from foveate.app.rounds.making import Plan, create
from foveate.app.rounds.marking import mark, to_do
from foveate.app.rounds.models import Mark, Screening
from foveate.app.rounds.results import FILES, file_of, list_of, result_of
from foveate.curation._rounds import REVIEWERS, ROUNDS
from foveate.errors import InputError
from foveate.reports.curation.curate import curate
from tests.app.conftest import person
from tests.app.rounds.screened import answer_all, number_of, screening, turn
from tests.helpers import SHARED, needs_shared

NOTES = ("", "two questions", "=1+1", "'quoted'", 'a "word", and more', "-", "ä 🙂")


@pytest.fixture
def pair(db: None) -> tuple[User, User]:
    return person("rita", "annotator"), person("otto", "annotator")


def real_slice(folder: Path) -> Path:
    """Writes forty real samples, some of which rules remove or flag."""
    rows = json.loads((SHARED / "vizwiz" / "val_vqa_partial.json").read_text(encoding="utf-8"))
    kept = [{key: value for key, value in row.items() if not key.startswith("_")} for row in rows[:40]]
    (folder / "val.json").write_text(json.dumps(kept), encoding="utf-8")
    return folder


def reviewed(made: Screening, pair: tuple[User, User]) -> None:
    """Goes through all three rounds, answering by chance."""
    chance = Random(7)
    for number in range(len(ROUNDS)):
        for who in pair:
            for sample in list(to_do(who, turn(made, number))):
                mark(who, turn(made, number), sample.pk, chance.random() < 0.2, chance.choice(NOTES))
        close(turn(made, number))


def lists(made: Screening, folder: Path) -> list[Path]:
    """Downloads the lists of all rounds."""
    folder.mkdir()
    paths = []
    for number, one in enumerate(ROUNDS):
        for place, name in enumerate(REVIEWERS, start=1):
            path = folder / f"{one.name}.{name}.csv"
            path.write_bytes(list_of(turn(made, number), place, filled=True).encode())
            paths.append(path)
    return paths


@needs_shared
def test_the_same_answers_give_the_same_files(tmp_path: Path, organiser: User, pair: tuple[User, User]) -> None:
    root = real_slice(tmp_path)
    made = create(Plan("real", Origin("vizwiz_vqa:val", root), reviewers=pair), organiser)
    reviewed(made, pair)
    by_command = curate("vizwiz_vqa:val", root, tmp_path / "out", reviews=lists(made, tmp_path / "lists"))
    by_pages = result_of(made)
    assert [(step.name, step.before, step.removed, step.agreement) for step in by_pages.steps] == [
        (step.name, step.before, step.removed, step.agreement) for step in by_command.steps
    ]
    assert sum(step.removed for step in by_pages.steps if step.kind == "people") > 3
    for name in FILES:
        assert file_of(made, name).encode() == (tmp_path / "out" / name).read_bytes(), name


@needs_shared
def test_lists_of_the_command_give_the_same_as_answers_here(
    tmp_path: Path, organiser: User, pair: tuple[User, User]
) -> None:
    root = real_slice(tmp_path)
    first = create(Plan("by-hand", Origin("vizwiz_vqa:val", root), reviewers=pair), organiser)
    reviewed(first, pair)
    paths = lists(first, tmp_path / "lists")
    second = create(Plan("by-lists", Origin("vizwiz_vqa:val", root)), organiser)
    for number in range(len(ROUNDS)):
        for place in (1, 2):
            take_file(turn(second, number), place, paths[2 * number + place - 1])
        close(turn(second, number))
    assert [file_of(second, name) for name in FILES] == [file_of(first, name) for name in FILES]
    assert set(Mark.objects.filter(turn__screening=second).values_list("reviewer", flat=True)) == {None}


def test_a_list_to_be_filled_in_is_what_the_command_writes(tmp_path: Path, organiser: User) -> None:
    made = screening(tmp_path, organiser)
    curate("vizwiz_vqa:val", tmp_path, tmp_path / "out")
    for number, one in enumerate(ROUNDS):
        written = (tmp_path / "out" / "review" / f"{one.name}.reviewer1.csv").read_text(encoding="utf-8")
        assert list_of(turn(made, number), 1, filled=False) == written


def test_a_list_that_differs_is_not_taken_unasked(tmp_path: Path, organiser: User, pair: tuple[User, User]) -> None:
    made = screening(tmp_path, organiser, pair)
    answer_all(pair[0], turn(made))
    path = tmp_path / "several_questions.reviewer1.csv"
    rows = ["id,flag,note", *(f"photo{n}.png,{'yes' if n == 2 else 'no'},seen" for n in (0, 1, 2, 4, 5))]
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(RefusedError) as refused:
        take_file(turn(made), 1, path)
    assert (refused.value.code, "photo2.png" in refused.value.message) == ("list_differs", True)
    assert not Mark.objects.filter(flag=True).exists()
    _, taken = take_file(turn(made), 1, path, overwrite=True)
    assert (taken.marks, taken.skipped, taken.gone) == (5, 0, 0)
    assert Mark.objects.get(flag=True).reviewer == pair[0]
    # The same once more changes nothing.
    assert take_file(turn(made), 1, path)[1].marks == 0
    with pytest.raises(RefusedError) as refused:
        take_file(turn(made, 1), 1, path)
    assert refused.value.code == "round_not_open"


def test_rows_that_cannot_be_taken_are_said_or_counted(tmp_path: Path, organiser: User) -> None:
    made = screening(tmp_path, organiser)
    path = tmp_path / "several_questions.reviewer2.csv"
    path.write_text("id,flag\nphoto0.png,maybe\nphoto3.png,yes\nphoto1.png,yes\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2, photo0.png: the flag is 'maybe'"):
        take_file(turn(made), 2, path)
    _, taken = take_file(turn(made), 2, path, skip_invalid=True)
    assert (taken.marks, taken.gone) == (1, 1)
    assert taken.skipped >= 1
    assert Mark.objects.get().sample_id == number_of(made, "photo1.png")


def test_an_upload_names_its_line_and_no_folder_of_the_server(
    tmp_path: Path, organiser: User, as_organiser: Client
) -> None:
    made = screening(tmp_path, organiser)
    path = tmp_path / "mine.csv"
    address = reverse("rounds:take_list", args=[made.slug, "several_questions"])
    path.write_text("id,flag\nphoto0.png,maybe\n", encoding="utf-8")
    with path.open("rb") as file:
        page = as_organiser.post(address, {"place": "2", "file": file})
    assert page.status_code == 422
    told = str(page.context["form"].errors["file"])
    assert "several_questions.reviewer2.csv, line 2" in told
    assert "/tmp" not in told
    path.write_text("id,flag\n" + "".join(f"photo{n}.png,no\n" for n in (0, 1, 2, 4, 5)), encoding="utf-8")
    with path.open("rb") as file:
        page = as_organiser.post(address, {"place": "2", "file": file}, follow=True)
    assert "5 answers are taken in." in page.content.decode()
    assert Mark.objects.filter(place=2, flag=False).count() == 5
    close(turn(made), unfinished=True)
    with path.open("rb") as file:
        page = as_organiser.post(address, {"place": "2", "file": file, "overwrite": "on"})
    assert (page.status_code, "The round is not open" in page.content.decode()) == (422, True)
