"""A challenge in a file: out of one server, into another, scored without any."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from typer.testing import CliRunner

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Challenge, Entry, Team
from foveate.app.challenges.services import board, finding
from foveate.app.challenges.services.archiving import export
from foveate.app.challenges.services.entry_files import columns_path
from foveate.app.challenges.services.importing import take
from foveate.challenges import archive as archives
from foveate.challenges.archive_read import Most, opened
from foveate.challenges.rescoring import rescore
from foveate.challenges.scoring import score_pack
from foveate.cli._app import app
from foveate.errors import InputError, OutputError, UsageError
from tests.app.challenges import made
from tests.app.challenges.archived import HEAD, sizes_of
from tests.app.challenges.archived import challenge as challenge  # A fixture.
from tests.app.challenges.boards import file_of, over, scores

pytestmark = pytest.mark.django_db


def test_another_challenge_made_of_it_has_the_same_board_and_scores(
    challenge: Challenge, tmp_path: Path, organiser: User
) -> None:
    over(challenge)
    export(challenge, tmp_path / "cup.zip", targets=True)
    with opened(tmp_path / "cup.zip") as archive:
        copy = take(archive, organiser, "copy")
    old, new = (Client().get(f"/challenges/{slug}/evaluation/leaderboard.json").json() for slug in ("cup", "copy"))
    for told in (old, new):
        del told["challenge"]
        for row in told["rows"]:
            del row["team_number"]
    # What was not scored when it was exported is not there.
    old["references"] = [one for one in old["references"] if one["name"] != "Later"]
    assert new == old
    assert [row["team"] for row in new["rows"]] == ["Owls", "=Larks"]
    phase = copy.phases.get()
    assert finding.pack_of(phase).fingerprint == phase.fingerprint
    for entry in Entry.objects.filter(phase=phase, state="scored"):
        file = Path(settings.MEDIA_ROOT) / entry.file
        assert file.stat().st_mode & 0o777 == 0o600
        found = score_pack(finding.pack_of(phase), file, "toloka", finding.phase_said(phase), 1000)
        assert found == entry.scores
        assert entry.events.filter(what="scored").exists()
    # What was under way there is under way nowhere here, and can be scored again.
    lost = Entry.objects.get(phase=phase, state="lost")
    assert lost.events.get().what == "lost"
    assert copy.loadings.count() == 1
    assert copy.organisers.get() == organiser
    assert AuditEvent.objects.get(action="challenge.imported").details["was"] == "cup"
    with opened(tmp_path / "cup.zip") as archive, pytest.raises(UsageError, match="--slug"):
        take(archive, organiser)


def test_a_file_that_the_check_refused_keeps_no_challenge_out(
    challenge: Challenge, tmp_path: Path, organiser: User
) -> None:
    phase = challenge.phases.get()
    refused = made.entry(phase, challenge.teams.order_by("pk")[0], organiser, state="refused", main=None)
    # A spreadsheet under the name of a table: nothing that is scored may look so.
    file_of(refused, "PK\x03\x04")
    export(challenge, tmp_path / "cup.zip", targets=True)
    with opened(tmp_path / "cup.zip") as archive:
        copy = take(archive, organiser, "copy")
    kept = Entry.objects.get(phase__challenge=copy, state="refused")
    assert (Path(settings.MEDIA_ROOT) / kept.file).read_bytes() == b"PK\x03\x04"
    Entry.objects.filter(pk=refused.pk).update(state="scored", main=0.5, scores=scores(0.5))
    export(challenge, tmp_path / "worse.zip", targets=True)
    with opened(tmp_path / "worse.zip") as archive, pytest.raises(InputError, match="this is a zip"):
        take(archive, organiser, "worse")
    assert not Challenge.objects.filter(slug="worse").exists()


def test_no_person_no_place_and_no_target_leaves_unasked(challenge: Challenge, tmp_path: Path) -> None:
    export(challenge, tmp_path / "a.zip")
    export(challenge, tmp_path / "b.zip", names=False)
    texts = {name: _all_of(tmp_path / name) for name in ("a.zip", "b.zip")}
    for text in texts.values():
        assert str(tmp_path) not in text
        assert "/srv/secret" not in text
        assert "organiser@" not in text
        assert "samples.jsonl" not in text
        assert "columns/" not in text
    with zipfile.ZipFile(tmp_path / "a.zip") as file:
        (name,) = [name for name in file.namelist() if name.endswith("questions.jsonl")]
        rows = [json.loads(line) for line in file.read(name).splitlines()]
    assert len(rows) == 3
    assert not any(row.get("targets") or row.get("answers") or row.get("facts") for row in rows)
    assert "Owls" in texts["a.zip"]
    for word in ("Owls", "Larks", "Fritz", "Näive", "example.org", "ours"):
        assert word not in texts["b.zip"]


def _all_of(path: Path) -> str:
    with zipfile.ZipFile(path) as file:
        return "\n".join([*file.namelist(), *(file.read(name).decode() for name in file.namelist())])


def test_it_is_scored_without_a_server_to_the_digit(challenge: Challenge, tmp_path: Path) -> None:
    export(challenge, tmp_path / "cup.zip", targets=True)
    done = CliRunner().invoke(app, ["challenge", "rescore", str(tmp_path / "cup.zip")])
    assert (done.exit_code, done.stdout) == (0, "2 of 2 entries score as they did, digit for digit\n")
    # One digit more, and it is seen.
    entry = Entry.objects.filter(state="scored").order_by("number")[0]
    assert entry.scores is not None
    value = entry.scores["metrics"]["mean_iou"]["value"]
    entry.scores["metrics"]["mean_iou"]["value"] = value + 1e-12
    entry.save()
    export(challenge, tmp_path / "other.zip", targets=True)
    done = CliRunner().invoke(app, ["challenge", "rescore", str(tmp_path / "other.zip")])
    assert done.exit_code == 3
    assert f"evaluation, entry 1, metrics.mean_iou.value: {value + 1e-12}, now {value}" in done.stdout
    told = CliRunner().invoke(app, ["challenge", "rescore", str(tmp_path / "other.zip"), "--json"])
    assert [one["same"] for one in json.loads(told.stdout)] == [False, True]


def test_without_targets_it_is_scored_against_those_that_are_at_hand(challenge: Challenge, tmp_path: Path) -> None:
    export(challenge, tmp_path / "cup.zip")
    packs = finding.packs()
    with opened(tmp_path / "cup.zip") as archive:
        with pytest.raises(InputError, match="without targets"):
            list(rescore(archive))
        fingerprint = archive.phases[0].fingerprint
        for folder in (packs, packs / fingerprint):
            assert all(one.same and one.same_data for one in rescore(archive, folder))
        with pytest.raises(InputError, match=fingerprint[:12]):
            list(rescore(archive, tmp_path))


def test_other_targets_are_said_to_be_others(challenge: Challenge, tmp_path: Path) -> None:
    from foveate.challenges.definition import DataReference
    from foveate.challenges.pack import write_pack
    from foveate.datasets import toloka_vqa

    export(challenge, tmp_path / "cup.zip")
    toloka_vqa.write_tiny(tmp_path / "mended")
    table = tmp_path / "mended" / "test_public.csv"
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    # The first target moves a little.
    rows[0]["left"] = str(int(rows[0]["left"]) + 1)
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    pack = write_pack(DataReference(made.DATASET, tmp_path / "mended"), tmp_path / "packs")
    with opened(tmp_path / "cup.zip") as archive:
        found = list(rescore(archive, pack.folder))
    assert [one.same_data for one in found] == [False, False]
    assert {difference.where for one in found for difference in one.differences} >= {"metrics.mean_iou.value"}


def test_a_file_that_cannot_be_scored_is_told(challenge: Challenge, tmp_path: Path) -> None:
    entry = Entry.objects.filter(state="scored").order_by("number")[0]
    (Path(settings.MEDIA_ROOT) / entry.file).write_text(HEAD + "nobody.jpg,1,2,3,4\n")
    export(challenge, tmp_path / "cup.zip", targets=True)
    with opened(tmp_path / "cup.zip") as archive:
        first, second = rescore(archive)
    assert "nobody.jpg" in first.problem
    assert not first.same
    assert second.same
    with pytest.raises(InputError, match="cannot be read"):
        list(archives._chunks(tmp_path / "absent.csv"))


def test_a_file_that_is_gone_is_told(challenge: Challenge, tmp_path: Path) -> None:
    entry = Entry.objects.filter(state="scored").order_by("number")[0]
    (Path(settings.MEDIA_ROOT) / entry.file).unlink()
    export(challenge, tmp_path / "cup.zip", targets=True)
    with opened(tmp_path / "cup.zip") as archive:
        assert [one.problem for one in rescore(archive)] == ["its file is not in the archive", ""]


@pytest.mark.django_db(transaction=True)
def test_commands_write_take_and_print(challenge: Challenge, tmp_path: Path, admin: User, monkeypatch: Any) -> None:
    # The tests' own database is ready.
    monkeypatch.setattr("foveate.cli._projects.ready", lambda data, database: None)
    out = str(tmp_path / "cup.zip")
    run: Callable[..., Any] = lambda *words: CliRunner().invoke(app, ["challenge", *words])  # noqa: E731
    assert "keep it as secret" in run("export", "cup", "--out", out, "--targets").stdout
    assert AuditEvent.objects.get(action="challenge.exported").details == {"names": True, "targets": True}
    assert isinstance(run("import", out).exception, UsageError)
    done = run("import", out, "--slug", "copy", "--by", "admin")
    assert (done.exit_code, done.stdout) == (0, "copy: 1 phase, 2 teams, 3 entries\n")
    board = run("leaderboard", "copy")
    assert board.stdout.index("Owls") < board.stdout.index("=Larks")
    assert json.loads(run("leaderboard", "copy", "--public", "--json").stdout)["shown"] == "rounded"
    assert json.loads(run("leaderboard", "copy", "--json").stdout)["shown"] == "all"
    assert isinstance(run("leaderboard", "cop").exception, UsageError)
    # The phase is an argument as of the other commands; one version more it is taken as an option, too.
    assert run("leaderboard", "copy", "evaluation").stdout == board.stdout
    assert run("leaderboard", "copy", "--phase", "evaluation").stdout == board.stdout
    assert "evaluation" in str(run("leaderboard", "copy", "evaluatoin").exception)
    assert "evaluation" in str(run("leaderboard", "copy", "--phase", "evaluatoin").exception)
    assert "said twice" in str(run("leaderboard", "copy", "evaluation", "--phase", "practice").exception)
    assert isinstance(run("export", "cup", "--out", out).exception, OutputError)


def test_how_sure_the_order_is_comes_from_files_or_from_columns(
    challenge: Challenge, tmp_path: Path, organiser: User
) -> None:
    from foveate.challenges.scoring import measure, write_columns

    Team.objects.update(disqualified_at=None)
    phase = over(challenge)
    page = Client().get("/challenges/cup/evaluation/leaderboard/order/").content.decode()
    assert "Teams that follow each other" in page
    assert "Owls before =Larks" in page or "=Larks before Owls" in page
    # Columns that scoring wrote are taken where they are: these of other files, so that it is seen.
    best = Entry.objects.filter(state="scored").order_by("-main")[0]
    pack = finding.pack_of(phase)
    empty = tmp_path / "empty.jsonl"
    empty.write_text("".join(json.dumps({"id": name, "status": "no_region"}) + "\n" for name in sizes_of(pack)))
    given = {"scores": best.scores, "file": best.file, "file_name": "a.csv"}
    again = made.entry(phase, best.team, organiser, main=best.main, **given)
    columns = columns_path(again)
    columns.parent.mkdir(parents=True, exist_ok=True)
    write_columns(measure(pack, empty, "jsonl", ["mean_iou"]).columns, columns)
    Entry.objects.filter(pk=best.pk).update(public=False)
    board.touch(phase)
    assert "0.00" in Client().get("/challenges/cup/evaluation/leaderboard/order/").content.decode()
    better = (best.main or 0.0) + 1e-6
    third = made.entry(phase, best.team, organiser, main=better, **given)
    columns_path(third).write_bytes(b"broken")
    board.touch(phase)
    broken = Client().get("/challenges/cup/evaluation/leaderboard/order/").content.decode()
    assert "missing or broken" in broken
    assert str(settings.MEDIA_ROOT) not in broken


def _changed(path: Path, out: Path, change: Callable[[dict[str, bytes]], None], *, sums: bool = True) -> Path:
    """Writes an archive anew with other files, and, unless told otherwise, the sums that these have."""
    import hashlib

    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    if sums:
        manifest = json.loads(members["archive.json"])
        manifest["sha256"] = {
            name: hashlib.sha256(text).hexdigest() for name, text in members.items() if name != "archive.json"
        }
        members["archive.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(out, "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return out


def _row(members: dict[str, bytes], table: str, **more: Any) -> None:
    first, *rest = members[table].splitlines()
    members[table] = b"\n".join([json.dumps({**json.loads(first), **more}).encode(), *rest])


def _without(members: dict[str, bytes], name: str) -> None:
    del members[name]


HOSTILE: dict[str, Callable[[dict[str, bytes]], None]] = {
    "climbs out": lambda m: m.update({"entries/../../evil.csv": b""}),
    "absolute": lambda m: m.update({"/etc/evil": b""}),
    "not ours": lambda m: m.update({"entries/evaluation/1.csv/x": b""}),
    "no entries": lambda m: _without(m, "entries.jsonl"),
    "no challenge": lambda m: _without(m, "challenge.json"),
    "empty challenge": lambda m: m.update({"challenge.json": b""}),
    "a row more": lambda m: _row(m, "teams.jsonl", admin=True),
    "no number": lambda m: _row(m, "entries.jsonl", number="1; DROP TABLE"),
    "a member that is not there": lambda m: _row(m, "entries.jsonl", member="entries/evaluation/9.csv"),
    "a team that is not there": lambda m: _row(m, "entries.jsonl", team=99),
    "an event of nothing": lambda m: _row(m, "events.jsonl", entry=99),
    "a reference of nothing": lambda m: _row(m, "references.jsonl", phase="x"),
    "twice": lambda m: m.update({"teams.jsonl": m["teams.jsonl"] * 2}),
    "a phase of another name": lambda m: _row(m, "phases.jsonl", name="final"),
    "no phase": lambda m: _row(m, "phases.jsonl", said={}),
    "no challenge said": lambda m: _row(m, "challenge.json", said={"slug": "cup"}),
    "values that are none": lambda m: _row(m, "entries.jsonl", scores={"metrics": {"mean_iou": {"value": "<b>"}}}),
    "metrics that are none": lambda m: _row(m, "entries.jsonl", scores={"metrics": [1]}),
    "counts that are none": lambda m: _row(m, "entries.jsonl", scores={"counts": {"ok": "1"}}),
    "not a number": lambda m: _row(m, "entries.jsonl", main=float("nan")),
    "deep": lambda m: m.update({"challenge.json": b'{"a":' * 100_000}),
    "of another form": lambda m: m.update({"archive.json": m["archive.json"].replace(b'archive": 1', b'archive": 2')}),
    "no manifest": lambda m: m.update({"archive.json": b"[]"}),
}


def test_a_hostile_archive_is_refused_and_nothing_is_made_of_it(
    challenge: Challenge, tmp_path: Path, organiser: User
) -> None:
    whole = tmp_path / "cup.zip"
    export(challenge, whole, targets=True)
    for number, (what, change) in enumerate(HOSTILE.items()):
        path = _changed(whole, tmp_path / f"{number}.zip", change, sums="manifest" not in what)
        with pytest.raises(InputError, match=f"{number}.zip|phase|evaluation|challenge.json"), opened(path):
            pytest.fail(f"{what} is taken")
    for path in (tmp_path / "text.zip", tmp_path / "absent.zip"):
        if path.name == "text.zip":
            path.write_text("no zip")
        with pytest.raises(InputError, match=path.name), opened(path):
            pytest.fail("it is taken")
    with pytest.raises(InputError, match="more than"), opened(whole, Most(files=3)):
        pytest.fail("it is taken")
    with pytest.raises(InputError, match="more than"), opened(whole, Most(bytes=100)):
        pytest.fail("it is taken")
    changed = _changed(whole, tmp_path / "sum.zip", lambda m: m.update({"teams.jsonl": b""}), sums=False)
    with pytest.raises(InputError, match=r"teams.jsonl has the sha256"), opened(changed):
        pytest.fail("it is taken")
    # Targets that were changed, with all sums of the archive made anew: the data are not those of the phase.
    samples = archives.pack_member(challenge.phases.get().fingerprint, "samples.jsonl")
    changed = _changed(whole, tmp_path / "data.zip", lambda m: m.update({samples: m[samples].replace(b"red", b"rad")}))
    before = sorted(path for path in Path(settings.MEDIA_ROOT).rglob("*") if "entries" in str(path))
    with opened(changed) as archive, pytest.raises(InputError, match="sha256"):
        list(rescore(archive))
    import shutil

    shutil.rmtree(finding.packs())
    with opened(changed) as archive, pytest.raises(InputError, match="sha256"):
        take(archive, organiser, "copy")
    assert not Challenge.objects.filter(slug="copy").exists()
    assert sorted(path for path in Path(settings.MEDIA_ROOT).rglob("*") if "entries" in str(path)) == before
    assert not list(finding.packs().glob("*"))


def test_links_doubles_and_files_that_overlap_are_refused(challenge: Challenge, tmp_path: Path) -> None:
    whole = tmp_path / "cup.zip"
    export(challenge, whole)
    link = zipfile.ZipInfo("entries/evaluation/7.csv")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(_changed(whole, tmp_path / "link.zip", lambda m: None), "a") as file:
        file.writestr(link, "/etc/passwd")
    with pytest.raises(InputError, match="no ordinary file"), opened(tmp_path / "link.zip"):
        pytest.fail("it is taken")
    two = _changed(whole, tmp_path / "two.zip", lambda m: None)
    with zipfile.ZipFile(two, "a") as file, pytest.warns(match="Duplicate name"):
        file.writestr("teams.jsonl", b"")
    with pytest.raises(InputError, match="one name"), opened(two):
        pytest.fail("it is taken")
    with zipfile.ZipFile(tmp_path / "odd.zip", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("teams.jsonl", bytes(2**20))
    with pytest.raises(InputError, match="packed in an unusual way"), opened(tmp_path / "odd.zip"):
        pytest.fail("it is taken")
    over = tmp_path / "over.zip"
    with zipfile.ZipFile(_changed(whole, over, lambda m: None), "a") as file:
        first = file.infolist()[0]
        for info in file.infolist()[1:]:
            info.header_offset = first.header_offset
        file.comment = b"written anew"
    with pytest.raises(InputError, match="lies over another"), opened(over):
        pytest.fail("it is taken")
