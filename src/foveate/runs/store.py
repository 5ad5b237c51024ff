"""A run on disk: `predictions.jsonl`, a header line and one line a prediction, only ever appended to.

A kill at any moment leaves whole lines and at most one torn last line; resuming cuts that off and goes on. A prediction
is in the file as soon as `append` returns (design/run-format.md).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

from foveate.core.predictions import Prediction
from foveate.errors import InputError, OutputError, UsageError
from foveate.runs.codec import from_object, to_json
from foveate.runs.header import Header

FILE = "predictions.jsonl"
_LOCK = ".lock"


@dataclass(frozen=True)
class Run:
    """A run as it was read.

    Attributes:
        path: Its file.
        header: What it is about.
        predictions: In the order in which they were made.
        resumed: Provenances other than the header's under which it was continued.
        torn: Whether the last line was cut off and left out, as after a kill.
    """

    path: Path
    header: Header
    predictions: tuple[Prediction, ...]
    resumed: tuple[Mapping[str, Any], ...]
    torn: bool

    @property
    def finished(self) -> bool:
        """Whether every query has its prediction."""
        return len(self.predictions) >= self.header.n


class RunWriter:
    """Appends predictions to a run; made by `writing`."""

    def __init__(self, file: BinaryIO, path: Path, done: frozenset[str]) -> None:
        self._file = file
        self._path = path
        self.done = done

    def append(self, prediction: Prediction) -> None:
        """Writes one prediction as a whole line, past all buffers of this process.

        Raises:
            OutputError: The disk is full or gone.
        """
        self._write(to_json(prediction))

    def _write(self, line: str) -> None:
        try:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise OutputError(
                str(self._path), f"the run cannot be written ({error.strerror})", "Make room, then pass --resume."
            ) from error


@contextmanager
def writing(folder: Path, header: Header, *, resume: bool) -> Iterator[RunWriter]:
    """Opens a run for writing, new or to be continued; nobody else can write to it meanwhile.

    Args:
        folder: The run's folder; made with its parents where it is not there.
        header: What the run is about.
        resume: Continue a run that is there, if it is about the same; else a run that is there is refused.

    Raises:
        UsageError: The folder holds a run (without `resume`), another run, other files, or is being written to.
        OutputError: The folder cannot be made or written.
        InputError: The run that is there is damaged.
    """
    _make_folder(folder)
    path = folder / FILE
    lock = FileLock(folder / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise UsageError(
            str(folder), "another process is writing this run", "Wait for it, or choose another --out."
        ) from error
    try:
        done = _continue(path, header, resume) if path.exists() else _begin(path, header)
        with path.open("ab") as file:
            writer = RunWriter(file, path, done)
            if resume:
                _note_provenance(writer, path, header)
            yield writer
            file.flush()
            os.fsync(file.fileno())
    finally:
        lock.release()


def read_run(path: Path) -> Run:
    """Returns a run from its folder or its file.

    Raises:
        InputError: There is none, or a line of it is damaged.
    """
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise InputError(str(path), "there is no run here", "Give the folder that `foveate ground --out` made.")
    data = file.read_bytes()
    end = data.rfind(b"\n") + 1
    lines = data[:end].split(b"\n")[:-1]
    if not lines:
        raise InputError(str(file), "the run has no header", "Make it again with `foveate ground`.")
    try:
        header = Header.from_object(_object(lines[0]))
    except ValueError as error:
        raise InputError(f"{file}, line 1", str(error), "Give a run that `foveate ground` made.") from error
    predictions, resumed, torn_line = _parsed(file, lines[1:])
    return Run(file, header, tuple(predictions), tuple(resumed), torn_line or end < len(data))


def _parsed(file: Path, lines: list[bytes]) -> tuple[list[Prediction], list[Mapping[str, Any]], bool]:
    predictions: list[Prediction] = []
    resumed: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, start=2):
        try:
            values = _object(line)
            if "resumed" in values:
                resumed.append(values["resumed"])
            else:
                predictions.append(from_object(values))
        except ValueError as error:
            if number == len(lines) + 1 and not line.rstrip(b"\0").endswith(b"}"):
                return predictions, resumed, True  # Torn by a power cut rather than a kill: the tail is zeros.
            raise InputError(
                f"{file}, line {number}", str(error), "The run is damaged; make it again in a new folder."
            ) from error
    return predictions, resumed, False


def _object(line: bytes) -> dict[str, Any]:
    values = json.loads(line)
    if not isinstance(values, dict):
        raise ValueError("the line is not a JSON object")
    return values


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists():
            strange = sorted(p.name for p in folder.iterdir() if not p.name.startswith((_LOCK, f"{FILE}.")))
            if strange:
                raise UsageError(
                    str(folder), f"the folder holds other files ({strange[0]})", "Choose a new folder with --out."
                )
    except OSError as error:
        raise OutputError(
            str(folder), f"the folder cannot be made or read ({error.strerror})", "Choose another --out."
        ) from error


def _begin(path: Path, header: Header) -> frozenset[str]:
    """Writes the header beside and moves it into place, so that a run never exists without a whole header."""
    part = path.with_name(f"{FILE}.part")
    try:
        with part.open("wb") as file:
            file.write(json.dumps(header.as_object(), ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise OutputError(
            str(path), f"the run cannot be written ({error.strerror})", "Choose another --out."
        ) from error
    return frozenset()


def _continue(path: Path, header: Header, resume: bool) -> frozenset[str]:
    if not resume:
        raise UsageError(
            str(path.parent), "there is a run here already", "Pass --resume to continue it, or choose another --out."
        )
    run = read_run(path)
    difference = header.difference(run.header)
    if difference:
        raise UsageError(
            str(path.parent), f"the run here cannot be continued: {difference}", "Choose another --out for this one."
        )
    if run.torn:
        _cut_torn_line(path, kept=1 + len(run.resumed) + len(run.predictions))
    return frozenset(p.id for p in run.predictions)


def _cut_torn_line(path: Path, kept: int) -> None:
    with path.open("r+b") as file:
        for _ in range(kept):
            file.readline()
        file.truncate(file.tell())


def _note_provenance(writer: RunWriter, path: Path, header: Header) -> None:
    run = read_run(path)
    latest = run.resumed[-1] if run.resumed else run.header.provenance
    if dict(latest) != dict(header.provenance):
        writer._write(json.dumps({"resumed": dict(header.provenance)}, ensure_ascii=False))
