"""The process that forks children: what they need is imported once, so that a job begins in milliseconds.

`python -m foveate.challenges.nursery FD` serves a worker at a socket: it is sent a task with three pipes, forks a
child, answers with the child's number and, when that has ended, with how. It has one thread, so that forking is safe;
it opens packs, which are ours, and never what somebody has sent.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import sys
from importlib import import_module

# A task is small; its file is named, not sent.
_MOST = 1 << 20


def serve(worker: socket.socket) -> None:
    """Forks a child for each task until the worker is gone."""
    while (told := _receive(worker)) is not None:
        line, pipes = told
        task = json.loads(line)
        _prepare(str(task.get("pack", "")))
        number = os.fork()
        if number == 0:
            os.setsid()
            for one in (signal.SIGTERM, signal.SIGINT):
                signal.signal(one, signal.SIG_DFL)
            worker.close()
            from foveate.challenges.child import be

            be(task, *pipes)
        for pipe in pipes:
            os.close(pipe)
        worker.sendall(struct.pack("!q", number))
        # What the child has left behind in its group goes with it, while its number is still its own.
        os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(number, signal.SIGKILL)
        _number, status = os.waitpid(number, 0)
        worker.sendall(struct.pack("!q", os.waitstatus_to_exitcode(status)))


def _receive(worker: socket.socket) -> tuple[bytes, list[int]] | None:
    line, pipes, _flags, _address = socket.recv_fds(worker, _MOST, 3)
    while line and not line.endswith(b"\n"):
        more = worker.recv(_MOST)
        if not more:
            return None
        line += more
    return (line, pipes) if line else None


def _prepare(pack: str) -> None:
    from foveate.challenges import jobs

    # What is wrong with a pack is told by the job.
    with contextlib.suppress(Exception):
        jobs.pack_at(pack)


def main() -> None:
    """Imports what children need, and serves."""
    # The worker ends it by closing its socket; a Ctrl-C is for the worker.
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, signal.SIG_IGN)
    from foveate.evaluation.metric_names import metrics_named

    for module in ("checking", "child", "uploads"):
        import_module(f"foveate.challenges.{module}")
    metrics_named(["mean_iou", "accuracy@0.5"])
    with contextlib.suppress(OSError), socket.socket(fileno=int(sys.argv[1])) as worker:
        serve(worker)


if __name__ == "__main__":
    main()
