"""A board by parts of the samples: after the end only, and with the values that `foveate score --by` gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Phase
from foveate.app.challenges.services import entry_files, finding
from foveate.challenges import scoring
from tests.app.challenges import made
from tests.app.challenges.boards import file_of, many_samples, over, scored

PAGE = "/challenges/cup/evaluation/leaderboard/slices"
HEADER = "image,left,top,right,bottom\n"


@pytest.fixture
def phase(db: None, tmp_path: Path, participant: User, annotator: User) -> Phase:
    """A phase of 24 samples: Owls have the small targets right and nothing else, Larks the large ones."""
    many_samples(tmp_path)
    phase = made.challenge(tmp_path).phases.get()
    pack = finding.pack_of(phase)
    for name, person, sides in (("Owls", participant, (8, 2)), ("Larks", annotator, (2, 40))):
        rows = "".join(f"{sample},4,4,{4 + sides[n % 2]},{4 + sides[n % 2]}\n" for n, sample in enumerate(pack.sizes))
        entry = scored(phase, made.team(phase.challenge, person, name=name), person, 0.5)
        file = file_of(entry, HEADER + rows)
        found = scoring.measure(pack, file, "toloka", ["mean_iou", "accuracy@0.5"])
        entry.scores = scoring.scores_of(pack, found)
        entry.main = entry.scores["metrics"]["mean_iou"]["value"]
        entry.save()
        columns = entry_files.columns_path(entry)
        columns.parent.mkdir(parents=True, exist_ok=True)
        scoring.write_columns(scoring.columns(found), columns)
    return phase


def test_while_a_phase_is_open_its_slices_are_not_there(phase: Phase) -> None:
    for path in (f"{PAGE}/", f"{PAGE}.json"):
        assert Client().get(path).status_code == 404
    assert "slices" not in Client().get("/challenges/cup/evaluation/leaderboard/").content.decode()


def test_after_the_end_each_slice_has_its_values(phase: Phase) -> None:
    over(phase.challenge)
    found = Client().get(f"{PAGE}.json").json()
    # By hand: 2 x 2 pixels of 8 x 8 or of 40 x 40; the other half is whole.
    assert found["rows"] == ["Larks", "Owls"]
    small, large = found["slices"]["coverage_bands"]
    assert (small["key"], small["n"], small["values"]) == ("under 0.05", 12, [4 / 64, 1.0])
    assert (large["key"], large["n"], large["values"]) == ("0.20 and more", 12, [1.0, 4 / 1600])
    page = Client().get(f"{PAGE}/?by=coverage_bands").content.decode()
    for said in ("under 0.05", "12 samples", ">100.00<", ">6.25<", ">0.25<"):
        assert said in page, said
    # Questions are parted too; a name that is none shows the first.
    assert "where can" in Client().get(f"{PAGE}/?by=question_prefix").content.decode()
    assert Client().get(f"{PAGE}/?by=%00").status_code == 200
    assert f"{PAGE}/" in Client().get("/challenges/cup/evaluation/leaderboard/").content.decode()


def test_without_kept_columns_the_file_is_measured_anew_and_without_both_it_is_said(phase: Phase) -> None:
    over(phase.challenge)
    entries = list(phase.entries.order_by("pk"))
    entry_files.columns_path(entries[0]).unlink()
    assert Client().get(f"{PAGE}.json").json()["rows"] == ["Larks", "Owls"]
    entry_files.columns_path(entries[1]).unlink()
    entry_files.path_of(entries[1].file).unlink()
    # What is kept in memory is of these entries; another one asks anew.
    scored(phase, entries[0].team, entries[0].person, 0.9, file="gone.csv", file_name="gone.csv")
    assert Client().get(f"{PAGE}.json").status_code == 503
    assert "not here any more" in Client().get(f"{PAGE}/").content.decode()
