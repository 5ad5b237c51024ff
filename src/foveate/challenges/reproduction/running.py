"""One program, run once: what it is, what it is given, and the engine that runs it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from foveate.challenges.definition import Reproduction
from foveate.challenges.reproduction.outcome import Outcome
from foveate.errors import UsageError

# Is told in a sentence what is being done, for the log.
OnTold = Callable[[str], None]

# NAME, HOST/NAME, with a tag or a digest; nothing that an engine could take for an option.
_IMAGE = re.compile(r"[a-z0-9][a-z0-9._:/-]*(@sha256:[0-9a-f]{64})?", re.IGNORECASE)
_LONGEST_NAME = 500


@dataclass(frozen=True)
class Image:
    """A container's image by its name, with a tag or a digest."""

    name: str

    def __post_init__(self) -> None:
        if not _IMAGE.fullmatch(self.name) or len(self.name) > _LONGEST_NAME:
            remedy = "Write NAME:TAG or NAME@sha256:DIGEST, with the registry before it."
            raise UsageError("the image", f"{self.name[:80]!r} is not the name of one", remedy)


@dataclass(frozen=True)
class Archive:
    """A container's image in a file, as `docker save` or `podman save` writes it, plain or gzipped."""

    path: Path


@dataclass(frozen=True)
class Command:
    """A program of this machine, for the sandbox.

    Attributes:
        argv: The program and its words.
        folder: A folder that it sees, read-only, as `/work`, and begins in; None for none.
    """

    argv: tuple[str, ...]
    folder: Path | None = None


@dataclass(frozen=True)
class Work:
    """What is to be run.

    Attributes:
        program: The image, its archive, or a command.
        questions: The file of questions on this machine.
        images: The folder of photos on this machine; everything in it is seen.
        into: A folder of our own; the answer is put there.
        name: What leftovers of an earlier try are known by; letters, digits, `.`, `_` and `-`.
        tell: Is told what is being done.
    """

    program: Image | Archive | Command
    questions: Path
    images: Path
    into: Path
    name: str = "try"
    tell: OnTold = field(default=lambda said: None)


class Engine(Protocol):
    """Runs programs shut in."""

    def refusal(self) -> str:
        """Returns why nothing can be run here, a sentence without a full stop; empty where it can."""

    def run(self, work: Work, limits: Reproduction) -> Outcome:
        """Returns what became of a program; nothing of it is left running."""


def run(work: Work, limits: Reproduction, engine: Engine) -> Outcome:
    """Returns what became of a program: its answer, or why there is none and whose fault that is.

    Args:
        work: What is run, on what.
        limits: What it may use, and where it finds and leaves things.
        engine: What runs it.
    """
    refusal = engine.refusal()
    if refusal:
        return Outcome("broken", why=refusal)
    return engine.run(work, limits)
