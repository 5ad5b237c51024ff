"""Files in parts: what is acknowledged is on the disk, and no way of sending it breaks it."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import stat
import uuid
from collections import namedtuple
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from foveate.app.accounts import own_data
from foveate.app.accounts.models import User
from foveate.app.challenges import tasks
from foveate.app.challenges.models import Entry, Job, Membership, Phase, Team, Upload
from foveate.app.challenges.services import entry_files, finding, space, tidying, uploading
from foveate.app.challenges.services.uploading import Wanted, begin, digest_of, give_up, own, take, there
from foveate.app.refused import RefusedError
from tests.app.challenges import made
from tests.app.conftest import person

pytestmark = pytest.mark.django_db
TEXT = bytes(range(256)) * 40


@pytest.fixture(autouse=True)
def _media(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def phase(tmp_path: Path) -> Phase:
    return made.challenge(tmp_path).phases.get()


@pytest.fixture
def team(phase: Phase, participant: User) -> Team:
    return made.team(phase.challenge, participant)


def put(upload: Upload, offset: int, data: bytes) -> int:
    return take(upload, offset, len(data), io.BytesIO(data).read)


def path_of(upload: Upload) -> Path:
    return entry_files.path_of(uploading.place_of(upload))


def refused(code: str, act: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        act()
    assert caught.value.code == code
    return caught.value


def test_a_file_comes_in_parts_and_goes_on_where_it_stopped(phase: Phase, team: Team, participant: User) -> None:
    upload = begin(participant, phase, Wanted("answers.csv", len(TEXT)))
    assert put(upload, 0, TEXT[:100]) == 100
    # Asked anew, as after a restart: the row and the disk say the same.
    again = own(participant, phase, upload.pk)
    assert there(again) == 100
    # Sent twice, as by who heard no answer.
    assert put(again, 0, TEXT[:100]) == 100
    wrong = refused("wrong_offset", lambda: put(again, 50, TEXT[50:200]))
    assert (wrong.status, wrong.details) == (409, {"received": 100})
    refused("wrong_offset", lambda: put(again, 101, b"x"))
    refused("not_whole", lambda: digest_of(again))
    assert put(again, 100, TEXT[100:]) == len(TEXT)
    refused("too_long", lambda: put(again, len(TEXT), b"x"))
    assert digest_of(again) == hashlib.sha256(TEXT).hexdigest()
    assert path_of(upload).read_bytes() == TEXT


def test_a_part_that_is_there_is_taken_again_only_with_the_same_bytes(
    phase: Phase, team: Team, participant: User
) -> None:
    upload = begin(participant, phase, Wanted("a.csv", len(TEXT)))
    put(upload, 0, TEXT)
    assert put(upload, 0, TEXT) == put(upload, 300, TEXT[300:700]) == len(TEXT)
    other = bytearray(TEXT[300:700])
    other[123] ^= 1
    wrong = refused("other_bytes", lambda: put(upload, 300, bytes(other)))
    assert (wrong.status, wrong.details) == (409, {"first_difference": 423})
    assert "Bytes 300 to 699 are here already, and what came is another file from byte 423 on." in str(wrong.message)
    assert path_of(upload).read_bytes() == TEXT
    # Far behind what is read at once, too.
    long = bytes(300_000)
    second = begin(participant, phase, Wanted("b.csv", len(long)))
    put(second, 0, long)
    assert refused("other_bytes", lambda: put(second, 0, long[:-1] + b"x")).details == {"first_difference": 299_999}
    path_of(second).unlink()
    assert there(second) == 0


@pytest.mark.parametrize("name", ["a.exe", "masks.zip", "a.json", "a.jsonl", "A.XLSX", "a.csv.exe"])
def test_a_name_that_the_phase_does_not_take_is_told_before_anything_is_sent_or_counted(
    name: str, phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(uploading, "_RATE", type("Rate", (), {"check": staticmethod(counted.append)}))
    wrong = refused("wrong_form", lambda: begin(participant, phase, Wanted(name, 5)))
    assert (wrong.status, wrong.details) == (422, {"name": name})
    assert "the phase does not take that" in str(wrong.message)
    assert str(wrong.remedy) == "It takes: a table of boxes (the cup's CSV), .csv."
    assert not counted
    assert not Upload.objects.exists()
    for taken in ("a.csv", "A.CSV", "a.tsv", "a.txt", "answers"):
        begin(participant, phase, Wanted(taken, 5))


def test_its_name_on_the_disk_is_random_and_only_this_user_reads_it(
    phase: Phase, team: Team, participant: User
) -> None:
    upload = begin(participant, phase, Wanted("../../evil/../Answers.CSV", 3))
    put(upload, 0, b"abc")
    path = path_of(upload)
    assert path.name == "entry.csv"
    assert path.parent.name == upload.pk.hex
    assert path.parent.parent == entry_files.path_of("challenges/entries")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) & 0o077 == 0
    assert upload.name == "Answers.CSV"


def test_names_that_are_none_are_refused_and_odd_ones_cleaned(phase: Phase, team: Team, participant: User) -> None:
    for name in ("", "/", "..", "\x00\x01", "a/.."):
        refused("not_valid", lambda name=name: begin(participant, phase, Wanted(name, 3)))
    assert uploading.clean_name("C:\\work\\a\u202eb\n.csv") == "ab.csv"
    assert entry_files.place(uuid.UUID(int=1), "x.c/s").endswith("/entry")


def answered(upload: Upload, offset: int, length: int, body: io.BytesIO, kept: int) -> int:
    """Returns how much is there after a part, also where it is refused."""
    if offset + length <= kept or (offset == kept and len(body.getvalue()) == length):
        return take(upload, offset, length, body.read)
    with pytest.raises(RefusedError) as caught:
        take(upload, offset, length, body.read)
    assert caught.value.code == ("cut_short" if offset == kept else "wrong_offset")
    assert caught.value.details == {"received": kept}
    return kept


@given(data=st.data())
@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_sent_in_whatever_order_only_the_file_itself_comes_about(
    data: st.DataObject, phase: Phase, team: Team, participant: User
) -> None:
    """Parts at any offset, of any size, cut short or sent twice: what is acknowledged is always a beginning of it."""
    size = data.draw(st.integers(1, 60))
    file = os.urandom(size)
    upload = begin(participant, phase, Wanted("a.csv", size))
    kept = 0
    for _ in range(data.draw(st.integers(1, 12))):
        offset, length = data.draw(st.integers(0, size)), data.draw(st.integers(0, 20))
        length = min(length, size - offset)
        cut = data.draw(st.booleans())
        body = io.BytesIO(file[offset : offset + length][: length - 1 if cut and length else length])
        kept = answered(upload, offset, length, body, kept)
        assert there(upload) == kept
        written = path_of(upload).read_bytes() if kept else b""
        assert written[:kept] == file[:kept]
    while kept < size:
        kept = put(upload, kept, file[kept : kept + 7])
    assert digest_of(upload) == hashlib.sha256(file).hexdigest()
    give_up(upload)


def test_a_crash_between_the_disk_and_the_row_loses_nothing(
    phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = begin(participant, phase, Wanted("a.csv", len(TEXT)))
    put(upload, 0, TEXT[:64])

    def killed(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", killed)
        with pytest.raises(SystemExit):
            put(upload, 64, b"never acknowledged, and longer than what comes")
    # The disk is ahead of the row, never behind; the next part takes its place.
    assert path_of(upload).stat().st_size > 64
    assert there(upload) == 64
    put(upload, 64, TEXT[64:])
    assert path_of(upload).read_bytes() == TEXT


def test_each_part_is_on_the_disk_before_the_row_says_so(
    phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int]] = []
    fsync = os.fsync

    def noted(number: int) -> None:
        fsync(number)
        if stat.S_ISREG(os.fstat(number).st_mode):
            synced.append((os.fstat(number).st_size, Upload.objects.get().received))

    upload = begin(participant, phase, Wanted("a.csv", 30))
    monkeypatch.setattr(os, "fsync", noted)
    put(upload, 0, b"x" * 10)
    put(upload, 10, b"y" * 20)
    assert synced == [(10, 0), (30, 10)]


def test_a_file_that_is_shorter_than_the_row_says_goes_on_from_what_is_there(
    phase: Phase, team: Team, participant: User
) -> None:
    """As after a restore of a backup whose file was of an earlier moment."""
    upload = begin(participant, phase, Wanted("a.csv", 10))
    put(upload, 0, b"0123456789")
    path_of(upload).write_bytes(b"012")
    assert there(upload) == 3
    assert refused("not_whole", lambda: digest_of(upload)).details == {"received": 3}
    put(upload, 3, b"3456789")
    assert path_of(upload).read_bytes() == b"0123456789"


def test_a_file_that_is_not_what_its_sender_said_is_refused(phase: Phase, team: Team, participant: User) -> None:
    right = hashlib.sha256(b"abc").hexdigest()
    good = begin(participant, phase, Wanted("a.csv", 3, right))
    put(good, 0, b"abc")
    assert digest_of(good) == right
    bad = begin(participant, phase, Wanted("a.csv", 3, right))
    put(bad, 0, b"abx")
    refused("wrong_sha256", lambda: digest_of(bad))
    assert not Upload.objects.filter(pk=bad.pk).exists()
    assert not path_of(bad).exists()
    refused("not_valid", lambda: begin(participant, phase, Wanted("a.csv", 3, "ABC")))


def test_two_at_once_do_not_write_into_each_other(phase: Phase, team: Team, participant: User) -> None:
    upload = begin(participant, phase, Wanted("a.csv", 10))

    def meanwhile(size: int) -> bytes:
        busy = refused("busy", lambda: put(upload, 0, b"0123456789"))
        assert busy.status == 409
        return b"01234"[:size]

    take(upload, 0, 5, meanwhile)
    put(upload, 5, b"56789")
    assert path_of(upload).read_bytes() == b"0123456789"


def test_parts_and_files_have_their_sizes(phase: Phase, team: Team, participant: User) -> None:
    upload = begin(participant, phase, Wanted("a.csv", 2**31))
    assert refused("too_large", lambda: take(upload, 0, uploading.PART + 1, io.BytesIO().read)).status == 413
    assert refused("too_large", lambda: begin(participant, phase, Wanted("a.csv", 2**31 + 1))).status == 413
    refused("empty", lambda: begin(participant, phase, Wanted("a.csv", 0)))


def test_room_is_counted_for_teams_challenges_and_all(
    phase: Phase, team: Team, participant: User, settings: Any, tmp_path: Path
) -> None:
    other = made.team(phase.challenge, person("otto", "participant"), name="Others")
    third = made.challenge(tmp_path / "b", slug="second")
    stranger = made.team(third, person("third", "participant"))
    made.entry(phase, team, participant, file="challenges/entries/x/entry.csv", file_bytes=60)
    made.entry(phase, team, participant, file="", file_bytes=1000)
    settings.ENTRY_SPACE = f"{100 / 2**30}/{150 / 2**30}/{180 / 2**30}"
    assert space.used_by(team) == 60
    begin(participant, phase, Wanted("a.csv", 40))
    full = refused("no_room", lambda: begin(participant, phase, Wanted("a.csv", 1)))
    assert (full.status, full.details) == (507, {"most": 100, "used": 100})
    begin(other.memberships.get().person, phase, Wanted("a.csv", 50))
    challenge = refused("no_room", lambda: begin(other.memberships.get().person, phase, Wanted("a.csv", 1)))
    assert challenge.details == {"most": 150, "used": 150}
    every = refused(
        "no_room", lambda: begin(stranger.memberships.get().person, third.phases.get(), Wanted("a.csv", 31))
    )
    assert every.details == {"most": 180, "used": 150}


def test_a_full_disk_is_told_before_and_while_it_is_written(
    phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = begin(participant, phase, Wanted("a.csv", 10))
    usage = namedtuple("usage", "total used free")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _: usage(2**40, 0, 2**30 + 1000))
        begin(participant, phase, Wanted("a.csv", 500))
        # Both of these are yet to come: 510 of the 1,000 bytes are given away.
        assert refused("disk_full", lambda: begin(participant, phase, Wanted("a.csv", 491))).status == 507
        begin(participant, phase, Wanted("a.csv", 490))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert refused("disk_full", lambda: put(upload, 0, b"0123456789")).status == 507
    assert there(upload) == 0
    assert put(upload, 0, b"0123456789") == 10


def test_others_have_no_part_in_it(phase: Phase, team: Team, participant: User) -> None:
    upload = begin(participant, phase, Wanted("a.csv", 10))
    friend, stranger = person("friend", "participant"), person("stranger", "participant")
    Membership.objects.create(challenge=phase.challenge, team=team, person=friend, joined_at=timezone.now())
    assert own(friend, phase, upload.pk) == upload
    refused("no_upload", lambda: own(stranger, phase, upload.pk))
    refused("no_team", lambda: begin(stranger, phase, Wanted("a.csv", 10)))
    made.team(phase.challenge, stranger, name="Others")
    refused("no_upload", lambda: own(stranger, phase, upload.pk))


def test_a_phase_that_is_not_open_and_a_team_that_may_not_enter_are_refused(tmp_path: Path, participant: User) -> None:
    now = timezone.now()
    later = made.phase_said("later", start=now + timedelta(hours=1), end=None)
    over = made.phase_said("over", end=now - timedelta(seconds=1))
    invited = made.phase_said("invited", only=("Some",))
    challenge = made.challenge(tmp_path, later, over, invited)
    team = made.team(challenge, participant)
    for name, code in (("later", "not_begun"), ("over", "over"), ("invited", "not_for_your_team")):
        refused(code, lambda name=name: begin(participant, challenge.phases.get(name=name), Wanted("a.csv", 1)))
    Team.objects.filter(pk=team.pk).update(disqualified_at=now, disqualified_why="Two teams were one.")
    said = refused("disqualified", lambda: begin(participant, challenge.phases.get(name="invited"), Wanted("a.csv", 1)))
    assert "Two teams were one." in said.message


def test_a_team_has_so_many_unfinished_uploads(phase: Phase, team: Team, participant: User) -> None:
    for _ in range(20):
        begin(participant, phase, Wanted("a.csv", 10))
    assert refused("limit_uploads", lambda: begin(participant, phase, Wanted("a.csv", 10))).status == 429
    # The one that was left alone for longest makes room, and one only, for one only.
    first, second, *_ = Upload.objects.order_by("begun_at")
    take(first, 0, 5, lambda size: b"x" * size)
    long_ago = timezone.now() - timedelta(minutes=61)
    Upload.objects.filter(pk=second.pk).update(touched_at=long_ago)
    Upload.objects.filter(pk=first.pk).update(touched_at=long_ago - timedelta(minutes=1))
    begin(participant, phase, Wanted("b.csv", 10))
    assert not Upload.objects.filter(pk=first.pk).exists()
    assert not entry_files.path_of(uploading.place_of(first)).exists()
    assert Upload.objects.filter(pk=second.pk).exists()
    begin(participant, phase, Wanted("c.csv", 10))
    assert refused("limit_uploads", lambda: begin(participant, phase, Wanted("d.csv", 10))).status == 429
    assert Upload.objects.count() == 20


def test_what_is_given_up_while_it_is_sent_is_no_upload_any_more(
    phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = begin(participant, phase, Wanted("a.csv", 10))
    put(upload, 0, b"0123456789")

    def then_gone(upload: Upload) -> int:
        give_up(upload)
        return 10

    monkeypatch.setattr(uploading, "there", then_gone)
    refused("no_upload", lambda: digest_of(upload))


def test_what_killed_workers_left_is_removed(
    phase: Phase, team: Team, participant: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "scratch_root", lambda: tmp_path)
    now = timezone.now()
    entry = made.entry(phase, team, participant, state="scoring", main=None)
    job = Job.objects.create(entry=entry, kind="score", state="running", lease=7, made_at=now)
    running, killed = tasks.scratch_path(job), tmp_path / f"job-{job.pk}-6"
    for folder, age_s in ((running, 9999), (killed, 9999), (tmp_path / "job-0-1", 60)):
        folder.mkdir()
        (folder / "columns.npz").write_bytes(b"x")
        os.utime(folder, (now.timestamp() - age_s,) * 2)
    assert tidying.tidy(now)["scratch"] == 1
    assert sorted(path.name for path in tmp_path.glob("job-*")) == sorted(["job-0-1", running.name])


def test_what_nobody_needs_is_removed(phase: Phase, team: Team, participant: User) -> None:
    now = timezone.now()
    old, new = (begin(participant, phase, Wanted("a.csv", 10)) for _ in range(2))
    for upload in (old, new):
        put(upload, 0, b"01234")
    Upload.objects.filter(pk=old.pk).update(touched_at=now - timedelta(hours=25))

    def entry(state: str, **more: Any) -> tuple[Entry, Path]:
        identity = uuid.uuid4()
        place = entry_files.place(identity, "a.csv")
        entry_files.path_of(place).parent.mkdir(parents=True)
        entry_files.path_of(place).write_bytes(b"x")
        values = {"state": state, "main": None, "ended_at": now - timedelta(days=8), "file": place, **more}
        return made.entry(phase, team, participant, **values), entry_files.path_of(place)

    kept = [entry("scored", main=0.5), entry("refused", ended_at=now - timedelta(days=6)), entry("withdrawn", main=0.5)]
    kept += [entry("waiting", ended_at=None), entry("failed"), entry("lost")]
    gone = [entry("refused"), entry("withdrawn")]
    root = entry_files.path_of(entry_files.FOLDER)
    for name, age in (("lost", 25), ("just-now", 0)):
        (root / name).mkdir()
        (root / name / "entry.csv").write_bytes(b"x")
        os.utime(root / name, (now.timestamp() - age * 3600,) * 2)
    for name, age in (("0" * 64, 25), (".part-1-2", 25), ("1" * 64, 23), (phase.fingerprint, 99)):
        (finding.packs() / name).mkdir(exist_ok=True)
        os.utime(finding.packs() / name, (now.timestamp() - age * 3600,) * 2)
    for _, path in kept:
        os.utime(path.parent, (now.timestamp() - 99 * 3600,) * 2)
    removed = {"uploads": 1, "files": 2, "folders": 1, "packs": 2}
    assert tidying.tidy(now) == removed | {"scratch": 0, "kits": 0}
    # Data of no phase go; not those of one, nor those whose row is perhaps just being written.
    assert (finding.packs() / ("1" * 64)).exists()
    assert finding.pack_of(phase).n == 3
    assert not path_of(old).exists()
    assert path_of(new).exists()
    assert all(path.exists() for _, path in kept)
    assert not any(path.exists() for _, path in gone)
    assert (root / "just-now").exists()
    for one, _ in gone:
        one.refresh_from_db()
        assert (one.file, one.file_bytes) == ("", 0)
        assert [event.what for event in one.events.all()] == ["file_removed"]
    assert tidying.tidy(now) == dict.fromkeys([*removed, "scratch", "kits"], 0)
    refused("no_upload", lambda: put(old, 5, b"56789"))


def test_who_leaves_gives_up_their_uploads_and_their_entries_stay(
    phase: Phase, team: Team, participant: User, admin: User
) -> None:
    upload = begin(participant, phase, Wanted("a.csv", 10))
    put(upload, 0, b"01234")
    made.entry(phase, team, participant, method="ours")
    held = "".join(own_data.export(participant))
    assert '"method": "ours"' in held
    assert '"received": 5' in held
    own_data.leave(None, participant)
    assert not Upload.objects.exists()
    assert not path_of(upload).exists()
    assert Entry.objects.get().person == participant
