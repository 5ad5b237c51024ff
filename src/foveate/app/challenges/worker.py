"""A worker: takes jobs, lends each to a child, and writes what came of it. It may be killed at any moment."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from foveate.app.challenges import tasks
from foveate.app.challenges.heart import Heart
from foveate.app.challenges.models import Job, Worker
from foveate.app.challenges.services import freezing, queue, tidying
from foveate.app.challenges.services.settling import Fault
from foveate.challenges.nursing import Ended, Limits, Nursery
from foveate.errors import FoveateError

_LOG = logging.getLogger("foveate.worker")
T = TypeVar("T")

# An idle worker looks so often whether there is something to do.
_POLL = 0.5
_HOUSE_EVERY_S = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 15.0


class StoppedError(Exception):
    """The worker is told to stop while the database is away."""


@dataclass
class Runner:
    """A worker in this process.

    Attributes:
        kinds: The kinds of jobs that it takes.
        limits: What a child may use.
        parent: The process that it stands beside; it stops when that is gone. None where it stands alone.
        name: Who it is, in the table of workers.
    """

    kinds: Sequence[str] = queue.KINDS
    limits: Limits = field(default_factory=Limits)
    parent: int | None = None
    name: str = field(default_factory=lambda: f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}")

    def __post_init__(self) -> None:
        self._stopping = threading.Event()
        self._nursery = Nursery()
        self._kept_house = -_HOUSE_EVERY_S

    def run(self) -> None:
        """Does jobs until SIGTERM or SIGINT; the job that is under way then goes back to the queue at once."""
        before = {number: signal.signal(number, self._told_to_stop) for number in (signal.SIGTERM, signal.SIGINT)}
        now = timezone.now()
        worker = Worker(name=self.name, kinds=list(self.kinds), began_at=now, seen_at=now)
        try:
            row = self._patiently(lambda: queue.seen(worker, timezone.now()))
            with Heart(row) as heart:
                while not self._is_over():
                    self._turn(row, heart)
            Worker.objects.filter(name=self.name).update(stopped_at=timezone.now())
        except (StoppedError, OperationalError, InterfaceError):
            _LOG.warning("worker %s stops without the database; its lease will end", self.name)
        finally:
            self._nursery.close()
            connection.close()
            for number, handler in before.items():
                signal.signal(number, handler)

    def stop(self) -> None:
        """Tells it to stop."""
        self._stopping.set()

    def _told_to_stop(self, number: int, frame: object) -> None:
        self.stop()

    def _is_over(self) -> bool:
        if self.parent is not None and os.getppid() != self.parent:
            self.stop()
        return self._stopping.is_set()

    def _turn(self, worker: Worker, heart: Heart) -> None:
        job = self._patiently(lambda: queue.claim(worker, self.kinds, timezone.now()))
        if job is None:
            self._keep_house()
            self._stopping.wait(_POLL)
            return
        scratch = tasks.scratch_path(job)
        try:
            self._do(job, heart)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _keep_house(self) -> None:
        """Freezes phases that have begun and removes what nobody needs, now and then, so that no visitor is needed."""
        if time.monotonic() - self._kept_house >= _HOUSE_EVERY_S:
            self._kept_house = time.monotonic()
            self._patiently(lambda: freezing.freeze_due(timezone.now()))
            self._patiently(tidying.tidy_now_and_then)

    def _do(self, job: Job, heart: Heart) -> None:
        # The rows that a job is about are read before anything is begun.
        task, (seconds, limits) = self._patiently(lambda: (tasks.task_of(job), tasks.limits_of(job, self.limits)))
        with heart.of(job, seconds):
            try:
                tasks.scratch_path(job).mkdir(mode=0o700, parents=True)
                ended = self._nursery.run(
                    task,
                    seconds=seconds,
                    limits=limits,
                    heard=lambda said: self._hear(job, heart, said),
                    go_on=lambda: heart.beats and not self._is_over(),
                )
                if ended.answer is not None:
                    tasks.keep(job)
            except (OSError, ValueError, FoveateError):
                _LOG.exception("job %s could not be done", job.pk)
                ended = Ended(None, "platform", "something went wrong on the server")
        self._settle(job, ended)

    def _hear(self, job: Job, heart: Heart, said: Mapping[str, Any]) -> None:
        stage, line = str(said["stage"]), str(said.get("said") or "")
        if line:
            job.log = f"{job.log}{timezone.now():%H:%M:%S} {line}\n"[-queue.MOST_LOG :]
        job.progress = min(1.0, max(0.0, float(said.get("share") or 0.0)))
        if stage != job.stage:
            job.stage = stage
            if not self._patiently(lambda: queue.reach(job, stage, timezone.now())):
                heart.lose()

    def _settle(self, job: Job, ended: Ended) -> None:
        if ended.errors:
            # For the server's log only: whoever made the file could read targets out of a traceback.
            _LOG.warning("job %s: %s", job.pk, ended.errors)
        answer, fault = ended.answer, ended.fault
        if answer is not None:
            self._patiently(lambda: queue.finish(job, answer, timezone.now()), to_the_end=True)
        elif fault == "stopped":
            self._patiently(lambda: queue.give_back(job, timezone.now()), to_the_end=True)
        else:
            whose: Fault = "entry" if fault == "entry" else "platform"
            _LOG.warning("job %s ended badly (%s): %s", job.pk, whose, ended.why)
            self._patiently(lambda: queue.stumble(job, whose, ended.why, timezone.now()), to_the_end=True)

    def _patiently(self, act: Callable[[], T], *, to_the_end: bool = False) -> T:
        """Returns what an act on the database returns; while that is away it is tried again, ever more seldom.

        Raises:
            StoppedError: The worker is told to stop meanwhile; of what is tried `to_the_end`, after one more try.
        """
        pause = _FIRST_PAUSE
        while True:
            try:
                return act()
            except (OperationalError, InterfaceError) as error:
                _LOG.warning("worker %s: the database does not answer (%s)", self.name, type(error).__name__)
                connection.close()
                if self._is_over() and not to_the_end:
                    raise StoppedError from error
                to_the_end = to_the_end and not self._is_over()
            started = time.monotonic()
            self._stopping.wait(pause)
            if time.monotonic() - started < pause:
                time.sleep(min(pause, _FIRST_PAUSE))
            pause = min(_LONGEST_PAUSE, pause * 2)
