"""Docker and Podman behind one interface: the exact commands with which an entry's container is run.

Loading is the only step that may use a network; the container has none, a root that it cannot write to, a user without
rights, and limits of everything. Its output is a folder that is watched, and no file in it may pass the limit.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from foveate.challenges.definition import Reproduction
from foveate.challenges.reproduction._answers import bytes_in, take_answer
from foveate.challenges.reproduction._watched import Watch, Watched, watched
from foveate.challenges.reproduction.archives import write_renamed
from foveate.challenges.reproduction.outcome import Outcome
from foveate.challenges.reproduction.running import Archive, Command, Image, Work
from foveate.errors import InputError

Name = Literal["docker", "podman"]
NOBODY = "65534:65534"
# Containers of ours bear these labels: of which work one is, and after which second of the epoch nobody waits for it.
WORK_LABEL, UNTIL_LABEL = "foveate.work", "foveate.until"

_SHORT, _LONG, _GRACE = 60.0, 3600.0, 120
_MOST_ANSWER = 2 * 1024**3
# An image of the cup's kind holds networks and libraries: tens of gigabytes are usual.
_MOST_IMAGE = 200 * 1024**3
# What engines say when the fault is not the image's.
_OURS = ("no space left", "cannot connect", "connection refused", "timeout", "permission denied")
_NOT_RUNNABLE, _NOT_THERE, _KILLED = 126, 127, 137
# When a container began that never did.
_NEVER = "0001-"


@dataclass(frozen=True)
class ContainerEngine:
    """An engine by its command.

    Attributes:
        name: Which one; their words for GPUs and users differ.
        registries: Hosts from which images may be fetched that are not here; none of them by default.
    """

    name: Name
    registries: tuple[str, ...] = ()

    def refusal(self) -> str:
        """Returns why nothing can be run here; empty where it can."""
        if shutil.which(self.name) is None:
            return f"the command {self.name} is not installed"
        form = "{{.Server.Version}}" if self.name == "docker" else "{{.Version}}"
        done = self._say("version", "--format", form)
        if done.code or done.why:
            return f"{self.name} does not answer ({_last_line(done.log)})"
        return ""

    def run(self, work: Work, limits: Reproduction) -> Outcome:
        """Returns what became of an image; container and loaded image are gone afterwards."""
        if isinstance(work.program, Command):
            return Outcome("broken", why=f"{self.name} runs images, not commands of this machine")
        self.sweep(work.name)
        fresh = f"foveate-entry:{secrets.token_hex(16)}"
        try:
            image = self._image(work, work.program, fresh)
            return image if isinstance(image, Outcome) else self._run(work, limits, image)
        finally:
            self._say("rmi", "--force", fresh) if isinstance(work.program, Archive) else None

    def sweep(self, name: str = "") -> int:
        """Removes containers of ours that a crash has left: of a work, and those whose time is over; returns how many.

        Args:
            name: The work that is about to begin anew; empty for those whose time is over only.
        """
        listed = self._say(
            *("ps", "--all", "--filter", f"label={UNTIL_LABEL}", "--format"),
            f'{{{{.ID}}}} {{{{.Label "{UNTIL_LABEL}"}}}} {{{{.Label "{WORK_LABEL}"}}}}',
        )
        gone = []
        for line in listed.log.splitlines():
            found = re.fullmatch(r"([0-9a-f]+) (\d+) (\S*)", line.strip())
            if found and ((name and found[3] == name) or int(found[2]) < time.time()):
                gone.append(found[1])
        if gone:
            self._say("rm", "--force", *gone)
        return len(gone)

    def arguments(self, work: Work, limits: Reproduction, image: str, called: str) -> list[str]:
        """Returns the command that runs an image; the folder `out` of the work's folder is what it may write to."""
        answer = PurePosixPath(limits.answer)
        own = ["--userns", "keep-id:uid=65534,gid=65534"] if self.name == "podman" and os.geteuid() else []
        return [
            *(self.name, "run", "--name", called, "--label", f"{WORK_LABEL}={work.name}"),
            *("--label", f"{UNTIL_LABEL}={int(time.time()) + limits.seconds + _GRACE}", "--pull", "never"),
            *("--network", "none", "--hostname", "foveate", "--ipc", "private", "--read-only", *own, "--user", NOBODY),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--no-healthcheck"),
            *("--cpus", f"{limits.cpus:g}", "--memory", str(limits.memory), "--memory-swap", str(limits.memory)),
            *("--pids-limit", str(limits.processes), "--ulimit", f"fsize={limits.disk}", "--ulimit", "core=0"),
            *("--shm-size", str(limits.memory // 4), *self._gpus(limits.gpus)),
            *("--tmpfs", f"/tmp:rw,nosuid,nodev,size={limits.disk},mode=1777", "--env", "HOME=/tmp"),
            *("--mount", _bind(work.questions, limits.questions, ",readonly")),
            *("--mount", _bind(work.images, limits.images, ",readonly")),
            *("--mount", _bind(work.into / "out", str(answer.parent))),
            # What it prints comes through the pipe only: the engine would keep a copy without end.
            *("--log-driver", "none", "--stop-timeout", "5", "--", image),
        ]

    def _gpus(self, count: int) -> list[str]:
        if not count:
            return []
        if self.name == "docker":
            return ["--gpus", str(count)]
        return [word for number in range(count) for word in ("--device", f"nvidia.com/gpu={number}")]

    def _image(self, work: Work, program: Image | Archive, fresh: str) -> str | Outcome:
        """Returns the name under which the image is here."""
        if isinstance(program, Archive):
            return self._load(work, program, fresh)
        if not self._say("image", "inspect", "--format", "{{.Id}}", program.name).code:
            return program.name
        host = program.name.split("/")[0]
        if host not in self.registries:
            return Outcome("failed", why=f"the image {program.name} is not here, and is not fetched from {host}")
        work.tell(f"fetching {program.name}")
        done = self._say("pull", "--quiet", program.name, seconds=_LONG)
        return program.name if not done.code else _refused(f"{program.name} cannot be fetched", done)

    def _load(self, work: Work, archive: Archive, fresh: str) -> str | Outcome:
        renamed = work.into / "image.tar"
        work.tell("loading the image")
        try:
            write_renamed(archive.path, fresh, renamed, _MOST_IMAGE)
            done = self._say("load", "--input", str(renamed), seconds=_LONG)
        except InputError as error:
            return Outcome("failed", why=error.fault.rstrip("."))
        finally:
            renamed.unlink(missing_ok=True)
        return fresh if not done.code else _refused("the archive cannot be loaded", done)

    def _run(self, work: Work, limits: Reproduction, image: str) -> Outcome:
        out, called = work.into / "out", f"foveate-{secrets.token_hex(8)}"
        out.mkdir()
        out.chmod(0o777)
        work.tell("running")
        try:
            watch = Watch(limits.seconds, lambda: _too_much(out, limits.disk), lambda: self._end(called))
            done = watched(self.arguments(work, limits, image, called), watch)
            return self._outcome(done, out, work, limits, called)
        finally:
            self._end(called)
            shutil.rmtree(out, ignore_errors=True)

    def _outcome(self, done: Watched, out: Path, work: Work, limits: Reproduction, called: str) -> Outcome:
        if done.why:
            return Outcome("failed", done.seconds, done.why, log=done.log)
        # Not by the exit code alone: a program may choose the engine's own, and a faulty platform gives entries back.
        state = self._say("inspect", "--format", "{{.State.OOMKilled}} {{.State.StartedAt}}", called)
        of_memory, _, since = state.log.strip().partition(" ")
        if state.code or done.code < 0 or (since.startswith(_NEVER) and done.code not in (_NOT_RUNNABLE, _NOT_THERE)):
            return Outcome("broken", done.seconds, f"the engine failed ({_last_line(done.log)})", log=done.log)
        if of_memory == "true":
            why = f"it took more than the {limits.memory:,} bytes of memory that it may"
            return Outcome("failed", done.seconds, why, log=done.log)
        if done.code:
            return Outcome("failed", done.seconds, _said_of(done.code), log=done.log)
        return answered(done, out, work.into, limits)

    def _end(self, called: str) -> None:
        self._say("kill", called)
        self._say("rm", "--force", called)

    def _say(self, *words: str, seconds: float = _SHORT) -> Watched:
        try:
            return watched([self.name, *words], Watch(seconds))
        except OSError as error:
            return Watched(_NOT_THERE, "", 0.0, str(error))


def _bind(source: Path, target: str, more: str = "") -> str:
    # A comma would begin another option; our own folders have none, and a definition may not have any.
    return f"type=bind,src={source},dst={target}{more}"


def _too_much(out: Path, most: int) -> str:
    return f"it wrote more than the {most:,} bytes that it may" if bytes_in(out, most + 1) > most else ""


def answered(done: Watched, out: Path, into: Path, limits: Reproduction) -> Outcome:
    """Returns the outcome of a program that ended well: its answer taken over, or what is wrong with it."""
    name = PurePosixPath(limits.answer).name
    with suppress(FileNotFoundError):
        (into / name).unlink()
    why = take_answer(out, name, into / name, min(limits.disk, _MOST_ANSWER))
    if why:
        return Outcome("failed", done.seconds, why, log=done.log)
    return Outcome("done", done.seconds, answer=into / name, log=done.log)


def _said_of(code: int) -> str:
    return {
        _NOT_RUNNABLE: "what the image starts cannot be run",
        _NOT_THERE: "what the image starts is not in it",
        _KILLED: "it was killed",
    }.get(code, f"it ended with the exit code {code}")


def _refused(what: str, done: Watched) -> Outcome:
    ours = bool(done.why) or any(word in done.log.lower() for word in _OURS)
    state: Literal["failed", "broken"] = "broken" if ours else "failed"
    return Outcome(state, done.seconds, f"{what} ({done.why or _last_line(done.log)})", log=done.log)


def _last_line(log: str) -> str:
    lines: Sequence[str] = [line for line in log.splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else "it said nothing"
