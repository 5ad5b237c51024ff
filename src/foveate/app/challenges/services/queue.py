"""The queue: a table of jobs that workers are lent. Who has lost a lease can write nothing any more.

Times are given by whoever asks (aware, UTC); machines that work on one queue keep their clocks together.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Entry, Job, ReferenceRow, Worker
from foveate.app.challenges.services import settling
from foveate.app.refused import RefusedError
from foveate.challenges import scoring
from foveate.challenges.definition import Reference
from foveate.challenges.said import of_said

KINDS = tuple(kind for kind, _label in Job.KINDS)
LEASE = timedelta(seconds=60)
# Intervals and reference rows wait until no entry does.
_LATER = 10
# The log of a job; the team reads it.
MOST_LOG = 10_000
Kind = Literal["score", "reproduce", "interval", "reference"]


def put(entry: Entry, kind: Kind = "score", *, now: datetime | None = None) -> Job:
    """Returns a new job of an entry; the caller's transaction writes it together with the entry."""
    priority = _LATER if kind == "interval" else 0
    return Job.objects.create(kind=kind, entry=entry, priority=priority, made_at=now or timezone.now())


def kind_of(entry: Entry) -> Kind:
    """Returns the kind of job by which an entry of its phase is scored."""
    return "reproduce" if entry.phase.kind == "reproduction" else "score"


def put_reference(row: ReferenceRow, *, now: datetime | None = None) -> Job | None:
    """Returns a new job of a reference row; None where its values are a paper's, which are taken at once."""
    said = of_said(Reference, row.said, row.name)
    if said.published is not None:
        row.published, row.scores = True, scoring.published(said.published, said.source)
        row.save(update_fields=["published", "scores"])
        return None
    return Job.objects.create(kind="reference", reference=row, priority=_LATER, made_at=now or timezone.now())


def position(job: Job, now: datetime | None = None) -> int | None:
    """Returns a waiting job's place, 1 for the next one; 0 while it runs, None when it is over."""
    if job.state != "waiting":
        return 0 if job.state == "running" else None
    before = Q(priority__lt=job.priority) | Q(priority=job.priority, pk__lt=job.pk)
    return _due(KINDS, now or timezone.now()).filter(before).count() + 1


def again(entry: Entry, *, now: datetime | None = None) -> Job:
    """Returns a new job of an entry that has failed or was lost: it waits again, and counts again.

    Raises:
        RefusedError: It is in no such state.
    """

    def act() -> Job:
        at = now or timezone.now()
        row = Entry.objects.select_for_update(of=("self",), no_key=True).select_related("phase").get(pk=entry.pk)
        if row.state not in {"failed", "lost"}:
            problem = _("Only entries that have failed or were lost are scored again.")
            raise RefusedError(409, "not_ended_badly", problem, _("Look at its state."))
        row.state, row.why, row.ended_at = "waiting", "", None
        row.save(update_fields=["state", "why", "ended_at"])
        row.events.create(at=at, what="again", said="to be scored again")
        return put(row, kind_of(row), now=at)

    return at_once(act)


def drop(entry: Entry, *, now: datetime | None = None) -> None:
    """Gives up what is left to be done for an entry (it was withdrawn); a worker that is at it stops."""
    entry.jobs.filter(state__in=("waiting", "running")).update(
        state="given_up", ended_at=now or timezone.now(), lease=None, leased_until=None
    )


def claim(worker: Worker, kinds: Sequence[str], now: datetime) -> Job | None:
    """Lends a worker the next job; None where nothing waits. Leases that are over are freed first."""
    free(now)
    # Looking costs no write; most of the time nothing waits.
    if not _due(kinds, now).exists():
        return None
    return at_once(lambda: _claimed(worker, kinds, now))


def _due(kinds: Sequence[str], now: datetime) -> QuerySet[Job]:
    waiting = Job.objects.filter(state="waiting", kind__in=list(kinds))
    return waiting.filter(Q(not_before=None) | Q(not_before__lte=now))


def _claimed(worker: Worker, kinds: Sequence[str], now: datetime) -> Job | None:
    next_ones = _due(kinds, now).order_by("priority", "pk")
    # PostgreSQL: rows that others are just taking are passed over. SQLite: this transaction is alone.
    while (job := next_ones.select_for_update(skip_locked=True, of=("self",), no_key=True).first()) is not None:
        job.worker = Worker.objects.filter(pk=worker.pk).first() or seen(worker, now)
        job.state, job.lease, job.leased_until = "running", secrets.randbits(62) + 1, now + LEASE
        job.began_at, job.stage, job.progress = now, "", 0.0
        settling.begun(job, now)
        job.save()
        if job.state == "running":
            return job
    return None


def free(now: datetime) -> int:
    """Frees the jobs whose lease is over, since their worker has vanished; returns how many."""
    over = Job.objects.filter(state="running", leased_until__lt=now)
    return sum(_freed(number, now) for number in over.values_list("pk", flat=True))


def _freed(number: int, now: datetime) -> bool:
    def act() -> bool:
        over = Job.objects.filter(pk=number, state="running", leased_until__lt=now)
        job = over.select_for_update(skip_locked=True, of=("self",), no_key=True).first()
        if job is not None:
            settling.ended_badly(job, "platform", "its worker vanished", now)
        return job is not None

    return at_once(act)


def beat(job: Job, now: datetime) -> bool:
    """Prolongs a lease, with progress and log as they are now; returns whether it is still held."""
    return _held(job).update(leased_until=now + LEASE, progress=job.progress, log=job.log[-MOST_LOG:]) == 1


def seen(worker: Worker, now: datetime) -> Worker:
    """Returns a worker's row, with the time when it was last heard of; a row that is gone is made anew."""
    row, _made = Worker.objects.update_or_create(
        name=worker.name,
        defaults={"seen_at": now, "kinds": worker.kinds, "stopped_at": None},
        create_defaults={"seen_at": now, "kinds": worker.kinds, "began_at": worker.began_at},
    )
    return row


def reach(job: Job, stage: str, now: datetime) -> bool:
    """Says that a job has come to a stage; returns whether its lease is still held."""
    return _with_lease(job, lambda row: settling.reached(row, stage, now))


def finish(job: Job, answer: settling.Answer, now: datetime) -> bool:
    """Writes what came of a job; returns whether its lease was still held. Nothing is written twice."""
    return _with_lease(job, lambda row: settling.finished(row, answer, now))


def stumble(job: Job, fault: settling.Fault, why: str, now: datetime) -> bool:
    """Says that a job ended without an answer, and whose fault it was; returns whether its lease was still held."""
    return _with_lease(job, lambda row: settling.ended_badly(row, fault, why, now))


def give_back(job: Job, now: datetime) -> bool:
    """Gives a job back since its worker is told to stop; that is nobody's fault, and it waits no longer for it."""
    return _with_lease(job, lambda row: settling.waits(row, now))


def _held(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, lease=job.lease, state="running")


def _with_lease(job: Job, act: settling.Act) -> bool:
    def whole() -> bool:
        row = _held(job).select_for_update(of=("self",), no_key=True).first()
        if row is None:
            return False
        row.log = job.log[-MOST_LOG:]
        act(row)
        return True

    return at_once(whole)
