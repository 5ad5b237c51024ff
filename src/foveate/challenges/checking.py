"""Checks an entry's file by what is public: ids, sizes, forms and values; never by a target.

The readers are those of `foveate score`, which so says the same of the same file. What can be passed over is passed
over, so that a team reads all that is wrong at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from foveate.challenges import uploads
from foveate.challenges.checking_boxes import Boxes
from foveate.challenges.definition import Phase
from foveate.challenges.problems import Problem, Problems, problem_of
from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.runs._known import Known, UnknownSampleError
from foveate.runs.forms import SUFFIXES, form_of_name, read_form
from foveate.sources.places import is_folder

MOST_TOLD = 100
# Samples without a row are told after the faults of rows; so many of those told are kept for them.
_KEPT_FOR_MISSING = 20
# Beyond so many problems, and as many more as there are samples twice over, a file is not read to its end.
_GIVE_UP = 1_000
_STEP = 20
# What tables are called; others call them nothing.
_TABLES = (".csv", ".tsv", ".txt", "")
OnProgress = Callable[[int, int], None]
_TITLES = {
    "toloka": "a table of boxes (the cup's CSV)",
    "vizwiz": "a zip of masks (VizWiz's)",
    "coco": "COCO results",
    "jsonl": "JSON lines",
}


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        form: Of `foveate.runs.forms`.
        n: How many samples the phase has.
        problems: At most `MOST_TOLD`; what is about the file as a whole comes first.
        problem_count: All of them, but for those that explain others.
        counts_by_status: Predictions by status, with `missing`, as far as the file could be read.
        explaining: How many of `problems` explain others, as that columns are swapped.
    """

    form: str
    n: int
    problems: tuple[Problem, ...]
    problem_count: int
    counts_by_status: Mapping[str, int]
    explaining: int = 0

    @property
    def untold(self) -> int:
        """How many problems are counted and not told."""
        return self.problem_count - len(self.problems) + self.explaining

    @property
    def ok(self) -> bool:
        """Whether the file can be scored."""
        return not self.problem_count


class _EnoughError(Exception):
    """Ends the reading of a file in which nothing fits."""


def check(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    phase: Phase,
    *,
    name: str | None = None,
    on_progress: OnProgress | None = None,
) -> Checked:
    """Returns all that is wrong with an entry's file.

    Args:
        path: The file, or a folder of masks.
        sizes: Height and width by sample id (`Pack.sizes`), all that is known here of the phase's samples.
        phase: Its forms, limits, and what a missing row does.
        name: The file as its sender calls it, by which its form is known; its own name by default.
        on_progress: Told now and then how many predictions were read, and of how many.
    """
    called = path.name if name is None else name
    form = "vizwiz" if is_folder(path) else form_of_name(called)
    reading = _Reading(path, sizes, called, on_progress or (lambda done, of: None))
    try:
        refuse_name("masks.zip" if is_folder(path) else called, phase, str(path))
        if not is_folder(path):
            uploads.scan(path, phase.limits, name=called)
        reading.read(form)
    except InputError as error:
        reading.stopped_by(error)
    except _EnoughError:
        reading.given_up()
    missing = reading.missing()
    if phase.missing == "refuse":
        reading.note_missing(missing, form)
    return reading.checked(form, missing)


def refuse_name(name: str, phase: Phase, where: str) -> None:
    """Refuses a file by its name alone, so that it is told before the file is sent.

    Args:
        name: As its sender calls it.
        phase: Says which forms it takes.
        where: What the sentence begins with.

    Raises:
        InputError: By its suffix it is of a form that the phase does not take, or of none.
    """
    form, suffix = form_of_name(name), PurePath(name).suffix.lower()
    if form in phase.forms and (form != "toloka" or suffix in _TABLES):
        return
    taken = [f"{_TITLES[one]}, {SUFFIXES[one][0]}" for one in phase.forms]
    nothing = form == "toloka" and suffix not in _TABLES
    what = f"of no form that is known ({suffix})" if nothing else _TITLES[form]
    raise InputError(
        where,
        f"by its name this is {what}, and the phase does not take that",
        f"It takes: {'; '.join(taken)}.",
        expected=", ".join(phase.forms),
        got=suffix if nothing else form,
    )


