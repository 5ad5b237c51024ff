"""An entry is written whole or not at all, at its moment, within its limits, once."""

from __future__ import annotations

import hashlib
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from foveate.app.accounts import audit
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Entry, EntryEvent, Job, Membership, Phase, Team, Upload
from foveate.app.challenges.services import entry_acts, entry_files, uploading
from foveate.app.challenges.services.entering import Sent, Words, send
from foveate.app.refused import RefusedError
from foveate.challenges.definition import Limits
from tests.app.challenges import made
from tests.app.challenges.sending import TABLE, sent, uploaded
from tests.app.conftest import person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _media(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def one_phase(tmp_path: Path, **more: Any) -> Phase:
    return made.challenge(tmp_path, made.phase_said(**more)).phases.select_related("challenge").get()


@pytest.fixture
def phase(tmp_path: Path) -> Phase:
    return one_phase(tmp_path)


@pytest.fixture
def team(phase: Phase, participant: User) -> Team:
    return made.team(phase.challenge, participant)


def refused(code: str, act: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        act()
    assert caught.value.code == code
    return caught.value


def ended(entry: Entry, state: str, **more: Any) -> None:
    Entry.objects.filter(pk=entry.pk).update(state=state, ended_at=timezone.now(), **more)
    Job.objects.filter(entry=entry).update(state="done")


def test_an_entry_its_job_its_event_and_its_line_in_the_log_come_about_together(
    phase: Phase, team: Team, participant: User
) -> None:
    upload = uploaded(participant, phase)
    words = Words("Owl 1", "It looks.", ("https://example.org/owl",), "Ours.")
    before = timezone.now()
    entry = send(participant, phase, Sent(uuid.uuid4(), upload.pk, words=words, public=False))
    entry.refresh_from_db()
    digest = hashlib.sha256(TABLE).hexdigest()
    assert (entry.number, entry.state, entry.team, entry.person) == (1, "waiting", team, participant)
    assert (entry.file_name, entry.file_bytes, entry.sha256) == ("answers.csv", len(TABLE), digest)
    assert (entry.method, entry.links, entry.note, entry.public) == (
        "Owl 1",
        ["https://example.org/owl"],
        "Ours.",
        False,
    )
    assert before <= entry.sent_at <= timezone.now()
    assert not entry.after_end
    # The file is where it was written, and the upload is none any more.
    assert entry_files.path_of(entry.file).read_bytes() == TABLE
    assert not Upload.objects.exists()
    assert [(job.kind, job.state) for job in entry.jobs.all()] == [("score", "waiting")]
    assert [(event.what, event.at) for event in entry.events.all()] == [("sent", entry.sent_at)]
    noted = AuditEvent.objects.get(action="entry.sent")
    assert (noted.about, noted.actor, noted.details["sha256"]) == ("cup/evaluation/1", participant, digest)
    version = phase.version
    phase.refresh_from_db()
    assert phase.version == version + 1


def test_nothing_comes_about_where_one_of_them_does_not(
    phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = uploaded(participant, phase)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(audit, "note", broken)
    with pytest.raises(RuntimeError):
        send(participant, phase, Sent(uuid.uuid4(), upload.pk))
    assert not Entry.objects.exists()
    assert not Job.objects.exists()
    assert not EntryEvent.objects.exists()
    # It can be sent again.
    assert uploading.digest_of(Upload.objects.get()) == hashlib.sha256(TABLE).hexdigest()


def test_the_same_key_is_the_same_entry(phase: Phase, team: Team, participant: User, tmp_path: Path) -> None:
    key = uuid.uuid4()
    first = sent(participant, phase, key=key)
    # Whatever is sent with it: the upload of the first is gone, another's stays.
    other = uploaded(participant, phase)
    assert send(participant, phase, Sent(key, other.pk)) == first
    assert send(participant, phase, Sent(key, uuid.uuid4())) == first
    assert Entry.objects.count() == Job.objects.count() == 1
    assert Upload.objects.get() == other
    second = Phase.objects.get(pk=phase.pk)
    second.pk, second.name = None, "second"
    second.save(force_insert=True)
    refused("key_used", lambda: send(participant, second, Sent(key, other.pk)))


def test_numbers_count_within_the_phase_whatever_becomes_of_entries(tmp_path: Path, participant: User) -> None:
    challenge = made.challenge(tmp_path, made.phase_said("a"), made.phase_said("b"))
    made.team(challenge, participant)
    a, b = challenge.phases.order_by("name")
    first, second = sent(participant, a), sent(participant, a)
    ended(first, "refused")
    entry_acts.withdraw(participant, second)
    assert [sent(participant, one).number for one in (a, b, a)] == [3, 1, 4]


def test_a_clock_that_goes_back_does_not_turn_entries_around(
    phase: Phase, team: Team, participant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sent(participant, phase)
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(minutes=10))
    second = sent(participant, phase)
    assert second.sent_at == first.sent_at
    assert second.number > first.number


@pytest.mark.parametrize(("seconds", "code"), [(-1, "not_begun"), (0, None), (59, None), (60, "over"), (61, "over")])
def test_its_start_belongs_to_a_phase_and_its_end_does_not(
    tmp_path: Path, participant: User, monkeypatch: pytest.MonkeyPatch, seconds: int, code: str | None
) -> None:
    start = timezone.now() + timedelta(hours=5)
    phase = one_phase(tmp_path, start=start - timedelta(days=1), end=start + timedelta(seconds=60))
    made.team(phase.challenge, participant)
    # The upload comes while it is open; only the moment of sending counts.
    upload = uploaded(participant, phase)
    said = {**phase.said, "start": start.isoformat()}
    Phase.objects.filter(pk=phase.pk).update(said=said)
    monkeypatch.setattr(timezone, "now", lambda: start + timedelta(seconds=seconds))
    if code is None:
        assert send(participant, phase, Sent(uuid.uuid4(), upload.pk)).sent_at == start + timedelta(seconds=seconds)
    else:
        assert refused(code, lambda: send(participant, phase, Sent(uuid.uuid4(), upload.pk))).status == 409
        assert Upload.objects.filter(pk=upload.pk).exists()


def test_an_open_benchmark_takes_entries_for_ever_and_marks_them(tmp_path: Path, participant: User) -> None:
    end = timezone.now() - timedelta(days=100)
    phase = one_phase(tmp_path, start=None, end=end, after_end="open")
    made.team(phase.challenge, participant)
    entry = sent(participant, phase)
    assert entry.after_end
    assert entry_acts.withdraw(participant, entry).state == "withdrawn"
    in_time = made.entry(phase, entry.team, participant)
    refused("over", lambda: entry_acts.withdraw(participant, in_time))


def test_a_phase_that_was_taken_out_and_teams_that_may_not_are_refused(
    phase: Phase, team: Team, participant: User
) -> None:
    upload = uploaded(participant, phase)
    sent_so = Sent(uuid.uuid4(), upload.pk)
    Phase.objects.filter(pk=phase.pk).update(removed=True)
    refused("phase_removed", lambda: send(participant, phase, sent_so))
    Phase.objects.filter(pk=phase.pk).update(removed=False)
    Team.objects.filter(pk=team.pk).update(disqualified_at=timezone.now())
    refused("disqualified", lambda: send(participant, phase, sent_so))
    Team.objects.filter(pk=team.pk).update(disqualified_at=None)
    participant.groups.clear()
    refused("not_taking_part", lambda: send(participant, phase, sent_so))
    refused("not_taking_part", lambda: uploading.begin(participant, phase, uploading.Wanted("a.csv", 10)))
    Membership.objects.update(left_at=timezone.now())
    refused("no_team", lambda: send(participant, phase, sent_so))


def test_only_ones_own_whole_uploads_of_the_phase_become_entries(phase: Phase, team: Team, participant: User) -> None:
    stranger = person("stranger", "participant")
    made.team(phase.challenge, stranger, name="Others")
    theirs = uploaded(stranger, phase)
    refused("no_upload", lambda: send(participant, phase, Sent(uuid.uuid4(), theirs.pk)))
    half = uploading.begin(participant, phase, uploading.Wanted("a.csv", 10))
    refused("not_whole", lambda: send(participant, phase, Sent(uuid.uuid4(), half.pk)))
    refused("no_file", lambda: send(participant, phase, Sent(uuid.uuid4())))
    refused("no_file", lambda: send(participant, phase, Sent(uuid.uuid4(), half.pk, container="image")))


def test_a_reproduction_is_an_image_by_name_or_as_a_file(tmp_path: Path, participant: User) -> None:
    phase = one_phase(tmp_path, kind="reproduction")
    made.team(phase.challenge, participant)
    refused("no_file", lambda: send(participant, phase, Sent(uuid.uuid4())))
    named = send(participant, phase, Sent(uuid.uuid4(), container="owl:1"))
    archive = sent(participant, phase, upload=uploaded(participant, phase, name="owl.tar.gz").pk)
    assert [job.kind for job in Job.objects.all()] == ["reproduce", "reproduce"]
    assert (named.container, named.file, archive.file_name) == ("owl:1", "", "owl.tar.gz")


def test_limits_are_of_valid_entries_of_all_and_of_those_under_way(tmp_path: Path, participant: User) -> None:
    limits = Limits(valid_a_day=2, valid_in_all=3, all_a_day=3, at_once=2)
    phase = one_phase(tmp_path, limits=limits)
    made.team(phase.challenge, participant)
    first, second = sent(participant, phase), sent(participant, phase)
    # Two are under way, which are today's two as well.
    none = refused("limit_today", lambda: sent(participant, phase))
    assert none.status == 429
    assert none.details["valid_today"] == 0
    ended(first, "refused")
    third = sent(participant, phase)
    refused("limit_today", lambda: sent(participant, phase))
    # What failed counts among all only; what the platform lost counts nowhere.
    ended(second, "failed")
    ended(third, "lost")
    fourth, fifth = sent(participant, phase), sent(participant, phase)
    ended(fourth, "scored", main=0.5, scores={})
    ended(fifth, "scored", main=0.5, scores={})
    refused("limit_today", lambda: sent(participant, phase))
    # Yesterday's are no more in the way today, and are in all.
    Entry.objects.update(sent_at=timezone.now() - timedelta(days=2))
    sixth = sent(participant, phase)
    refused("limit_in_all", lambda: sent(participant, phase))
    # Withdrawn before it was scored it costs nothing, scored before it does.
    entry_acts.withdraw(participant, sixth)
    entry_acts.withdraw(participant, fourth)
    seventh = sent(participant, phase)
    refused("limit_in_all", lambda: sent(participant, phase))
    assert seventh.number == 7


def test_so_many_are_under_way_at_once(tmp_path: Path, participant: User) -> None:
    phase = one_phase(tmp_path, limits=Limits(at_once=1))
    made.team(phase.challenge, participant)
    first = sent(participant, phase)
    assert refused("limit_at_once", lambda: sent(participant, phase)).status == 429
    ended(first, "scored", main=0.5, scores={})
    sent(participant, phase)


def test_the_first_entry_freezes_a_draft(tmp_path: Path, participant: User) -> None:
    phase = one_phase(tmp_path)
    Phase.objects.update(frozen_at=None)
    made.team(phase.challenge, participant)
    sent(participant, phase)
    phase.refresh_from_db()
    assert phase.frozen_at is not None
