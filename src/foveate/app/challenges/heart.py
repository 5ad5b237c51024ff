"""A worker's heartbeat: a thread with a connection of its own that prolongs the lease of the job under way."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from foveate.app.challenges.models import Job, Worker
from foveate.app.challenges.services import queue

_LOG = logging.getLogger("foveate.worker")
# Four times before a lease ends; what is new of progress and log is written more often.
EVERY, _TOLD = 15.0, 1.0
# A job whose worker hangs is not kept for ever: beyond its time by so much the heart stops for it.
_GRACE = 120.0


class Heart:
    """Beats while it is open; `beats` turns false where the lease of the job under way was lost."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._job: Job | None = None
        self._deadline = 0.0
        self._lost = False
        self._told: tuple[float, str] = (0.0, "")
        self._last = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    @property
    def beats(self) -> bool:
        """Whether the job under way is still this worker's."""
        return not self._lost

    def lose(self) -> None:
        """Says that the lease was found lost."""
        self._lost = True

    @contextmanager
    def of(self, job: Job, seconds: float) -> Iterator[None]:
        """Keeps a job's lease for as long as it may take."""
        self._lost, self._told, self._last = False, (job.progress, job.log), time.monotonic()
        self._deadline = time.monotonic() + seconds + _GRACE
        self._job = job
        try:
            yield
        finally:
            self._job = None

    def _run(self) -> None:
        seen = time.monotonic()
        try:
            while not self._over.wait(_TOLD):
                try:
                    self._beat_once()
                    if time.monotonic() - seen >= EVERY:
                        seen = time.monotonic()
                        queue.seen(self._worker, timezone.now())
                except (DatabaseError, InterfaceError) as error:
                    # The lease goes on until its end; the worker itself says that the database is away.
                    _LOG.debug("no heartbeat: %s", error)
                    connection.close()
        finally:
            connection.close()

    def _beat_once(self) -> None:
        job, now = self._job, time.monotonic()
        if job is None or now > self._deadline:
            return
        told = (job.progress, job.log)
        if told != self._told or now - self._last >= EVERY:
            held = queue.beat(job, timezone.now())
            self._told, self._last = told, now
            # The job may have ended while this was asked.
            if not held and self._job is job:
                self._lost = True
