"""A process of the desk, from the desk's side."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO, cast

from foveate.assist.desk import wire
from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.works import Work
from foveate.assist.photos import Photo

# Standard input and output are put out of the reach of what methods read and print, before anything else is imported.
_BEGIN = """
import os, pickle, sys
messages, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
nowhere = os.open(os.devnull, os.O_RDWR)
os.dup2(nowhere, 0), os.dup2(nowhere, 1)
sys.path[:] = pickle.load(messages)
from foveate.assist.desk.child import main
main(messages, answers)
"""
NO_MEMORY = 70


class Process:
    """One process, with pipes to it.

    It is used by one thread, which stays until the process is over, since Linux ends the one with the other; only
    `kill` and `resident` may be called from others.

    Args:
        settings: How much memory it may take, and of how many photos it keeps what it saw.
    """

    def __init__(self, settings: DeskSettings) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, "-c", _BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A Ctrl-C is for the server; and it can be ended with all that it began.
            start_new_session=True,
        )
        self._settings = settings
        # The numbers of the photos that it has, with the bytes of their pixels; the longest unused first.
        self.photos: dict[int, int] = {}

    @property
    def _to(self) -> BinaryIO:
        return cast(BinaryIO, self._popen.stdin)

    @property
    def _from(self) -> BinaryIO:
        return cast(BinaryIO, self._popen.stdout)

    def begin(self) -> None:
        """Waits until it is ready.

        Raises:
            OSError: It ended.
            EOFError: It ended.
        """
        self._to.write(pickle.dumps(sys.path))
        wire.write(self._to, self._settings.mebibytes)
        wire.read(self._from)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._popen.poll() is None

    def do(self, number: int, photo: Photo, work: Work) -> Any:
        """Returns what it says of a work; sends the photo where it lacks it.

        Raises:
            OSError: It ended.
            EOFError: It ended.
        """
        if number not in self.photos:
            self._make_room(photo.pixels.nbytes)
            wire.write(self._to, wire.Take(number, photo))
        self.photos[number] = self.photos.pop(number, photo.pixels.nbytes)
        wire.write(self._to, wire.Do(number, work))
        return wire.read(self._from)

    def _make_room(self, pixels: int) -> None:
        most, room = self._settings.warm_photos, self._settings.warm_mebibytes << 20
        while self.photos and (len(self.photos) >= most or sum(self.photos.values()) + pixels > room):
            self.forget(next(iter(self.photos)))

    def forget(self, number: int) -> None:
        """Lets it forget a photo.

        Raises:
            OSError: It ended.
        """
        del self.photos[number]
        wire.write(self._to, wire.Forget(number))

    def resident(self) -> int:
        """Returns how many bytes of memory it takes; 0 where the system does not tell."""
        try:
            pages = int(Path(f"/proc/{self._popen.pid}/statm").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """Ends it at once, and all that it began."""
        if self._popen.returncode is None:  # Else its number may be another's by now.
            self._kill_all()

    def _kill_all(self) -> None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()

    def over(self) -> int:
        """Ends it, waits for that and closes the pipes; returns how it ended, as `subprocess` tells it."""
        # How it ended by itself would be hidden by a kill; what it began may live on without it.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(timeout=0.2)
        self._kill_all()
        code = self._popen.wait()
        for pipe in (self._to, self._from):
            with contextlib.suppress(OSError):
                pipe.close()
        return code
