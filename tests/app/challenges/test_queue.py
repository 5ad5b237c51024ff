"""The queue: who is lent what, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Entry, Job, Phase, ReferenceRow, Worker
from foveate.app.challenges.services import queue
from foveate.app.refused import RefusedError
from foveate.challenges.definition import Reference
from foveate.challenges.said import to_said
from tests.app.annotate.making import all_at_once
from tests.app.challenges import made

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SCORES = {"metrics": {"mean_iou": {"value": 0.71828, "low": None, "high": None}}}
ANSWER = {"scores": SCORES}
REFUSED = {"problems": [{"said": "line 3: nan is no number."}], "problem_count": 7}


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


class Place:
    """A phase with a team, and workers."""

    def __init__(self, folder: Path, person: User) -> None:
        challenge = made.challenge(folder)
        self.phase: Phase = challenge.phases.get()
        self.team = made.team(challenge, person)
        self.person = person

    def entry(self, **more: Any) -> Entry:
        given = {"state": "waiting", "main": None, "ended_at": None, "file": "challenges/entries/x"}
        return made.entry(self.phase, self.team, self.person, **{**given, **more})

    def waiting(self, kind: Any = "score", **more: Any) -> Entry:
        entry = self.entry(**more)
        queue.put(entry, kind, now=NOW)
        return entry


@pytest.fixture
def place(tmp_path: Path, participant: User) -> Place:
    return Place(tmp_path, participant)


def worker(name: str = "one") -> Worker:
    return queue.seen(Worker(name=name, kinds=list(queue.KINDS), began_at=NOW, seen_at=NOW), NOW)


def claimed(now: datetime = NOW, name: str = "one", kinds: Any = ("score", "reproduce")) -> Job:
    job = queue.claim(worker(name), kinds, now)
    assert job is not None
    return job


def state(entry: Entry) -> str:
    return Entry.objects.get(pk=entry.pk).state


def test_an_entry_goes_its_way(place: Place) -> None:
    entry = place.waiting()
    job = claimed()
    assert (job.entry, state(entry)) == (entry, "checking")
    assert queue.reach(job, "scoring", later(2))
    assert state(entry) == "scoring"
    job.log = "12:00:02 scoring\n"
    assert queue.finish(job, ANSWER, later(5))
    entry.refresh_from_db()
    assert (entry.state, entry.main, entry.ended_at) == ("scored", 0.71828, later(5))
    assert entry.scores == SCORES
    assert list(entry.events.values_list("what", flat=True)) == ["checking", "checked", "scored"]
    job = Job.objects.get(kind="score")
    assert (job.state, job.check_seconds, job.work_seconds, job.log) == ("done", 2.0, 3.0, "12:00:02 scoring\n")
    # Its intervals are worked out when nothing else waits.
    assert (Job.objects.get(kind="interval").priority, claimed(later(6), kinds=queue.KINDS).kind) == (10, "interval")


def test_intervals_are_added_to_scores(place: Place) -> None:
    entry = place.waiting("interval", state="scored", scores=SCORES, main=0.71828)
    job = claimed(kinds=["interval"])
    assert queue.finish(job, {"bounds": {"mean_iou": [0.7, 0.8]}}, later(1))
    entry.refresh_from_db()
    assert entry.scores is not None
    assert entry.scores["metrics"]["mean_iou"] == {"value": 0.71828, "low": 0.7, "high": 0.8}
    assert entry.state == "scored"


def test_what_the_check_refuses_is_told_and_ends(place: Place) -> None:
    entry = place.waiting()
    assert queue.finish(claimed(), REFUSED, later(1))
    entry.refresh_from_db()
    assert (entry.state, entry.problems) == ("refused", REFUSED["problems"])
    assert entry.why == "7 problems; it costs nothing"
    assert not Job.objects.filter(kind="interval").exists()


def test_a_lease_that_was_lost_writes_nothing(place: Place) -> None:
    entry = place.waiting()
    old = claimed()
    assert queue.beat(old, later(50))
    # Its worker vanishes; at 50 + 60 seconds the lease is over, and another worker goes on.
    assert queue.claim(worker("two"), ["score"], later(109)) is None
    new = claimed(later(111), "two")
    assert (new.pk, new.deaths) == (old.pk, 1)
    assert not queue.beat(old, later(112))
    assert not queue.reach(old, "scoring", later(112))
    assert not queue.finish(old, ANSWER, later(112))
    assert not queue.stumble(old, "entry", "x", later(112))
    assert not queue.give_back(old, later(112))
    assert state(entry) == "checking"
    assert queue.finish(new, ANSWER, later(113))
    assert not queue.finish(new, ANSWER, later(114))
    assert entry.events.filter(what="scored").count() == 1


def test_a_poisonous_entry_fails_after_three_tries_and_holds_nobody_up(place: Place) -> None:
    poisonous, other = place.waiting(), place.waiting()
    job = claimed()
    assert queue.stumble(job, "entry", "it crashed", NOW)
    # While it waits for its second try the other one is done.
    second = claimed()
    assert second.entry == other
    assert queue.finish(second, ANSWER, NOW)
    now = NOW
    for _ in range(2):
        assert queue.claim(worker(), ["score"], now) is None
        now += timedelta(seconds=60)
        assert queue.stumble(claimed(now), "entry", "it crashed", now)
    poisonous.refresh_from_db()
    assert (poisonous.state, poisonous.why) == ("failed", "it crashed")
    assert queue.claim(worker(), ["score"], now + timedelta(days=1)) is None
    assert not AuditEvent.objects.filter(action="entry.given_back").exists()


def test_what_the_platform_loses_is_given_back_and_audited(place: Place) -> None:
    entry = place.waiting()
    now = NOW
    for turn in range(5):
        job = claimed(now)
        assert job.deaths == turn
        now += timedelta(hours=1)
        queue.free(now)
        now += timedelta(hours=1)
    entry.refresh_from_db()
    assert (entry.state, entry.why) == ("lost", "its worker vanished")
    event = AuditEvent.objects.get(action="entry.given_back")
    assert event.about == f"cup/evaluation/{entry.number}"
    last = entry.events.order_by("-pk").first()
    assert last is not None
    assert last.said == "lost by the platform's fault; it does not count against any limit"


def test_what_was_lost_or_failed_is_scored_again_and_nothing_else(place: Place) -> None:
    entry = place.entry(state="lost", why="its worker vanished")
    job = queue.again(entry, now=NOW)
    assert (state(entry), job.kind, job.tries, job.deaths) == ("waiting", "score", 0, 0)
    with pytest.raises(RefusedError) as refused:
        queue.again(entry)
    assert (refused.value.status, refused.value.code) == (409, "not_ended_badly")
    # A container may have come as a file: what its phase is decides.
    Phase.objects.update(kind="reproduction")
    assert queue.again(place.entry(state="failed", file="challenges/entries/x/entry.tar")).kind == "reproduce"


def test_a_worker_that_stops_gives_back_at_once(place: Place) -> None:
    entry = place.waiting()
    job = claimed()
    assert queue.reach(job, "scoring", NOW)
    assert queue.give_back(job, NOW)
    assert state(entry) == "queued"
    again = claimed()
    assert (again.tries, again.deaths, state(entry)) == (0, 0, "scoring")


def test_what_is_withdrawn_is_done_no_more(place: Place) -> None:
    under_way, waiting = place.waiting(), place.waiting()
    job = claimed()
    for entry in (under_way, waiting):
        Entry.objects.filter(pk=entry.pk).update(state="withdrawn")
        queue.drop(entry, now=NOW)
    assert not queue.beat(job, NOW)
    assert not queue.finish(job, ANSWER, NOW)
    assert queue.claim(worker(), ["score"], NOW) is None
    assert [state(under_way), state(waiting)] == ["withdrawn"] * 2


def test_a_job_whose_entry_has_ended_is_passed_over(place: Place) -> None:
    gone, stays = place.waiting(), place.waiting()
    Entry.objects.filter(pk=gone.pk).update(state="withdrawn")
    assert claimed().entry == stays
    assert Job.objects.get(entry=gone).state == "given_up"


def test_places_in_the_queue(place: Place) -> None:
    entries = [place.waiting() for _ in range(3)]
    place.waiting("interval", state="scored", scores=SCORES)
    jobs = [entry.jobs.get() for entry in entries]
    assert [queue.position(job, NOW) for job in jobs] == [1, 2, 3]
    running = claimed()
    jobs = [entry.jobs.get() for entry in entries]
    assert [queue.position(job, NOW) for job in jobs] == [0, 1, 2]
    queue.finish(running, ANSWER, NOW)
    assert queue.position(entries[0].jobs.get(kind="score"), NOW) is None


def test_a_worker_takes_its_kinds_only(place: Place) -> None:
    place.waiting("reproduce", container="team/method@sha256:1")
    assert queue.claim(worker(), ["score", "interval"], NOW) is None
    job = claimed()
    assert job.entry is not None
    assert state(job.entry) == "running"
    assert queue.stumble(job, "platform", "the engine does not answer", NOW)
    assert state(job.entry) == "waiting"
    assert queue.finish(claimed(later(1)), {"failed": "it took more than 3 hours"}, later(2))
    job.entry.refresh_from_db()
    assert (job.entry.state, job.entry.why) == ("failed", "it took more than 3 hours")


def test_reference_rows(place: Place) -> None:
    said = Reference("a paper", "evaluation", published={"mean_iou": 0.5}, source="Table 2")
    row = ReferenceRow.objects.create(phase=place.phase, name="a paper", said=to_said(said))
    assert queue.put_reference(row) is None
    row.refresh_from_db()
    assert row.published
    assert row.scores is not None
    assert row.scores["metrics"]["mean_iou"]["value"] == 0.5
    said = Reference("whole image", "evaluation", grounder="whole_image")
    row = ReferenceRow.objects.create(phase=place.phase, name="whole image", said=to_said(said))
    assert queue.put_reference(row, now=NOW) is not None
    assert queue.finish(claimed(kinds=["reference"]), ANSWER, NOW)
    row.refresh_from_db()
    assert row.scores == SCORES


def test_a_worker_whose_row_a_restore_took_away_goes_on(place: Place) -> None:
    place.waiting()
    row = worker()
    Worker.objects.all().delete()
    job = queue.claim(row, ["score"], NOW)
    assert job is not None
    assert job.worker is not None
    assert job.worker.name == "one"


@pytest.mark.django_db(transaction=True)
def test_eight_that_claim_at_once_never_get_the_same(place: Place) -> None:
    for _ in range(24):
        place.waiting()
    workers = [worker(f"w{number}") for number in range(8)]

    def take_all(own: Worker) -> list[tuple[int, int]]:
        found = []
        while (job := queue.claim(own, ["score"], NOW)) is not None:
            assert job.lease is not None
            found.append((job.pk, job.lease))
            assert queue.finish(job, ANSWER, NOW)
        return found

    taken = [one for found in all_at_once([lambda own=one: take_all(own) for one in workers]) for one in found]  # type: ignore[misc]
    assert sorted(pk for pk, _lease in taken) == sorted(Job.objects.filter(kind="score").values_list("pk", flat=True))
    assert len({lease for _pk, lease in taken}) == 24
    assert set(Entry.objects.values_list("state", flat=True)) == {"scored"}


@pytest.mark.django_db(transaction=True)
def test_a_lease_that_is_over_is_freed_once(place: Place) -> None:
    place.waiting()
    claimed()
    freed = all_at_once([lambda: queue.free(later(61))] * 6)
    assert sum(freed) == 1
    assert Job.objects.get().deaths == 1
