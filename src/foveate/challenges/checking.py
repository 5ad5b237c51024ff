"""An entry checked before it counts, from public facts only: ids, sizes, forms and values, never a target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from foveate.challenges.definition import Phase
from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.runs.forms import form_of, read_form

MOST_TOLD = 100


@dataclass(frozen=True)
class Problem:
    """One problem of a file; `said` is one precise sentence, the rest is empty where it is not known."""

    file: str
    row: str
    field: str
    expected: str
    got: str
    said: str
    remedy: str


@dataclass(frozen=True)
class Checked:
    """What the check found: the file's form, samples with a row, the first problems and how many there are."""

    form: str
    n: int
    problems: tuple[Problem, ...]
    problem_count: int
    counts_by_status: Mapping[str, int]


def check(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    phase: Phase,
    *,
    on_progress: Callable[[float], None] | None = None,
) -> Checked:
    """Returns what is wrong with a file, if anything.

    Args:
        path: The file.
        sizes: Height and width by sample id.
        phase: Says which forms are taken and whether each sample needs a row.
        on_progress: Is told how much is done, from 0 to 1.
    """
    form = form_of(path)
    problems: list[Problem] = []

    def note(error: InputError) -> None:
        problems.append(Problem(path.name, "", "", "", "", error.fault, error.remedy))

    if form not in phase.forms:
        note(InputError(path.name, f"it is of the form {form}", f"This phase takes {', '.join(phase.forms)}."))
        return Checked(form, 0, tuple(problems), len(problems), {})
    seen: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    try:
        for done, prediction in enumerate(read_form(path, sizes, note), 1):
            seen[prediction.id] += 1
            counts[prediction.status] += 1
            if on_progress is not None and done % 200 == 0:
                on_progress(done / max(len(sizes), done))
    except InputError as error:
        note(error)
    sound = not problems
    for said in _of_ids(seen, sizes if sound and phase.missing == "refuse" else (), sizes):
        note(InputError(path.name, said, "Give each sample of the phase one row."))
    return Checked(form, len(seen), tuple(problems[:MOST_TOLD]), len(problems), dict(counts))


def _of_ids(seen: Counter[str], wanted: Iterable[str], known: Container[str]) -> Iterator[str]:
    yield from (f"{sample} is there {count} times" for sample, count in seen.items() if count > 1)
    yield from (f"{sample} is no sample" for sample in seen if sample not in known)
    yield from (f"{sample} has no row" for sample in wanted if sample not in seen)
