"""The workers beside a server: processes of their own, begun with it, begun again when they die, ended with it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time

_LOG = logging.getLogger("foveate.worker")
_LOOK = 0.5
# A worker that dies at once is begun again ever more seldom; one that lived so long is begun at once.
_FIRST_PAUSE, _LONGEST_PAUSE, _LIVED = 0.5, 30.0, 60.0
_PATIENCE = 15.0


class _Place:
    """One worker after another."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._pause = _FIRST_PAUSE
        self._began = 0.0
        self._not_before = 0.0

    def see_to(self) -> None:
        """Begins a worker where there is none, when it is time."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            lived = now - self._began
            self._pause = _FIRST_PAUSE if lived >= _LIVED else min(_LONGEST_PAUSE, self._pause * 2)
            _LOG.warning("a worker ended (%s); another begins in %.1f s", self.process.returncode, self._pause)
            self.process, self._not_before = None, now + self._pause
        if self.process is None and now >= self._not_before:
            self._began = now
            # It finds data folder and database in the environment, as this process does. Its error output is ours.
            self.process = subprocess.Popen(
                [sys.executable, "-m", "foveate", "challenge", "worker", "--beside", str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # A Ctrl-C is for the server, which tells them.
                start_new_session=True,
            )


class Workers:
    """So many workers beside this process.

    Args:
        number: How many; 0 for none.
    """

    def __init__(self, number: int) -> None:
        self._places = [_Place() for _ in range(number)]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="workers", daemon=True)

    def begin(self) -> None:
        """Begins them, and watches over them."""
        if self._places:
            self._thread.start()

    def end(self) -> None:
        """Tells them to stop, so that what is under way goes back to the queue, and waits for that."""
        if not self._places:
            return
        self._over.set()
        self._thread.join()
        processes = [place.process for place in self._places if place.process is not None]
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + _PATIENCE
        for process in processes:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _watch(self) -> None:
        while not self._over.is_set():
            for place in self._places:
                try:
                    place.see_to()
                except OSError:
                    _LOG.exception("no worker can be begun")
            self._over.wait(_LOOK)