class _Reading:
    """One reading of a file."""

    def __init__(self, path: Path, sizes: Mapping[str, SizeHW | None], name: str, progress: OnProgress) -> None:
        self._path, self._sizes, self._name, self._progress = path, sizes, name, progress
        self.problems = Problems(path, name, MOST_TOLD, _GIVE_UP + 2 * len(sizes), _enough)
        self._missing = Problems(path, name, MOST_TOLD, len(sizes), _enough)
        self._whole: list[Problem] = []
        self._boxes = Boxes()
        self._seen: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._unknown = 0
        self._explaining = 0
        self._stopped = False

    def read(self, form: str) -> None:
        """Reads the file to its end.

        Raises:
            InputError: It cannot be.
        """
        found = read_form(
            self._path, self._sizes, self._on_invalid, form=form, known=Known(self._sizes), finals_only=True
        )
        for number, prediction in enumerate(found, start=1):
            self._seen.add(prediction.id)
            self._counts[prediction.status] += 1
            self._boxes.note(prediction, self._sizes.get(prediction.id))
            if number % _STEP == 0:
                self._progress(number, len(self._sizes))
        self._progress(len(self._sizes), len(self._sizes))
        self._note_whole()

    def _on_invalid(self, error: InputError) -> None:
        self._boxes.note_error(error)
        self._unknown += isinstance(error, UnknownSampleError)
        self.problems.note(error)

    def _note_whole(self) -> None:
        """Notes what explains many faults at once; it is told before them, and is no fault more."""
        rows = self._unknown + len(self._seen)
        if self._unknown > 1 and self._unknown > rows / 2:
            problem = f"{self._unknown:,} of {rows:,} rows are about samples that are not asked about here"
            remedy = "Is it the file of another phase or split? Take the questions of this one."
            self._whole.append(problem_of(InputError(str(self._path), problem, remedy), self._path, self._name))
        likely = self._boxes.likely()
        if likely:
            error = InputError(str(self._path), likely.problem, likely.remedy, **likely.details)
            self._whole.append(problem_of(error, self._path, self._name))
        self._explaining = len(self._whole)

    def stopped_by(self, error: InputError) -> None:
        """Notes why the file is not read to its end; what it then lacks is not told."""
        self._stopped = True
        self.problems.count += 1
        self._whole.insert(0, problem_of(error, self._path, self._name))

    def given_up(self) -> None:
        """Notes that so many faults were found that the rest is not read; what explains them is told as ever."""
        problem = f"reading ended after {self.problems.count:,} faults; there are more"
        # Why comes before that there are more.
        self._note_whole()
        self._stopped = True
        error = InputError(str(self._path), problem, "Mend the first ones.")
        self._whole.append(problem_of(error, self._path, self._name))
        self._explaining = len(self._whole)

    def missing(self) -> list[str]:
        """Returns the samples that the file says nothing of, in their order; none where it could not be read."""
        return [] if self._stopped else [sample for sample in self._sizes if sample not in self._seen]

    def note_missing(self, missing: list[str], form: str) -> None:
        """Notes that samples have no row."""
        what = "mask" if form == "vizwiz" else "row" if form == "toloka" else "prediction"
        for sample in missing:
            wanted = f"{Path(sample).stem}.png" if form == "vizwiz" else sample
            remedy = f"Add the {what} {wanted}." if form == "vizwiz" else f"Add a {what} for it."
            error = InputError(
                f"{self._path}, {sample}", f"there is no {what} for it", remedy, expected=wanted, got="nothing"
            )
            self._missing.note(error)

    def checked(self, form: str, missing: list[str]) -> Checked:
        """Returns what was found."""
        kept = min(len(self._missing.kept), _KEPT_FOR_MISSING)
        rows = self.problems.kept[: MOST_TOLD - kept - len(self._whole)]
        told = [*self._whole, *rows, *self._missing.kept][:MOST_TOLD]
        counts = {**self._counts, **({"missing": len(missing)} if missing else {})}
        count = self.problems.count + self._missing.count
        return Checked(form, len(self._sizes), tuple(told), count, counts, self._explaining)


def _enough() -> None:
    raise _EnoughError
