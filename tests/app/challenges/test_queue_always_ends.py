"""Whatever happens to workers between any two steps: an entry ends, in time, and is scored once at most."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Entry, EntryEvent, Job, Worker
from foveate.app.challenges.services import queue, settling
from tests.app.challenges import made

START = datetime(2026, 5, 4, 12, tzinfo=UTC)
FINAL = {"refused", "scored", "failed", "lost", "withdrawn"}
SCORES = {"metrics": {"mean_iou": {"value": 0.5, "low": None, "high": None}}}
ANSWERS = [{"scores": SCORES}, {"problems": [], "problem_count": 1}, {"failed": "too long"}]
which = st.integers(0, 3)


class Queue(RuleBasedStateMachine):
    """Entries are sent, workers claim, come to stages, finish, stumble, vanish, and come back with what they had."""

    folder: Path
    person: User

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.held: list[Job] = []
        self.finished: list[int] = []
        # Each example leaves nothing.
        self.whole = transaction.atomic()
        self.whole.__enter__()

    def teardown(self) -> None:
        try:
            self._run_to_the_end()
        finally:
            transaction.set_rollback(True)
            self.whole.__exit__(None, None, None)

    @initialize()
    def begin(self) -> None:
        challenge = made.challenge(self.folder)
        self.phase = challenge.phases.get()
        self.team = made.team(challenge, self.person)
        row = Worker(name="one", kinds=["score"], began_at=START, seen_at=START)
        self.worker = queue.seen(row, START)

    @rule()
    def send(self) -> None:
        if Entry.objects.count() < 4:
            queue.put(made.entry(self.phase, self.team, self.person, state="waiting", main=None), now=self.now)

    @rule(seconds=st.integers(1, 700))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule()
    def claim(self) -> None:
        job = queue.claim(self.worker, ["score"], self.now)
        if job is not None:
            assert job.state == "running"
            self.held.append(job)

    @rule(which=which)
    def beat(self, which: int) -> None:
        if which < len(self.held):
            queue.beat(self.held[which], self.now)

    @rule(which=which)
    def reach(self, which: int) -> None:
        if which < len(self.held):
            queue.reach(self.held[which], "scoring", self.now)

    # A worker that was thought dead may come back with any lease that it ever had, so that none is taken from the list.
    @rule(which=which, answer=st.sampled_from(ANSWERS))
    def finish(self, which: int, answer: dict[str, object]) -> None:
        if which < len(self.held) and queue.finish(self.held[which], answer, self.now):
            self.finished.append(self.held[which].pk)

    @rule(which=which, fault=st.sampled_from(["entry", "platform"]))
    def stumble(self, which: int, fault: settling.Fault) -> None:
        if which < len(self.held):
            queue.stumble(self.held[which], fault, "it went wrong", self.now)

    @rule(which=which)
    def give_back(self, which: int) -> None:
        if which < len(self.held):
            queue.give_back(self.held[which], self.now)

    @rule(which=which)
    def withdraw(self, which: int) -> None:
        entry = Entry.objects.order_by("pk")[which : which + 1].first()
        if entry is not None and entry.state not in FINAL:
            Entry.objects.filter(pk=entry.pk).update(state="withdrawn")
            queue.drop(entry, now=self.now)

    @invariant()
    def nothing_is_done_twice(self) -> None:
        assert len(set(self.finished)) == len(self.finished)
        ends = list(EntryEvent.objects.filter(what__in=FINAL).values_list("entry", flat=True))
        assert len(set(ends)) == len(ends)

    @invariant()
    def who_has_not_ended_has_a_job_and_who_has_ended_has_none(self) -> None:
        for entry in Entry.objects.all():
            open_jobs = entry.jobs.filter(kind="score", state__in=("waiting", "running")).count()
            assert open_jobs == (0 if entry.state in FINAL else 1)

    def _run_to_the_end(self) -> None:
        """Workers that always die from here on: all ends within the number of tries, and within an hour and a half."""
        latest = self.now + timedelta(hours=1, minutes=30)
        while Entry.objects.exclude(state__in=FINAL).exists():
            self.claim()
            self.now += timedelta(seconds=61)
            assert self.now < latest
        self.nothing_is_done_twice()


@pytest.mark.django_db
def test_every_entry_ends_whatever_happens(tmp_path: Path, participant: User) -> None:
    Queue.folder, Queue.person = tmp_path, participant
    assert connection.in_atomic_block
    run_state_machine_as_test(
        Queue,
        settings=settings(
            max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
