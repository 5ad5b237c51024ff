"""The workers of a desk: a thread each, with a process that it begins, feeds, watches over and replaces."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Literal

from foveate.assist.desk import wire
from foveate.assist.desk.job import Job
from foveate.assist.desk.process import NO_MEMORY, Process
from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.states import Done, Failed, lost, stopped

_LOG = logging.getLogger("foveate.desk")
_MEBI = 1 << 20


class Worker:
    """One at a time: waits for a job, does it, hands it back. All its attributes belong to the lock of `changed`.

    Args:
        crew: Whose it is.
    """

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self.job: Job | None = None
        self.process: Process | None = None
        self.deadline: float | None = None
        self._stale: list[int] = []
        self._ended_for: Literal["too_long", "too_large"] | None = None
        self._thread = threading.Thread(target=self._run, name="desk worker", daemon=True)
        self._thread.start()

    def has(self, number: int) -> bool:
        """Returns whether its process has seen a photo."""
        return self.process is not None and number in self.process.photos

    def forget(self, number: int) -> None:
        """Lets its process forget a photo as soon as it has time."""
        # Also where it does not have the photo: it may be on its way.
        if self.process is not None:
            self._stale.append(number)

    def end_for(self, why: Literal["too_long", "too_large"]) -> None:
        """Ends its process."""
        self._ended_for = why
        self.kill()

    def kill(self) -> None:
        """Ends its process; what it did is lost."""
        if self.process is not None:
            self.process.kill()

    def join(self) -> None:
        """Waits until it is over."""
        self._thread.join(timeout=10)

    def _run(self) -> None:
        try:
            while self._one():
                pass  # What is done is in no variable here, so that a forgotten photo is nowhere.
        finally:
            self._let_go()
            with self._crew.changed:
                if self in self._crew.workers:
                    self._crew.workers.remove(self)

    def _one(self) -> bool:
        job = self._next()
        if job is None:
            return False
        outcome = self._done(job)
        with self._crew.changed:
            late, self._ended_for, self.deadline = self._ended_for, None, None
        if late:
            self._let_go()  # It may have been ended in the moment in which it had done its work.
        with self._crew.changed:
            self.job = None
            self._crew.finished(job, outcome)
        return True

    def _next(self) -> Job | None:
        """Returns the next job; None where none came for long, or the desk is closed."""
        crew = self._crew
        while True:
            with crew.changed:
                came = crew.changed.wait_for(
                    lambda: self.job or self._stale or crew.closed, timeout=crew.settings.idle_seconds
                )
                stale, self._stale = self._stale, []
                if crew.closed or not came:
                    crew.workers.remove(self)
                    return None
                job = self.job
            self._let_forget(stale)
            if job is not None:
                return job

    def _let_forget(self, numbers: list[int]) -> None:
        try:
            for number in numbers:
                if self.process is not None and number in self.process.photos:
                    self.process.forget(number)
        except OSError:
            self._let_go()

    def _done(self, job: Job) -> Done | Failed:
        if self.process is not None and not self.process.alive:
            self._let_go()  # It ended while nothing was asked of it, which is no photo's fault.
        try:
            if self.process is None and not self._began():
                return stopped("a process did not begin")
            return self._outcome(job)
        except (OSError, EOFError):
            return self._lost(job)
        except Exception as error:
            # A work that cannot be sent, or an answer that cannot be read: what is in the pipes is not known.
            self._let_go()
            return _failed(job, type(error).__name__)

    def _began(self) -> bool:
        crew = self._crew
        try:
            process = Process(crew.settings)
            with crew.changed:
                self.process, self.deadline = process, crew.clock() + crew.settings.start_seconds
                if crew.closed:
                    process.kill()
            process.begin()
        except (OSError, EOFError):
            _LOG.warning("a process did not begin (it ended with %s)", self._let_go())
            return False
        return True

    def _outcome(self, job: Job) -> Done | Failed:
        crew = self._crew
        process = self.process
        if process is None:
            raise EOFError
        with crew.changed:
            began = crew.clock()
            self.deadline = began + crew.settings.seconds
        said = process.do(job.kept.number, job.kept.photo, job.request.work)
        if isinstance(said, wire.Did):
            return Done(said.result, crew.clock() - began)
        if isinstance(said, wire.Refused):
            return Failed("unavailable" if said.unavailable else "refused", said.where, said.problem, said.remedy)
        return _failed(job, said.error)

    def _lost(self, job: Job) -> Failed:
        code = self._let_go()
        if self._crew.closed:
            return stopped("it was closed")
        why = self._ended_for or ("too_large" if code == NO_MEMORY else "crashed")
        _LOG.warning("%s: a process was lost (%s, it ended with %s)", job.request.work.kind, why, code)
        return lost(why)

    def _let_go(self) -> int | None:
        process = self.process
        if process is None:
            return None
        code = process.over()
        with self._crew.changed:
            self.process = None
        return code


def _failed(job: Job, error: str) -> Failed:
    _LOG.warning("%s: %s", job.request.work.kind, error)
    return Failed("failed", "the photo", f"the method failed ({error})", "Try another method.")


class Crew:
    """All workers of a desk. What it has and does belongs to the lock of `changed`.

    Args:
        settings: The desk's.
        clock: Seconds.
        changed: The desk's lock, told of all that changes.
        finished: Takes back a job with what came of it.
    """

    def __init__(
        self,
        settings: DeskSettings,
        clock: Callable[[], float],
        changed: threading.Condition,
        finished: Callable[[Job, Done | Failed], None],
    ) -> None:
        self.settings, self.clock, self.changed, self.finished = settings, clock, changed, finished
        self.workers: list[Worker] = []
        self.closed = False

    def free_for(self, number: int | None = None) -> Worker | None:
        """Returns who is free, if possible who has seen a photo, else a new one; None where all are busy."""
        free = [worker for worker in self.workers if worker.job is None]
        if not free and len(self.workers) < self.settings.processes:
            free = [Worker(self)]
            self.workers += free
        return next((worker for worker in free if number is not None and worker.has(number)), free[0] if free else None)

    def look_after(self) -> bool:
        """Ends processes that take too long or too much; returns whether any are at work."""
        busy = [worker for worker in self.workers if worker.job is not None]
        for worker in busy:
            if worker.deadline is not None and self.clock() > worker.deadline:
                worker.end_for("too_long")
            elif worker.process is not None and worker.process.resident() > self.settings.mebibytes * _MEBI:
                worker.end_for("too_large")
        return bool(busy)
