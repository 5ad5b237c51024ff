"""The worker's side of children: a job is handed to one, listened to, and ended when its time is over."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from foveate.errors import UnavailableError

Fault = Literal["entry", "platform", "stopped"]
# What a child needs of its worker's environment. A database's URL, tokens and passwords are not among it.
_KEPT = (
    "PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "FOVEATE_HOME",
    "OPENBLAS_CORETYPE",
)
_OF_ENGINES = ("DOCKER_HOST", "XDG_RUNTIME_DIR", "CONTAINER_HOST")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# What a child may say in all: an answer with 100 problems is far below it.
_MOST_SAID = 32 << 20
_MOST_ERRORS = 20_000
_PATIENCE = 0.2
# So long a child may take to leave once it has said its last.
_LEAVING = 10.0


@dataclass(frozen=True)
class Limits:
    """What a child may use.

    Attributes:
        memory: Bytes of address space.
        cpu_seconds: Seconds of processor.
        file_bytes: Bytes of any file that it writes.
        files: Files that are open at once.
    """

    memory: int = 4 << 30
    cpu_seconds: int = 900
    file_bytes: int = 4 << 30
    files: int = 512


@dataclass(frozen=True)
class Ended:
    """How a job ended in its child.

    Attributes:
        answer: What it answered; None where it did not.
        fault: Whose fault it is that it did not; `stopped` where it was told to end.
        why: For the team, made of our own words.
        errors: The end of what it wrote to its error output, for the server's log only.
    """

    answer: Mapping[str, Any] | None = None
    fault: Fault | None = None
    why: str = ""
    errors: str = ""


class Nursery:
    """Lends children, one at a time; it is begun when it is first needed, and again where it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def close(self) -> None:
        """Ends it."""
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._socket = None

    def run(
        self,
        task: Mapping[str, Any],
        *,
        seconds: float,
        limits: Limits | None,
        heard: Callable[[Mapping[str, Any]], None],
        go_on: Callable[[], bool],
    ) -> Ended:
        """Returns how a job ended.

        Args:
            task: As `foveate.challenges.jobs.work` takes it.
            seconds: For so long it may take by the clock.
            limits: What the child may use; None for no limits but the clock.
            heard: Is given each stage that it tells.
            go_on: Is asked five times a second; where it says no, the child is ended.

        Raises:
            UnavailableError: No child can be begun.
        """
        number, pipes, ours = self._begin({**task, "limits": asdict(limits) if limits else {}})
        listening = _Listening(pipes, heard)
        deadline = time.monotonic() + seconds
        stopped: Ended | None = None
        try:
            while stopped is None and listening.listen(_PATIENCE):
                stopped = _told_to_end(listening, deadline, seconds, go_on)
        finally:
            # Where its answers have ended it is about to leave by itself; else it is ended, with all that it has begun.
            code = self._ended(number, at_once=listening.is_open)
            for pipe in (*pipes, ours):
                os.close(pipe)
        return stopped or _judged(listening.last, code, listening.errors.decode(errors="replace"))

    def _begin(self, task: Mapping[str, Any]) -> tuple[int, tuple[int, int], int]:
        (theirs, ours), (answers, to_answers), (errors, to_errors) = os.pipe(), os.pipe(), os.pipe()
        try:
            at = self._started()
            socket.send_fds(at, [json.dumps(task).encode() + b"\n"], [theirs, to_answers, to_errors])
            number = _received(at)
        except (OSError, EOFError) as error:
            for pipe in (ours, answers, errors):
                os.close(pipe)
            self.close()
            raise UnavailableError("a worker", "no child process can be begun", "Look at memory and limits.") from error
        finally:
            for pipe in (theirs, to_answers, to_errors):
                os.close(pipe)
        return number, (answers, errors), ours

    def _started(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._socket is None:
            mine, its = socket.socketpair()
            kept = {name: os.environ[name] for name in (*_KEPT, *_OF_ENGINES) if name in os.environ}
            with its:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "foveate.challenges.nursery", str(its.fileno())],
                    env={**kept, **_ONE_THREAD},
                    pass_fds=[its.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,
                )
            self._socket = mine
        return self._socket

    def _ended(self, number: int, *, at_once: bool) -> int | None:
        """Returns the child's exit code, negative for a signal; None where the nursery itself has died."""
        if self._socket is None:
            return None
        try:
            self._socket.settimeout(0.0 if at_once else _LEAVING)
            try:
                return _received(self._socket)
            except (TimeoutError, BlockingIOError):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(number, signal.SIGKILL)
            self._socket.settimeout(_LEAVING)
            return _received(self._socket)
        except (OSError, EOFError):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(number, signal.SIGKILL)
            self.close()
            return None
        finally:
            if self._socket is not None:
                self._socket.settimeout(None)


def _received(at: socket.socket) -> int:
    said = b""
    while len(said) < 8:
        more = at.recv(8 - len(said))
        if not more:
            raise EOFError
        said += more
    number: int = struct.unpack("!q", said)[0]
    return number


class _Listening:
    """Reads what a child says, without ever waiting for one pipe while it fills the other."""

    def __init__(self, pipes: tuple[int, int], heard: Callable[[Mapping[str, Any]], None]) -> None:
        self.last: Mapping[str, Any] | None = None
        self.errors = b""
        self.said = 0
        self._rest = b""
        self._answers, self._errors = pipes
        self._heard = heard
        self._selector = selectors.DefaultSelector()
        for pipe in pipes:
            self._selector.register(pipe, selectors.EVENT_READ)

    @property
    def is_open(self) -> bool:
        """Whether the child may still answer; what it left behind may hold the other pipe for ever."""
        return self._answers in self._selector.get_map()

    def listen(self, patience: float) -> bool:
        """Takes what has come; returns whether more may come."""
        for key, _events in self._selector.select(patience):
            data = os.read(key.fd, 1 << 16)
            if not data:
                self._selector.unregister(key.fd)
            elif key.fd == self._errors:
                self.errors = (self.errors + data)[-_MOST_ERRORS:]
            else:
                self._take(data)
        return self.is_open

    def _take(self, data: bytes) -> None:
        self.said += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            said = json.loads(line)
            if "stage" in said:
                self._heard(said)
            else:
                self.last = said


def _told_to_end(listening: _Listening, deadline: float, seconds: float, go_on: Callable[[], bool]) -> Ended | None:
    if listening.said > _MOST_SAID:
        return Ended(None, "entry", "it said more than an answer may hold")
    if time.monotonic() > deadline:
        return Ended(None, "entry", f"it took more than {seconds:,.0f} seconds")
    if not go_on():
        return Ended(None, "stopped", "it was stopped")
    return None


def _judged(last: Mapping[str, Any] | None, code: int | None, errors: str) -> Ended:
    if last is not None and "answer" in last:
        return Ended(last["answer"], errors=errors)
    if last is not None:
        fault: Fault = "entry" if last.get("fault") == "entry" else "platform"
        return Ended(None, fault, str(last.get("why", "")), errors)
    if code is not None and code < 0:
        return Ended(None, "entry", _of_signal(-code), errors)
    return Ended(None, "platform", "its process ended without an answer", errors)


def _of_signal(number: int) -> str:
    if number == signal.SIGXCPU:
        return "it took more time of the processor than it may"
    try:
        return f"its process was ended by the signal {signal.Signals(number).name}"
    except ValueError:
        return f"its process was ended by the signal {number}"
