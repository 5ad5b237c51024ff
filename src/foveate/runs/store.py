"""A run on disk: `predictions.jsonl`, a header line and one line a prediction, only ever appended to.

A kill at any moment leaves whole lines and at most one torn last line; resuming cuts that off and goes on. A prediction
is in the file as soon as `append` returns (design/run-format.md).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from foveate.core.predictions import Prediction
from foveate.errors import InputError, UsageError
from foveate.formats.tables import refuse_endless
from foveate.runs._told import told
from foveate.runs.codec import from_object, to_json
from foveate.runs.header import Header
from foveate.runs.maps import PREFIX, MapWriter, StoredMap, misplaced, whole
from foveate.sources.places import exists, is_file, is_folder

FILE = "predictions.jsonl"
# What files of JSON lines are called, capitals or not.
LINES = (".jsonl", ".ndjson")
_LOCK = ".lock"
_BEGIN = b'{"foveate_run"'
_SYNC_SECONDS = 1.0


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
        return len(self.predictions) == self.header.n


class RunWriter:
    """Appends predictions to a run; made by `writing`."""

    def __init__(self, file: RawIOBase, path: Path, done: frozenset[str], maps: MapWriter) -> None:
        self._file = file
        self._path = path
        self._maps = maps
        self._synced = time.monotonic()
        self.done = done

    def append(self, prediction: Prediction) -> None:
        """Writes one prediction as a whole line, its score map before it.

        A kill of this process cannot lose it, a power cut the last second's.

        Raises:
            OutputError: The disk is full or gone.
        """
        stored = None if prediction.map is None else self._maps.append(prediction.map.load())
        self.write_line(to_json(prediction, stored))

    def write_line(self, line: str) -> None:
        """Writes a line without any buffer of this process in between."""
        # Half a character (a file name with odd bytes, a method's slip) is kept as JSON's own escape.
        data = memoryview(line.encode("utf-8", "backslashreplace") + b"\n")
        with told(self._path, "Make room, then pass --resume."):
            while data:
                data = data[self._file.write(data) or 0 :]
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self.sync()

    def sync(self) -> None:
        """Has the system write what it holds to the disk, maps before the lines that name them."""
        self._maps.sync()
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()


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
    refuse_taken(folder, resume=resume)
    path = folder / FILE
    with told(folder, "Choose another --out."):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise UsageError(
                str(folder), "another process is writing this run", "Wait for it, or choose another --out."
            ) from error
    try:
        run = _continued(path, header) if exists(path) else _begun(path, header)
        with told(path, "Choose another --out."):
            file = path.open("ab", buffering=0)
        with file, closing(MapWriter(folder, _stored(run).values())) as maps:
            writer = RunWriter(file, path, frozenset(p.id for p in run.predictions), maps)
            latest = run.resumed[-1] if run.resumed else run.header.provenance
            if dict(latest) != dict(header.provenance):
                writer.write_line(json.dumps({"resumed": dict(header.provenance)}, ensure_ascii=False))
            try:
                yield writer
            finally:
                with suppress(OSError):  # What could not be written was told when it was written.
                    writer.sync()
    finally:
        lock.release()


def refuse_taken(folder: Path, *, resume: bool) -> None:
    """Refuses a folder that cannot take a new run; called before any costly work as well.

    Raises:
        UsageError: It holds other files, or a run and `resume` is False.
        OutputError: It is not a folder, or cannot be read.
    """
    if exists(folder / FILE):
        if not resume:
            raise UsageError(
                str(folder), "there is a run here already", "Pass --resume to continue it, or choose another --out."
            )
        return
    if exists(folder):
        with told(folder, "Choose another --out."):
            names = sorted(path.name for path in folder.iterdir())
        strange = [name for name in names if not name.startswith((_LOCK, f"{FILE}.", PREFIX))]
        if strange:
            raise UsageError(
                str(folder), f"the folder holds other files ({strange[0]})", "Choose a new folder with --out."
            )


def is_run(path: Path) -> bool:
    """Returns whether a folder or file holds a run; other files of JSON lines have no header."""
    if is_file(path / FILE):
        return True
    if not is_file(path) or path.suffix.lower() not in LINES:
        return False
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_BEGIN)) == _BEGIN
    return True  # Whoever then reads it tells why it cannot be read.


def read_run(path: Path | str) -> Run:
    """Returns a run from its folder or its file; score maps are read when they are asked for (`Prediction.map`).

    Raises:
        InputError: There is none, or a line of it is damaged.
    """
    file = Path(path) / FILE if is_folder(Path(path)) else Path(path)
    refuse_endless(file)
    try:
        data = file.read_bytes()
    except FileNotFoundError as error:
        raise InputError(
            str(path), "there is no run here", "Give the folder that `foveate ground --out` made."
        ) from error
    except OSError as error:
        raise InputError(str(file), f"the run cannot be read ({error.strerror})", "Look at its permissions.") from error
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
    predictions: dict[str, Prediction] = {}
    resumed: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, start=2):
        try:
            values = _object(line)
            if "resumed" in values:
                resumed.append(dict(values["resumed"]))
                continue
            prediction = from_object(values, file.parent)
            if prediction.id in predictions:
                raise ValueError(f"a second prediction for {prediction.id}")
            predictions[prediction.id] = prediction
        except (ValueError, TypeError, OverflowError) as error:
            if number == len(lines) + 1 and b"\0" in line:
                return list(predictions.values()), resumed, True  # Torn by a power cut, which leaves zeros.
            raise InputError(
                f"{file}, line {number}", str(error), "The run is damaged; make it again in a new folder."
            ) from error
    return list(predictions.values()), resumed, False


def _object(line: bytes) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except RecursionError as error:
        raise ValueError("the line is nested too deep") from error
    if not isinstance(values, dict):
        raise ValueError("the line is not a JSON object")
    return values


def _begun(path: Path, header: Header) -> Run:
    """Writes the header beside and moves it into place, so that a run never exists without a whole header."""
    part = path.with_name(f"{FILE}.part")
    with told(path, "Choose another --out."):
        with part.open("wb") as file:
            file.write(json.dumps(header.as_object(), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _sync_folder(path.parent)
    return Run(path, header, (), (), torn=False)


def _continued(path: Path, header: Header) -> Run:
    run = read_run(path)
    difference = header.difference(run.header)
    if difference:
        raise UsageError(
            str(path.parent), f"the run here cannot be continued: {difference}", "Choose another --out for this one."
        )
    if run.torn:
        with told(path, "Choose another --out."):
            _cut_torn_line(path, kept=1 + len(run.resumed) + len(run.predictions))
    maps = _stored(run)
    wrong = misplaced(maps.values())
    if wrong is not None:
        raise InputError(
            f"{path}, line {_place_of(path, list(maps)[wrong])[0]}",
            "its score map does not begin where the one before it ends",
            "The run is damaged; make it again in a new folder.",
        )
    lost = next((sample for sample, stored in maps.items() if not whole(stored)), None)
    if lost is None:
        return run
    # A power cut may keep a line and lose the map that it names; that prediction and what follows are made again.
    with told(path, "Choose another --out."), path.open("r+b") as file:
        file.truncate(_place_of(path, lost)[1])
    return read_run(path)


def _cut_torn_line(path: Path, kept: int) -> None:
    with path.open("r+b") as file:
        for _ in range(kept):
            file.readline()
        file.truncate(file.tell())


def _place_of(path: Path, sample: str) -> tuple[int, int]:
    """Returns the number of the line of a prediction that is there, and its first byte."""
    number = at = 0
    with path.open("rb") as file:
        while json.loads(line := file.readline()).get("id") != sample:
            number, at = number + 1, at + len(line)
    return number + 1, at


def _stored(run: Run) -> dict[str, StoredMap]:
    return {p.id: p.map for p in run.predictions if isinstance(p.map, StoredMap)}


def _sync_folder(folder: Path) -> None:
    """Makes a new name in a folder survive a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
