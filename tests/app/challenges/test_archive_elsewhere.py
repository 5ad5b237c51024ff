"""What an archive is on another server: files, answers of programs, a challenge without its data."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Entry
from foveate.app.challenges.services import board, finding, gate, kits, tidying
from foveate.app.challenges.services.archiving import export
from foveate.app.challenges.services.entry_files import answer_of, answer_path, columns_path
from foveate.app.challenges.services.importing import take
from foveate.app.challenges.services.order import columns_of
from foveate.app.refused import RefusedError
from foveate.challenges.archive_read import opened
from foveate.challenges.rescoring import rescore
from foveate.challenges.scoring import measure, score_pack, write_columns
from foveate.errors import InputError, UsageError
from tests.app.challenges import made
from tests.app.challenges.archived import HEAD, sizes_of
from tests.app.challenges.archived import challenge as challenge  # A fixture.
from tests.app.challenges.boards import file_of, over

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_of_others() -> None:
    """These lie by an entry's number, which other tests of this process have had too."""
    for name in ("answers", "columns"):
        shutil.rmtree(Path(settings.MEDIA_ROOT) / "challenges" / name, ignore_errors=True)


def test_files_lie_where_those_of_entries_lie_and_columns_leave_with_targets(
    challenge: Challenge, tmp_path: Path, organiser: User
) -> None:
    phase = over(challenge)
    first = Entry.objects.filter(state="scored").order_by("number")[0]
    columns_path(first).parent.mkdir(parents=True, exist_ok=True)
    file = Path(settings.MEDIA_ROOT) / first.file
    write_columns(measure(finding.pack_of(phase), file, "toloka", ["mean_iou"]).columns, columns_path(first))
    refused = made.entry(phase, first.team, organiser, state="refused", main=None, ended_at=timezone.now())
    file_of(refused, "nothing")
    export(challenge, tmp_path / "cup.zip", targets=True, names=False)
    with opened(tmp_path / "cup.zip") as archive:
        assert [one.columns for one in archive.entries if one.columns] == [f"columns/evaluation/{first.number}.npz"]
        assert {Path(one.member).suffix for one in archive.entries if one.member} == {".csv"}
        copy = take(archive, organiser, "copy")
    # Names are gone, and what came without them leaves again with its form.
    export(copy, tmp_path / "again.zip", targets=True)
    with opened(tmp_path / "again.zip") as archive:
        assert [one.same for one in rescore(archive)] == [True, True]
    # The file of what was refused goes in time, and no other.
    Entry.objects.filter(phase__challenge=copy, state="refused").update(ended_at=timezone.now() - timedelta(days=8))
    gone = Entry.objects.get(phase__challenge=copy, state="refused").file
    assert tidying.tidy(timezone.now())["files"] == 1
    assert not (Path(settings.MEDIA_ROOT) / gone).parent.exists()
    for entry in Entry.objects.filter(phase__challenge=copy, state="scored"):
        assert (Path(settings.MEDIA_ROOT) / entry.file).is_file()


def test_of_a_program_its_answer_is_kept_and_scored_anew(tmp_path: Path, organiser: User) -> None:
    cup = made.challenge(tmp_path, made.phase_said("private", kind="reproduction", metrics=("mean_iou",)))
    phase = cup.phases.get()
    pack = finding.pack_of(phase)
    one = made.entry(phase, made.team(cup, organiser), organiser, container="owl:1", file_name="")
    answer = answer_path(one, "answer.csv")
    answer.parent.mkdir(parents=True)
    answer.write_text(HEAD + "".join(f"{name},1,1,30,30\n" for name in sizes_of(pack)))
    one.scores = score_pack(pack, answer, "toloka", finding.phase_said(phase))
    one.save()
    two = made.entry(phase, one.team, organiser, scores=one.scores, container="owl:2")
    assert (answer_of(one), answer_of(two)) == (answer, None)
    export(cup, tmp_path / "cup.zip", targets=True)
    with opened(tmp_path / "cup.zip") as archive:
        assert [(found.same, found.problem) for found in rescore(archive)] == [
            (True, ""),
            (False, "its file is not in the archive"),
        ]
        copy = take(archive, organiser, "copy")
    kept = answer_of(Entry.objects.get(phase__challenge=copy, number=one.number))
    assert kept is not None
    assert (kept.read_bytes(), kept.stat().st_mode & 0o777) == (answer.read_bytes(), 0o600)
    # After the end the same is measured anew, since columns do not come along.
    over(copy)
    found = board.board(copy.phases.get(), timezone.now(), "other")
    columns = columns_of(found, Entry.objects.get(phase__challenge=copy, number=one.number), "mean_iou")
    assert len(columns["iou"]) == 3


def test_who_takes_it_in_waits_for_its_starter_kits_and_nobody_else(
    challenge: Challenge, tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(challenge, tmp_path / "cup.zip", targets=True)
    with opened(tmp_path / "cup.zip") as archive:
        copy = take(archive, organiser, "copy")

    def never(*_: object) -> None:
        raise AssertionError("it is there already")

    monkeypatch.setattr(kits, "write_kit", never)
    opened_kit, name = kits.kit_of(copy.phases.get(), timezone.now())
    with opened_kit as file:
        assert (file.read(2), name) == (b"PK", "copy-evaluation.zip")


def test_without_targets_pages_stand_and_nothing_is_taken(
    challenge: Challenge, tmp_path: Path, organiser: User
) -> None:
    export(challenge, tmp_path / "cup.zip")
    with opened(tmp_path / "cup.zip") as archive:
        copy = take(archive, organiser, "copy")
        with pytest.raises(UsageError, match="cannot stand in an address"):
            take(archive, organiser, "load")
    page = Client().get("/challenges/copy/data/")
    assert (page.status_code, "not on this server" in page.content.decode()) == (200, True)
    told = Client().get("/api/v1/challenges/copy/phases").json()[0]
    assert (told["n"], told["questions"]) == (None, None)
    kit = Client().get("/challenges/copy/evaluation/starter-kit/")
    assert (kit.status_code, str(settings.MEDIA_ROOT) in kit.content.decode()) == (422, False)
    phase = copy.phases.get()
    with pytest.raises(RefusedError, match="no_data"):
        gate.check_open(phase, timezone.now())
    with pytest.raises(InputError, match="evaluation are not on this server"):
        export(copy, tmp_path / "more.zip", targets=True)
    export(copy, tmp_path / "less.zip")
