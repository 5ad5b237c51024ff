"""The process that does one job and ends: within limits, without a database, without secrets.

It is forked by the nursery (`foveate.challenges.nursery`). What is poisonous ends it, and nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import signal
import threading
import traceback
from collections.abc import Mapping
from typing import Any

from foveate.challenges import jobs

# Of what a job asks for: kernel limits by name.
_LIMITS = {
    "memory": resource.RLIMIT_AS,
    "cpu_seconds": resource.RLIMIT_CPU,
    "file_bytes": resource.RLIMIT_FSIZE,
    "files": resource.RLIMIT_NOFILE,
}
_WHOSE_FAULT = {errno.EFBIG: "entry", errno.ENOMEM: "entry"}


def be(task: Mapping[str, Any], ours: int, answers: int, errors: int) -> None:
    """Does a job and ends this process; it never returns.

    Args:
        task: As `foveate.challenges.jobs.work` takes it, and `limits`.
        ours: A pipe that the worker holds open; when the worker is gone it ends, and this process with it.
        answers: Where lines of JSON go: `{"stage": …}` meanwhile, one `{"answer": …}` or `{"fault": …}` at the end.
        errors: Where everything goes that is written or printed otherwise.
    """
    with contextlib.suppress(BaseException):
        null = os.open(os.devnull, os.O_RDONLY)
        for number, to in ((null, 0), (errors, 1), (errors, 2)):
            os.dup2(number, to)
        _limit(task.get("limits") or {})
        threading.Thread(target=_end_with_worker, args=(ours,), daemon=True).start()
        _say(answers, _answer(task, answers))
    os._exit(0)


def _limit(limits: Mapping[str, int]) -> None:
    for name, value in limits.items():
        kind = _LIMITS[name]
        hard = resource.getrlimit(kind)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # The processor's time first ends by its own signal, which tells it from all others.
        resource.setrlimit(kind, (most, most if kind != resource.RLIMIT_CPU or most == hard else most + 1))
    # A core of 4 GiB for each poisonous entry would fill the disk.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_worker(ours: int) -> None:
    while os.read(ours, 1):
        pass
    os.killpg(0, signal.SIGKILL)


def _answer(task: Mapping[str, Any], answers: int) -> dict[str, Any]:
    def tell(stage: str, share: float = 0.0, said: str = "") -> None:
        _say(answers, {"stage": stage, "share": share, "said": said})

    try:
        return {"answer": jobs.work(task, tell)}
    except MemoryError:
        return {"fault": "entry", "why": "it took more memory than it may"}
    except OSError as error:
        traceback.print_exc()
        if error.errno == errno.ENOSPC:
            return {"fault": "platform", "why": "the server's disk is full"}
        return {"fault": _WHOSE_FAULT.get(error.errno or 0, "platform"), "why": "a file could not be read or written"}
    except BaseException:
        traceback.print_exc()
        return {"fault": "platform", "why": "something went wrong on the server"}


def _say(answers: int, said: Mapping[str, Any]) -> None:
    rest = json.dumps(said).encode() + b"\n"
    while rest:
        rest = rest[os.write(answers, rest) :]
