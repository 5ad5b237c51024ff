"""Runs a program of this machine shut in: bubblewrap inside namespaces whose disk is a file system of limited size.

It has no network, sees the system's programs and libraries, its questions and photos, and nothing else of the machine;
all that is read-only. What it writes lies in memory, in one file system as large as its disk. When it ends, or is
ended, the kernel ends everything that it has started, because their first process is gone.

Guaranteed by the kernel: no network, no sight of other files and processes, no rights, disk, processes, memory of each
process, processors (whole ones). By a look ten times a second: memory of all processes together. By the clock: time.

References:
    Bubblewrap, `bwrap(1)`; `unshare(1)`, `user_namespaces(7)`, `pid_namespaces(7)`, `getrlimit(2)`.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from foveate.challenges.definition import Reproduction
from foveate.challenges.reproduction._watched import Watch, Watched, watched
from foveate.challenges.reproduction.archives import unpack_program
from foveate.challenges.reproduction.inputs import hand_in
from foveate.challenges.reproduction.outcome import Outcome
from foveate.challenges.reproduction.running import Archive, Command, Image, Work
from foveate.errors import InputError

_NEEDED = {"bwrap": "bubblewrap", "unshare": "util-linux", "mount": "mount"}
_MOST_ANSWER = 2 * 1024**3
_FILES = 100_000
# What an entry's own folder is called inside.
_FOLDER = "/work"
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "fonts", "python3", "python3.11")
_PROBE = Reproduction(memory=1024**3, disk=1024**2, processes=16, seconds=30, answer="/mnt/output/answer")
# Users that no system gives to anybody: each run has its own, so that its processes can be counted.
_FIRST_USER, _USERS = 1_800_000_000, 200_000_000


@dataclass(frozen=True)
class Sandbox:
    """The runner for machines without an engine.

    Attributes:
        place: The folder for what is handed in, which any user must be able to enter; None for the system's own.
    """

    place: Path | None = None

    def refusal(self) -> str:
        """Returns why nothing can be run here; empty where it can, as it was just tried."""
        if not sys.platform.startswith("linux"):
            return "programs can be shut in on Linux only"
        missing = [package for name, package in _NEEDED.items() if shutil.which(name) is None]
        if missing:
            return f"it needs {' and '.join(missing)}, which is not installed"
        return self._tried

    @cached_property
    def _tried(self) -> str:
        with self._given() as folder:
            (folder / "questions").touch()
            (folder / "images").mkdir()
            work = Work(Command(("true",)), folder / "questions", folder / "images", folder)
            done, said = self._watched(work, _PROBE, folder, ("true",))
        if said.get("code") == 0 and said.get("started"):
            return ""
        last = [line for line in done.log.splitlines() if line.strip()][-1:]
        return f"this machine does not let it shut a program in ({''.join(last)[:200] or 'nothing says why'})"

    def run(self, work: Work, limits: Reproduction) -> Outcome:
        """Returns what became of a program; nothing of it is left running."""
        if isinstance(work.program, Image):
            return Outcome("failed", why="this server runs programs, not images: send an archive of a folder")
        with self._given() as folder:
            try:
                argv, given = self._program(work, work.program, folder, limits)
            except InputError as error:
                return Outcome("failed", why=error.fault.rstrip("."))
            _hand_in(given, folder)
            work.tell("running")
            inside = replace(given, questions=folder / "questions", images=folder / "images")
            done, said = self._watched(inside, limits, folder, argv)
            return _outcome(done, said, limits, work.into)

    def _program(
        self, work: Work, program: Archive | Command, folder: Path, limits: Reproduction
    ) -> tuple[tuple[str, ...], Work]:
        """Returns the words of the command inside, and the work with the folder that it sees."""
        if isinstance(program, Command):
            own = program.folder
            if own and os.geteuid() == 0 and own.stat().st_mode & 0o005 != 0o005:
                problem = "it is run as a user who may not enter this folder"
                raise InputError(str(own), problem, "Say: chmod -R o+rX, for the folder.")
            return program.argv, work
        unpack_program(program.path, folder / "program", limits.disk)
        argv = (f"{_FOLDER}/run",)
        return argv, replace(work, program=Command(argv, folder / "program"))

    def _watched(
        self, work: Work, limits: Reproduction, folder: Path, argv: tuple[str, ...]
    ) -> tuple[Watched, dict[str, Any]]:
        scratch = folder / "scratch"
        scratch.mkdir()
        (folder / "work").mkdir()
        reads, writes = os.pipe()
        told = _told(work, limits, scratch, argv) | {"report": writes}
        taking = _Taking(reads, work.into / PurePosixPath(limits.answer).name)
        taking.start()
        watch = Watch(limits.seconds, more={"pass_fds": (writes,), "env": _ENVIRONMENT, "cwd": "/"})
        try:
            done = watched(_shut_in(json.dumps(told)), watch)
        finally:
            os.close(writes)
            taking.join()
        return done, taking.said

    @contextmanager
    def _given(self) -> Iterator[Path]:
        """Makes a folder that another user may enter, and removes it."""
        folder = Path(tempfile.mkdtemp(prefix="foveate-", dir=self.place))
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _Taking(threading.Thread):
    """Takes over what the supervisor reports: how it ended, and the answer."""

    def __init__(self, reads: int, out: Path) -> None:
        super().__init__(daemon=True)
        self._reads, self._out = reads, out
        self.said: dict[str, Any] = {}

    def run(self) -> None:
        """Reads until the last writer is gone."""
        with os.fdopen(self._reads, "rb") as report, suppress(ValueError):
            said = json.loads(report.readline(64 * 1024) or b"{}")
            if said.get("bytes", 0) or (said.get("code") == 0 and not said.get("problem")):
                with self._out.open("wb") as file:
                    shutil.copyfileobj(report, file)
                said["whole"] = self._out.stat().st_size == said["bytes"]
            self.said = said


_ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}


def _shut_in(told: str) -> list[str]:
    source = Path(__file__).with_name("_supervisor.py").read_text(encoding="utf-8")
    spaces = ["--mount", "--mount-proc", "--pid", "--fork", "--kill-child"]
    # Who is not root may do all that in a space of users of his own.
    own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *own, *spaces, sys.executable, "-I", "-S", "-c", source, told]


def _told(work: Work, limits: Reproduction, scratch: Path, argv: tuple[str, ...]) -> dict[str, Any]:
    own = work.program.folder if isinstance(work.program, Command) else None
    return {
        "argv": bubblewrap(work, limits, scratch, argv),
        "scratch": str(scratch),
        "user": _FIRST_USER + secrets.randbelow(_USERS) if os.geteuid() == 0 else 0,
        "binds": [[str(own), str(scratch.with_name("work"))]] if own else [],
        "disk": disk_of(limits),
        "files": _FILES,
        "processes": limits.processes,
        "memory": limits.memory,
        # Drivers of GPUs reserve more addresses than there is memory.
        "memory_each": not limits.gpus,
        "cpus": math.ceil(limits.cpus),
        "first_cpu": secrets.randbelow(1024),
        "answer": PurePosixPath(limits.answer).name,
        "most": min(disk_of(limits), _MOST_ANSWER),
    }


def disk_of(limits: Reproduction) -> int:
    """Returns how many bytes a program may write here: its disk lies in memory, and is no larger than that."""
    return min(limits.disk, limits.memory)


def bubblewrap(work: Work, limits: Reproduction, scratch: Path, argv: tuple[str, ...]) -> list[str]:
    """Returns the words of `bwrap` that shut a program in."""
    folder = work.program.folder if isinstance(work.program, Command) else None
    inside = (
        ["--ro-bind", str(scratch.with_name("work")), _FOLDER, "--chdir", _FOLDER] if folder else ["--chdir", "/tmp"]
    )
    return [
        *("--unshare-user", "--unshare-all", "--disable-userns", "--uid", "65534", "--gid", "65534"),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "foveate", "--clearenv"),
        *("--setenv", "PATH", _ENVIRONMENT["PATH"], "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"),
        *_system(),
        *("--proc", "/proc", "--dev", "/dev", *_gpus(limits.gpus)),
        *("--bind", f"{scratch}/shm", "/dev/shm", "--bind", f"{scratch}/tmp", "/tmp"),
        *("--bind", f"{scratch}/out", str(PurePosixPath(limits.answer).parent)),
        *("--ro-bind", str(work.questions), limits.questions, "--ro-bind", str(work.images), limits.images),
        *inside,
        *("--remount-ro", "/dev", "--remount-ro", "/", "--", *argv),
    ]


def _system() -> list[str]:
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", f"usr/{name}", f"/{name}"]
        elif path.is_dir():
            words += ["--ro-bind", f"/{name}", f"/{name}"]
    return words + [word for name in _ETC for word in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")]


def _gpus(count: int) -> list[str]:
    if not count:
        return []
    names = ["nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", *(f"nvidia{number}" for number in range(count))]
    return [word for name in names for word in ("--dev-bind-try", f"/dev/{name}", f"/dev/{name}")]


def _hand_in(work: Work, folder: Path) -> None:
    """Puts questions and photos where the other user may read them."""
    hand_in(work.questions, folder / "questions")
    (folder / "images").mkdir(mode=0o755)
    for path in sorted(work.images.rglob("*")):
        inside = folder / "images" / path.relative_to(work.images)
        if path.is_dir():
            inside.mkdir(mode=0o755)
        else:
            hand_in(path, inside)


def _outcome(done: Watched, said: dict[str, Any], limits: Reproduction, into: Path) -> Outcome:
    answer = into / PurePosixPath(limits.answer).name
    why = done.why or said.get("why") or said.get("problem") or ""
    if why:
        return Outcome("failed", done.seconds, why, log=done.log)
    if "code" not in said or (said["code"] == 0 and not said.get("whole")):
        return Outcome("broken", done.seconds, "what shuts the program in has ended without a word", log=done.log)
    if not said["started"]:
        # The program has not run, so that these words are bubblewrap's own.
        last = done.log.strip().splitlines()[-1:] or ["nothing says why"]
        if last[0].startswith("bwrap: execvp"):
            return Outcome("failed", done.seconds, "what it starts cannot be run", log=done.log)
        return Outcome("broken", done.seconds, f"the program could not be shut in ({last[0][:200]})", log=done.log)
    if said["code"]:
        return Outcome("failed", done.seconds, _said_of(said["code"]), log=done.log)
    return Outcome("done", done.seconds, answer=answer, log=done.log)


def _said_of(code: int) -> str:
    if code > 128:
        return f"it was ended by the signal {code - 128}"
    return f"it ended with the exit code {code}"
