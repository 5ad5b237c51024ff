from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.rounds.models import Mark, Screening
from foveate.cli._app import app
from foveate.errors import FoveateError, InputError, UsageError
from foveate.reports.curation.curate import curate
from tests.app.conftest import person
from tests.app.rounds.screened import data_folder


def said(*words: object) -> str:
    """Returns what `foveate screening` prints; its own errors are raised."""
    result = CliRunner().invoke(app, ["screening", *map(str, words)])
    if result.exception is not None:
        raise result.exception
    return result.output


def refused(*words: object) -> FoveateError:
    with pytest.raises(FoveateError) as caught:
        said(*words)
    return caught.value


def new(root: Path, *more: object) -> tuple[object, ...]:
    return ("new", "tins", "--dataset", "vizwiz_vqa:val", "--root", root, *more)


@pytest.fixture
def pair(db: None) -> tuple[User, User]:
    return person("rita", "annotator"), person("otto", "annotator")


def test_a_screening_goes_through_by_commands_as_curate_does(
    tmp_path: Path, admin: User, pair: tuple[User, User]
) -> None:
    root, out = data_folder(tmp_path / "data"), tmp_path / "out"
    told = said(*new(root, "--set", "few_agree.fewest=3", "--reviewer", "rita", "--reviewer", "otto"))
    assert "tins: 5 of 6 samples of vizwiz_vqa:val left by the rules" in told
    curate("vizwiz_vqa:val", root, out, settings=["few_agree.fewest=3"])
    paths = []
    for reviewer in ("reviewer1", "reviewer2"):
        path = out / "review" / f"several_questions.{reviewer}.csv"
        rows = path.read_text(encoding="utf-8").splitlines()
        filled = [rows[0], *(row.removesuffix(",") + ("yes," if "photo5" in row else "no,") for row in rows[1:])]
        path.write_text("\n".join(filled), encoding="utf-8")
        paths.append(path)
    assert "several_questions.reviewer2.csv: 5 answers taken in" in said("import", "tins", *paths, "--by", "admin")
    assert set(Mark.objects.values_list("place", "reviewer__username")) == {(1, "rita"), (2, "otto")}
    assert "several_questions is closed, 4 samples left" in said("close", "tins", "--by", "admin")
    assert AuditEvent.objects.get(action="screening.round_closed").actor == admin
    curate("vizwiz_vqa:val", root, out, settings=["few_agree.fewest=3"], reviews=paths)
    assert "7 files" in said("export", "tins", "--out", tmp_path / "taken")
    for name in ("kept.jsonl", "removed.csv", "funnel.csv", "review/several_questions.reviewer1.csv"):
        ours, theirs = ((folder / name).read_text(encoding="utf-8") for folder in (tmp_path / "taken", out))
        assert ours.rstrip() == theirs.rstrip(), name
    listed = json.loads(said("list", "--json"))
    assert [(one["slug"], one["samples"], one["left"], one["open"]) for one in listed] == [
        ("tins", 6, 4, "several_regions")
    ]
    assert "several_regions" in said("list")


def test_what_is_wrong_is_said(tmp_path: Path, admin: User, pair: tuple[User, User], participant: User) -> None:
    root = data_folder(tmp_path / "data")
    assert "1 are named" in str(refused(*new(root, "--reviewer", "rita")))
    assert "neither annotator nor organiser" in str(
        refused(*new(root, "--reviewer", "rita", "--reviewer", "participant"))
    )
    assert "no such screening" in str(refused("close", "tins"))
    said(*new(root, "--closes-itself", "--first", 3))
    made = Screening.objects.get()
    assert (made.named, made.closes_itself, made.samples.count()) == (False, True, 3)
    unfinished = refused("close", "tins")
    assert isinstance(unfinished, UsageError)
    assert "Answers are missing" in str(unfinished)
    path = tmp_path / "several_regions.ann.csv"
    path.write_text("id,flag\nphoto0.png,yes\n", encoding="utf-8")
    early = refused("import", "tins", path, "--skip-invalid")
    assert isinstance(early, InputError)
    assert "The round is not open" in str(early)
    said("close", "tins", "--unfinished", "--round", "several_questions")
    # Who closes it a second time does not close the next one.
    again = refused("close", "tins", "--unfinished", "--round", "several_questions")
    assert again.problem == "several_questions is not open, but several_regions"
    for _ in range(2):
        said("close", "tins", "--unfinished")
    assert "all of its rounds are closed" in str(refused("close", "tins"))
    assert "all closed" in said("list")


def test_a_title_is_kept_whole_or_refused(tmp_path: Path, admin: User, db: None) -> None:
    root = data_folder(tmp_path / "data")
    assert "it has 201 letters, and 200 are kept" in str(refused(*new(root, "--title", "x" * 201)))
    assert not Screening.objects.exists()
    said(*new(root, "--title", f" {'x' * 200} "))
    assert Screening.objects.get().title == "x" * 200


def test_lists_of_any_names_are_two(tmp_path: Path, admin: User, db: None) -> None:
    said(*new(data_folder(tmp_path / "data")))
    paths = [tmp_path / f"several_questions.{name}.csv" for name in ("ann", "bo")]
    for path in paths:
        path.write_text("id,flag\nphoto0.png,yes\n", encoding="utf-8")
    # Who does it is looked at before anything is taken in.
    assert "there is nobody of this name" in str(refused("import", "tins", *paths, "--skip-invalid", "--by", "nobody"))
    assert not Mark.objects.exists()
    assert "1 fault passed over" in said("import", "tins", *paths, "--skip-invalid")
    assert sorted(Mark.objects.values_list("place", flat=True)) == [1, 2]
