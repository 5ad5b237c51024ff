"""A process of the desk, from within: does one work after another until nobody sends any more.

Whatever a method prints goes nowhere, since it may hold a question; nor is the memory of a broken process written to
the disk. When the process that began this one ends, however it ends, so does this one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import Any, BinaryIO

from foveate.assist.desk import wire
from foveate.assist.desk.warm import Warm
from foveate.errors import FoveateError, UnavailableError

_DIE_WITH_PARENT, _DUMPABLE = 1, 4
# A photo as large as may be, and its copies in other types, fit; what goes on growing meets the watch before this.
_HARD = 4
# Left at once, without the clearing up of threads that may hang.
_NO_MEMORY = 70


def main(messages: BinaryIO, answers: BinaryIO) -> None:
    """Runs the process.

    Args:
        messages: Brings what is to be done; its end is the end.
        answers: Takes away what came of it.
    """
    _keep_to_limits(int(wire.read(messages)))
    inbox: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_receive, args=(messages, inbox), daemon=True).start()
    wire.write(answers, wire.Ready())
    warm = Warm()
    while True:
        _serve(inbox.get(), warm, answers)


def _keep_to_limits(mebibytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name != "posix":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        control = ctypes.CDLL(None).prctl
        control(_DUMPABLE, 0, 0, 0, 0)
        # The pipe's end tells it too, but not to a thread that holds the interpreter's lock for ever.
        control(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        most = _HARD * mebibytes << 20
        with contextlib.suppress(ValueError):  # A lower limit was set from outside.
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _receive(messages: BinaryIO, inbox: SimpleQueue[Any]) -> None:
    """Takes in messages while a work is done, so that the end of the other side is noticed at once."""
    try:
        while True:
            inbox.put(wire.read(messages))
    except BaseException:
        # The other side is gone, or something came that is no message: nothing can be done any more.
        end()


def end() -> None:
    """Ends this process at once, and all that it began."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _serve(message: Any, warm: Warm, answers: BinaryIO) -> None:
    if isinstance(message, wire.Take):
        warm.take(message.number, message.photo)
    elif isinstance(message, wire.Forget):
        warm.forget(message.number)
    else:
        _answer(answers, _done(message, warm))


def _done(message: wire.Do, warm: Warm) -> wire.Did | wire.Refused | wire.Broke:
    try:
        return wire.Did(message.work.do(warm.photo(message.number), warm))
    except FoveateError as error:
        return wire.Refused(error.where, error.problem, error.remedy, isinstance(error, UnavailableError))
    except MemoryError:
        # What is left of this process is not to be relied on.
        os._exit(_NO_MEMORY)
    except Exception as error:
        return wire.Broke(type(error).__name__)


def _answer(answers: BinaryIO, outcome: wire.Did | wire.Refused | wire.Broke) -> None:
    try:
        wire.write(answers, outcome)
    except OSError:
        end()
    except Exception as error:  # What cannot be sent; nothing of it was.
        wire.write(answers, wire.Broke(type(error).__name__))
