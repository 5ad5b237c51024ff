"""Looks a data set's files over: what is missing, extra, broken or of another count than its publisher states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from foveate.datasets._check_folder import folder_findings
from foveate.datasets._check_photos import PhotoLook, photo_findings
from foveate.datasets._check_rows import file_findings, read_rows_of, row_findings, truth_findings
from foveate.datasets._findings import Finding, Kind
from foveate.datasets._open import Dataset, card_of, named, open_dataset
from foveate.datasets._options import AbsentError, Options
from foveate.datasets.release import PHOTOS
from foveate.errors import InputError, shown
from foveate.sources.folders import Survey, folder_problem, surveying
from foveate.sources.places import is_file, is_folder

FAULTS: frozenset[Kind] = frozenset({"missing", "broken", "count"})


class Steps(Protocol):
    """Hears how far the work is."""

    def begin(self, what: str, total: int, done: int) -> None:
        """Starts another stage."""

    def advance(self) -> None:
        """Counts one."""


class _Silent:
    def begin(self, what: str, total: int, done: int) -> None:
        pass

    def advance(self) -> None:
        pass


@dataclass(frozen=True)
class Checked:
    """What was found.

    Attributes:
        dataset: The name of the data set, with the split where one was named.
        root: The folder, or None.
        splits: Of each split, the samples that were read and those that the publisher states (None: unknown).
        findings: Split by split, then of the folder as a whole.
    """

    dataset: str
    root: Path | None
    splits: Mapping[str, tuple[int, int | None]]
    findings: tuple[Finding, ...]

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What is missing or broken, or another count than the publisher's."""
        return tuple(finding for finding in self.findings if finding.kind in FAULTS)


def check(
    name: str,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    settings: Mapping[str, str] | None = None,
    decode: bool = False,
    progress: Steps | None = None,
) -> Checked:
    """Returns what looking a data set over finds; it goes on after every fault.

    Args:
        name: `NAME` for every split, or `NAME:SPLIT`; or the path of a file or folder of your own.
        root: The folder of the official files, and of the photos below it.
        questions: The table of questions, for `folder`.
        settings: Further options of the data set, by name.
        decode: Decode every photo; else only headers are read.
        progress: Told how far it is.

    Raises:
        UsageError: There is no such data set, split or option, or a needed one is not given.
    """
    base, split, root = named(name, root)
    card = card_of(base, root)
    opened = [
        open_dataset(f"{base}:{one}", root, questions=questions, settings=settings, skip_invalid=True)
        for one in ([split] if split else card.splits)
    ]
    folder = _folder(base, root, questions, settings)
    problem = folder_problem(folder) if folder else None
    if problem:
        broken = Finding("", "missing", f"{folder}: {problem}", "Give with --root the folder of the data set's files.")
        return Checked(name, folder, {data.split: (0, card.splits[data.split]) for data in opened}, (broken,))
    look = PhotoLook(folder, decode, progress or _Silent())
    counts, findings = {}, []
    with surveying() as survey:
        for data in opened:
            found, n = _split_findings(data, survey, look)
            findings += found
            counts[data.split] = n, card.splits[data.split]
        # The folder of a table that is not there may be any folder.
        if folder and (root is not None or any(n for n, _ in counts.values())):
            whole = len(opened) == len(card.splits) and all(n for n, _ in counts.values())
            findings += folder_findings(folder, look, card, whole=whole)
    return Checked(name, folder, counts, tuple(findings))


def _split_findings(data: Dataset, survey: Survey, look: PhotoLook) -> tuple[list[Finding], int]:
    before = set(survey.official)
    rows = read_rows_of(data)
    findings = list(row_findings(data, rows))
    if rows.queries:
        findings += truth_findings(data, rows)
        findings += photo_findings(data, rows.queries, survey, look)
    if not isinstance(rows.stopped, AbsentError):
        findings += _own_findings(data)
    files = [found for name, found in survey.official.items() if name not in before and found]
    return [*file_findings(data.split, files, rows), *findings], len(rows.queries)


def _own_findings(data: Dataset) -> Iterator[Finding]:
    """Yields what only the data set's own module knows, if it knows anything."""
    own = getattr(data.module, "findings", None)
    if own is None or data.root is None:
        return
    options = Options(questions=data.questions, on_invalid=lambda _: None, settings=data.settings)
    try:
        yield from own(data.root, data.split, options)
    except InputError as error:
        yield Finding(data.split, "broken", shown(error.fault.removesuffix(".")), error.remedy, 1)


def _folder(
    base: str, root: Path | str | None, questions: Path | str | None, settings: Mapping[str, str] | None
) -> Path | None:
    if base == "release" and root is not None:
        # Its other files are told by their sums; masks among them are no photos.
        folder = Path((settings or {}).get("photos") or Path(root) / PHOTOS)
        return folder if is_folder(folder) else None
    if root is not None:
        # Own data may be one file; its photos lie beside it.
        return Path(root).parent if base == "own" and is_file(Path(root)) else Path(root)
    return Path(questions).parent if questions is not None else None
