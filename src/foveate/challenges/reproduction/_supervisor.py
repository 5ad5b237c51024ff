"""The first process of the namespaces in which a program is shut in: it makes the disk, starts, watches, tells.

It is given as text to a bare Python and knows nothing but the standard library, so that it begins at once and nothing
of the server's is in its memory. What it is told stands in its first word, as JSON. It answers to the pipe `report`: a
line of JSON, then the bytes of the answer.
"""

from __future__ import annotations

import json
import os
import resource
import select
import stat
import subprocess
import sys
from typing import Any

_EVERY = 0.1
_CHUNK = 1024 * 1024
# The processes that are not the program's own: this one, the sandbox's two.
_OURS = 4


def main(told: dict[str, Any]) -> None:
    """Runs a program and reports how it ended."""
    scratch = told["scratch"]
    size = f"size={told['disk']},nr_inodes={told['files']},mode=0755"
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"{size},nosuid,nodev", "foveate", scratch], check=True)
    for source, target in told["binds"]:
        # The user inside may not be able to enter the folders above it.
        subprocess.run(["mount", "--bind", source, target], check=True)
    for name in ("out", "tmp", "shm"):
        os.mkdir(f"{scratch}/{name}", 0o777)  # noqa: PTH102  # A bare Python is quick without pathlib.
        os.chmod(f"{scratch}/{name}", 0o777)  # noqa: PTH101
    allowed = sorted(os.sched_getaffinity(0))
    first = told["first_cpu"] % len(allowed)
    os.sched_setaffinity(0, (allowed[first:] + allowed[:first])[: told["cpus"]])
    # Root's processes are not counted by the kernel, and root's files are root's to read: so somebody else's.
    user = {"user": told["user"], "group": told["user"], "extra_groups": []} if told["user"] else {}
    status, writes = os.pipe()
    argv = ["bwrap", "--json-status-fd", str(writes), *told["argv"]]
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, pass_fds=(writes,), preexec_fn=lambda: limit(told), **user
    )
    os.close(writes)
    why = watch(process, told)
    process.kill()
    code = process.wait()
    # Bubblewrap tells the exit code of a program that was started, and of no other.
    report(told, code, why, b'"exit-code"' in os.read(status, _CHUNK))


def limit(told: dict[str, Any]) -> None:
    """Sets the limits of the kernel, which every process below inherits and none can lift."""
    kinds = {"NPROC": told["processes"] + _OURS, "FSIZE": told["disk"], "CORE": 0, "NOFILE": 4096}
    if told["memory_each"]:
        kinds["AS"] = told["memory"]
    for name, value in kinds.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def watch(process: subprocess.Popen[bytes], told: dict[str, Any]) -> str:
    """Returns why the program must end; empty once it has ended by itself."""
    while process.poll() is None:
        # The other end is held by whoever waits for us; when it is gone nobody does.
        if select.select([0], [], [], _EVERY)[0] and not os.read(0, 1):
            # The first process of its namespace: with it the kernel ends all others.
            os._exit(1)
        used = memory(told["scratch"])
        if used > told["memory"]:
            return f"it took more than the {told['memory']:,} bytes of memory that it may"
    return ""


def memory(scratch: str) -> int:
    """Returns how many bytes of memory all processes here and their files take."""
    page = resource.getpagesize()
    disk = os.statvfs(scratch)
    total = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
    for name in os.listdir("/proc"):  # noqa: PTH208
        # What processes share counts once, with the first of them: it is files and libraries mostly.
        if name.isdigit() and name != "1":
            try:
                with open(f"/proc/{name}/statm", encoding="ascii") as file:  # noqa: PTH123
                    _size, resident, shared = map(int, file.read().split()[:3])
            except (OSError, ValueError):
                continue
            total += (resident - shared) * page
    return total


def report(told: dict[str, Any], code: int, why: str, started: bool) -> None:
    """Tells how it ended, and hands the answer on."""
    number, problem, size = -1, "", 0
    if not why and code == 0:
        number, problem, size = answer(f"{told['scratch']}/out/{told['answer']}", told["answer"], told["most"])
    said = {"code": code, "started": started, "why": why, "problem": problem, "bytes": size}
    with os.fdopen(told["report"], "wb") as out:
        out.write(json.dumps(said).encode() + b"\n")
        while size and (chunk := os.read(number, min(_CHUNK, size))):
            size -= out.write(chunk)


def answer(path: str, name: str, most: int) -> tuple[int, str, int]:
    """Returns the opened answer, what is wrong with it, and its size; links are not followed."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return -1, f"it wrote no {name}", 0
    except OSError:
        return -1, f"{name} is a link, or cannot be read", 0
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode):
        return -1, f"{name} is not an ordinary file", 0
    if found.st_size > most:
        return -1, f"{name} is larger than the {most:,} bytes that it may have", 0
    return number, "", found.st_size


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
