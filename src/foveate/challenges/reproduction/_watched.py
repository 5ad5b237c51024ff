"""A process that is watched: its time, what it prints, and whatever else may not be."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any

from foveate.challenges.reproduction.outcome import Log

_EVERY = 0.2
_CHUNK = 64 * 1024
_LAST_WORDS = 5.0


@dataclass(frozen=True)
class Watched:
    """How a process ended.

    Attributes:
        code: Its exit code, negative for a signal.
        why: Why it was ended by us; empty where it ended by itself.
        seconds: How long it ran.
        log: What it printed, its middle left out.
    """

    code: int
    why: str
    seconds: float
    log: str


@dataclass(frozen=True)
class Watch:
    """What a process is watched for.

    Attributes:
        seconds: Until it is ended.
        over: Asked again and again: returns why it must end, empty while it need not.
        end: Called before it is killed, for what it has left elsewhere.
        more: Further arguments of `subprocess.Popen`.
    """

    seconds: float
    over: Callable[[], str] = lambda: ""
    end: Callable[[], None] = lambda: None
    more: Mapping[str, Any] = field(default_factory=dict)


def watched(argv: Sequence[str], watch: Watch) -> Watched:
    """Returns how a process ended, which runs in a session of its own and never outlives this call.

    While it runs its standard input stays open and empty: when this process dies, however it does, the input ends.
    """
    log, began = Log(), time.monotonic()
    process = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        **watch.more,
    )
    reader = threading.Thread(target=_read, args=(process.stdout, log), daemon=True)
    reader.start()
    try:
        why = _wait(process, watch, began)
    finally:
        seconds = time.monotonic() - began
        if process.poll() is None:
            watch.end()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        # Somebody may hold the other end still; what was said until now is enough.
        reader.join(_LAST_WORDS)
        if process.stdin:
            process.stdin.close()
    return Watched(code, why, seconds, log.text())


def _wait(process: subprocess.Popen[bytes], watch: Watch, began: float) -> str:
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_EVERY)
            return ""
        if time.monotonic() - began >= watch.seconds:
            return f"it ran longer than the {watch.seconds:,.0f} s that it may"
        if why := watch.over():
            return why


def _read(stream: IO[bytes], log: Log) -> None:
    with suppress(OSError, ValueError), stream:
        while chunk := os.read(stream.fileno(), _CHUNK):
            log.add(chunk)
