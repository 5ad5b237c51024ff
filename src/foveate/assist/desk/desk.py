"""The desk: photos are brought, works are asked for, tickets tell how far they are."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence

from foveate.assist.desk.crew import Crew, Worker
from foveate.assist.desk.job import Job
from foveate.assist.desk.lost import Lost
from foveate.assist.desk.pace import Pace, Warmth
from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.shelf import Kept, Shelf
from foveate.assist.desk.states import (
    Done,
    Failed,
    FullError,
    GoneError,
    Request,
    State,
    Waiting,
    Working,
    lost,
    stopped,
)
from foveate.assist.desk.turns import Turns
from foveate.assist.desk.works import Work
from foveate.assist.photos import Photo

# How often it is looked whether a process that works takes too much memory.
_LOOK = 0.25


class Desk:
    """Does works about photos in processes of its own, for many askers in turn; any thread may use it.

    Photos and what came of works are in memory only. Nothing is begun before the first work. `close` it at the end, or
    use it in a ``with`` statement; what it began ends with this process in any case.

    Args:
        settings: Its limits.
        clock: Seconds that never go back; another one for tests.

    Example:
        >>> with Desk() as desk:  # doctest: +SKIP
        ...     key = desk.bring(read_photo("jar.jpg"), "anna")
        ...     ticket = desk.submit(key, AskWork("What does it say?"), "anna")
        ...     desk.wait(ticket, 60)
    """

    def __init__(self, settings: DeskSettings | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings or DeskSettings()
        self._clock = clock
        self._changed = threading.Condition(threading.RLock())
        self._shelf = Shelf(self.settings, clock, self._left)
        self._turns: Turns[Job] = Turns(self.settings.most_waiting, self.settings.most_each)
        self._jobs: dict[str, Job] = {}
        self._pace = Pace()
        self._lost = Lost()
        self._crew = Crew(self.settings, clock, self._changed, self._finished)
        self._watch: threading.Thread | None = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def bring(self, photo: Photo, who: str) -> str:
        """Takes a photo into memory; returns the secret by which it is known.

        Args:
            photo: Its pixels must not be changed any more.
            who: Who brings it: of each, only the last few are kept.

        Raises:
            InputError: It is larger than all that may be kept.
            FullError: There is no room before an answer is there.
        """
        with self._changed:
            self._open()
            return self._shelf.put(photo, who)

    def photo(self, key: str) -> Photo:
        """Returns a photo, which is kept for longer by this.

        Raises:
            GoneError: It is not here, or no longer.
        """
        with self._changed:
            return self._shelf.get(key).photo

    def whose(self, key: str) -> str:
        """Returns who brought a photo.

        Raises:
            GoneError: It is not here, or no longer.
        """
        with self._changed:
            return self._shelf.get(key).who

    def forget(self, key: str) -> None:
        """Forgets a photo, here and in the processes, with all tickets about it; does nothing where it is not here."""
        with self._changed:
            self._shelf.drop(key)

    def submit(self, key: str, work: Work, who: str) -> str:
        """Asks for a work; returns its ticket, a secret as well.

        Raises:
            GoneError: The photo is not here, or no longer.
            FullError: This asker, or all together, have as much waiting as may be.
        """
        with self._changed:
            self._open()
            kept = self._shelf.get(key)
            job = Job(secrets.token_urlsafe(24), Request(key, work, who), kept)
            if self._lost.twice(kept.photo, work.kind):
                job.outcome = lost("not_again")
            else:
                self._turns.add(who, job)
                kept.needed += 1
            self._jobs[job.ticket] = job
            self._assign()
            return job.ticket

    def request(self, ticket: str) -> Request:
        """Returns what was asked with a ticket, of which photo, and by whom.

        Raises:
            GoneError: It is not here, or no longer.
        """
        with self._changed:
            return self._job(ticket).request

    def state(self, ticket: str) -> State:
        """Returns how far a work is; its photo is kept for longer by this.

        Raises:
            GoneError: There is no such ticket, or no longer.
        """
        with self._changed:
            job = self._job(ticket)
            if job.outcome is not None:
                return job.outcome
            if job.began is not None:
                return Working(self._clock() - job.began)
            return self._waiting(job)

    def wait(self, ticket: str, seconds: float) -> State:
        """Returns how far a work is as soon as it is over, or after so many seconds.

        Raises:
            GoneError: There is no such ticket, or no longer; also where it is cancelled meanwhile.
        """
        with self._changed:
            job = self._job(ticket)
            self._changed.wait_for(lambda: job.outcome is not None or ticket not in self._jobs, timeout=seconds)
            return job.outcome or self.state(ticket)

    def cancel(self, ticket: str) -> None:
        """Forgets a ticket: a work that waits is not done; one that has begun goes on, for nobody."""
        with self._changed:
            job = self._jobs.pop(ticket, None)
            if job is not None and self._turns.drop(job):
                job.kept.needed -= 1
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all processes and forgets all photos; what was not done has failed."""
        with self._changed:
            self._crew.closed = True
            for job in self._jobs.values():
                job.outcome = job.outcome or stopped("it was closed")
            workers = [*self._crew.workers]
            for worker in workers:
                worker.kill()
            self._shelf.clear()
            self._changed.notify_all()
        for worker in workers:
            worker.join()
        if self._watch is not None:
            self._watch.join(timeout=10)

    def _open(self) -> None:
        if self._crew.closed:
            raise FullError("the desk", "it is closed", "Ask again in a minute.")
        if self._watch is None:
            self._watch = threading.Thread(target=self._look_after, name="desk watch", daemon=True)
            self._watch.start()

    def _job(self, ticket: str) -> Job:
        job = self._jobs.get(ticket)
        if job is None:
            raise GoneError("the ticket", "it is not known, or no longer", "Ask again.")
        self._shelf.get(job.request.key)
        return job

    def _assign(self) -> None:
        """Gives the next works to who is free."""
        while len(self._turns) and self._crew.free_for() is not None:
            job = self._turns.take()
            if job is not None and self._lost.twice(job.kept.photo, job.request.work.kind):
                self._over(job, lost("not_again"))
            elif job is not None and (worker := self._crew.free_for(job.kept.number)) is not None:
                job.began, job.warmth = self._clock(), _warmth(job, [worker])
                worker.job = job
        self._changed.notify_all()

    def _finished(self, job: Job, outcome: Done | Failed) -> None:
        self._over(job, outcome)
        if isinstance(outcome, Done) and job.began is not None:
            self._pace.record(job.request.work.kind, job.warmth, self._clock() - job.began)
        elif isinstance(outcome, Failed) and outcome.kind in {"crashed", "too_long", "too_large"}:
            self._lost.note(job.kept.photo, job.request.work.kind)
        if not self._crew.closed:
            self._assign()

    def _over(self, job: Job, outcome: Done | Failed) -> None:
        job.outcome = outcome
        job.kept.needed -= 1
        job.kept.used = max(job.kept.used, self._clock())
        about = [each for each in self._jobs.values() if each.kept is job.kept and each.outcome is not None]
        for each in about[: -self.settings.answers_each]:
            del self._jobs[each.ticket]
        self._changed.notify_all()

    def _left(self, kept: Kept) -> None:
        """Forgets all about a photo that has left."""
        for job in [job for job in self._jobs.values() if job.kept is kept]:
            del self._jobs[job.ticket]
            self._turns.drop(job)
        for worker in self._crew.workers:
            worker.forget(kept.number)
        self._changed.notify_all()

    def _waiting(self, job: Job) -> Waiting:
        before = [*self._turns]
        turn = before.index(job) + 1
        going = [worker.job for worker in self._crew.workers if worker.job is not None]
        left = [self._left_of(each) for each in going]
        seen = {each.kept.number for each in going}
        for each in before[:turn]:
            # What is seen of a photo for a work before it will be there.
            warmth = "warm" if each.kept.number in seen else _warmth(each, self._crew.workers)
            left.append(self._pace.about(each.request.work.kind, warmth))
            seen.add(each.kept.number)
        known = [seconds for seconds in left if seconds is not None]
        if len(known) < len(left):
            return Waiting(turn, None)
        return Waiting(turn, sum(known[:-1]) / self.settings.processes + known[-1])

    def _left_of(self, job: Job) -> float | None:
        about = self._pace.about(job.request.work.kind, job.warmth)
        return None if about is None or job.began is None else max(0.0, about - (self._clock() - job.began))

    def _look_after(self) -> None:
        """Ends what takes too long and forgets what is old; sleeps while there is neither work nor photo."""
        with self._changed:
            while not self._crew.closed:
                busy = self._crew.look_after()
                left = self._shelf.expire()
                self._changed.wait(_LOOK if busy else left)


def _warmth(job: Job, workers: Sequence[Worker]) -> Warmth:
    if any(worker.has(job.kept.number) for worker in workers):
        return "warm"
    return "started" if any(worker.process for worker in workers) else "cold"
