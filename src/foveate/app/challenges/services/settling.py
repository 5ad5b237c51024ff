"""What becomes of a job and its entry: the changes of state, each within the transaction of `services.queue`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from foveate.app.accounts.audit import note
from foveate.app.challenges.models import Entry, Job, Phase
from foveate.challenges import scoring
from foveate.challenges.definition import Phase as Said
from foveate.challenges.said import of_said

Answer = Mapping[str, Any]
Fault = Literal["entry", "platform"]
Act = Callable[[Job], None]

# Times that an entry's own work may end badly; times that the platform may.
MOST_TRIES, MOST_DEATHS = 3, 5
# How long a job waits after its first bad end, its second …: of a worker that vanished the next one goes on at once,
# and a disk that is full has ten minutes to be seen to.
_WAITS: Mapping[Fault, tuple[int, ...]] = {"entry": (2, 10), "platform": (0, 10, 60, 600)}
_FINAL = frozenset({"refused", "scored", "failed", "lost", "withdrawn"})
_OVER = frozenset({"failed", "lost"})
_KEEP_PROBLEMS = 100
# Columns of an entry that a job of it may change.
_ENTRY = ["state", "ended_at", "problems", "why", "scores", "main"]


def begun(job: Job, now: datetime) -> None:
    """Moves the entry on when a worker takes its job; a job whose entry has ended is given up."""
    entry = _entry(job)
    if entry is None or job.kind == "interval":
        return
    if entry.state in _FINAL:
        _over(job, "given_up", now)
        return
    entry.state = "running" if job.kind == "reproduce" else "scoring" if entry.state == "queued" else "checking"
    entry.save(update_fields=["state"])
    entry.events.create(at=now, what=entry.state, said=_turn(job), details={"job": job.pk})


def _turn(job: Job) -> str:
    turn = job.tries + job.deaths + 1
    return "a worker has begun" if turn == 1 else f"a worker has begun, for the {_nth(turn)} time"


def _nth(turn: int) -> str:
    return {2: "second", 3: "third"}.get(turn, f"{turn}th")


def reached(job: Job, stage: str, now: datetime) -> None:
    """Notes a stage; of an entry that has passed its check, that it is being scored."""
    if stage == "scoring" and job.began_at is not None:
        job.check_seconds = (now - job.began_at).total_seconds()
    job.stage, job.progress = stage[:40], 0.0
    job.save(update_fields=["stage", "progress", "log", "check_seconds"])
    entry = _entry(job)
    if stage == "scoring" and entry is not None and entry.state in {"checking", "running"}:
        entry.state = "scoring"
        entry.save(update_fields=["state"])
        entry.events.create(at=now, what="checked", said="the check has found nothing wrong")


def waits(job: Job, now: datetime, after: timedelta | None = None) -> None:
    """Lets a job wait again, and its entry with it: to be checked, or to be scored where it has passed the check."""
    job.state, job.lease, job.leased_until, job.worker = "waiting", None, None, None
    job.not_before = now + after if after else None
    job.stage, job.progress = "", 0.0
    job.save()
    entry = _entry(job)
    if entry is not None and entry.state not in _FINAL and job.kind != "interval":
        entry.state = "queued" if entry.state == "scoring" and job.kind == "score" else "waiting"
        entry.save(update_fields=["state"])
        entry.events.create(at=now, what="waiting", said="waits for a worker again")


def ended_badly(job: Job, fault: Fault, why: str, now: datetime) -> None:
    """Notes that a try has ended without an answer: the job waits for the next, or ends when there were enough."""
    if fault == "entry":
        job.tries += 1
    else:
        job.deaths += 1
    count, most = (job.tries, MOST_TRIES) if fault == "entry" else (job.deaths, MOST_DEATHS)
    entry = _entry(job)
    own = entry is not None and entry.state not in _FINAL and job.kind != "interval"
    if entry is not None and own:
        entry.events.create(at=now, what="stumbled", said=why[:500], details={"fault": fault, "turn": count})
    if count < most:
        waits(job, now, timedelta(seconds=_WAITS[fault][count - 1]))
        return
    _over(job, "given_up", now)
    if entry is not None and own:
        _end(entry, "failed" if fault == "entry" else "lost", now, why)


def finished(job: Job, answer: Answer, now: datetime) -> None:
    """Writes what a job has answered."""
    entry = _entry(job)
    if job.kind == "interval" and entry is not None:
        _take_bounds(entry, answer["bounds"])
    elif entry is not None and entry.state not in _FINAL:
        _end_with(entry, answer, now)
    elif job.reference is not None:
        job.reference.scores = dict(answer["scores"])
        job.reference.save(update_fields=["scores"])
        _touch(job.reference.phase)
    if job.began_at is not None:
        job.work_seconds = max(0.0, (now - job.began_at).total_seconds() - job.check_seconds)
    job.progress = 1.0
    _over(job, "done", now)


def _end_with(entry: Entry, answer: Answer, now: datetime) -> None:
    if "problems" in answer:
        entry.problems = list(answer["problems"])[:_KEEP_PROBLEMS]
        count = int(answer["problem_count"])
        _end(entry, "refused", now, f"{count:,} {'problem' if count == 1 else 'problems'}; it costs nothing")
    elif "failed" in answer:
        _end(entry, "failed", now, str(answer["failed"]))
    else:
        said = of_said(Said, entry.phase.said, entry.phase.name)
        entry.scores, entry.main = dict(answer["scores"]), scoring.main_value(answer["scores"], said)
        _end(entry, "scored", now, "")
        Job.objects.create(kind="interval", entry=entry, priority=10, made_at=now)


def _end(entry: Entry, state: str, now: datetime, why: str) -> None:
    entry.state, entry.ended_at, entry.why = state, now, why[:500]
    entry.save(update_fields=_ENTRY)
    said = {
        "lost": "lost by the platform's fault; it does not count against any limit",
        "failed": "ended by its own fault; it counts against the limit of all entries",
    }.get(state, why)
    entry.events.create(at=now, what=state, said=said[:500], details={"why": why[:500]} if state in _OVER else {})
    if state == "lost":
        # Organisers may have it scored again; who gave what back is in the log.
        note(None, "entry.given_back", f"{entry.phase.challenge.slug}/{entry.phase.name}/{entry.number}", why=why)
    if state == "scored":
        _touch(entry.phase)


def _take_bounds(entry: Entry, bounds: Mapping[str, tuple[float | None, float | None]]) -> None:
    if entry.scores is None:
        return
    for name, (low, high) in bounds.items():
        entry.scores["metrics"][name].update(low=low, high=high)
    entry.save(update_fields=["scores"])
    _touch(entry.phase)


def _touch(phase: Phase) -> None:
    """Tells the leaderboard that what it shows has changed."""
    from foveate.app.challenges.services import board

    board.touch(phase)


def _over(job: Job, state: str, now: datetime) -> None:
    job.state, job.ended_at, job.lease, job.leased_until = state, now, None, None
    job.save()


def _entry(job: Job) -> Entry | None:
    """Returns the entry of a job, locked, so that who withdraws it meanwhile waits."""
    if job.entry_id is None:
        return None
    return Entry.objects.select_for_update(of=("self",), no_key=True).get(pk=job.entry_id)
