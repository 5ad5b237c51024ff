"""The chapter on what people reach, and runs beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foveate.evaluation.ceiling import Beside, Ceiling
from foveate.evaluation.estimates import Estimate
from foveate.evaluation.wording import counted
from foveate.reports.evaluation.dots import Dot, dots
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Figure, Section, Table

KEY, TITLE = "ceiling", "What people reach"
_HEAD = ("who", "beside", "n", "mean IoU", "low", "high", "boundary-tolerant", "its low", "its high")
_RELATIVE = (
    "run",
    "beside",
    "of theirs",
    "low",
    "high",
    "mean of samples",
    "its low",
    "its high",
    "n",
    "boundary-tolerant",
)
_ALL = "all, each against the others"


def ceiling_section(found: Ceiling, dataset: str = "") -> Section:
    """Returns the chapter; a sentence alone where no sample was drawn by two people and no crowd is given."""
    title = f"{TITLE}: {dataset}" if dataset else TITLE
    if not found.n and found.crowd is None:
        return Section(KEY, title, _none(found), [])
    return Section(KEY, title, " ".join(_lead(found)), [_figure(found), _people(found), _relative(found)])


def _none(found: Ceiling) -> str:
    told = f"None of {counted(found.n_targets, 'sample')} with a target was drawn by two named people"
    unnamed = f" ({found.unnamed:,} have several targets without a name)" if found.unnamed else ""
    if found.crowd:
        return f"{told}{unnamed}; people are known by {found.crowd.name} alone."
    return f"{told}{unnamed}, so that there is no telling how far people agree, nor how near to them a method is."


def _lead(found: Ceiling) -> Iterator[str]:
    if found.n:
        yield (
            f"{counted(found.n, 'sample')} of {found.n_targets:,} with a target were drawn by two or more people. Two "
            f"of them agree to a mean IoU of {_told(found.agreement)}; one against the best of the others has "
            f"{_told(found.together.value)}."
        )
    else:
        yield _none(found)
    if found.crowd:
        yield f"{found.crowd.name} has {_told(found.crowd.value)} over {counted(found.crowd.n, 'sample')}."
    beside = [("people's agreement", one) for one in found.runs]
    beside += [(found.crowd.name, one) for one in found.crowd.runs] if found.crowd else []
    for whose, one in beside:
        if one.relative.value is not None:
            yield f"{one.name}: {_told(one.relative)} of {whose}."


def _told(estimate: Estimate) -> str:
    bounds = "" if estimate.low is None else f" [{text(estimate.low)}, {text(estimate.high)}]"
    return f"{text(estimate.value)}{bounds}"


def _figure(found: Ceiling) -> Figure:
    rows: list[Dot] = []
    if found.n:
        rows += [
            Dot("two people (agreement)", found.agreement, filled=False),
            Dot(_ALL, found.together.value, filled=False),
        ]
        rows += [Dot(one.name, one.value) for one in found.runs]
    if found.crowd:
        rows += [Dot(found.crowd.name, found.crowd.value, filled=False)]
        where = " (all targets)" if found.n else ""
        rows += [Dot(f"{one.name}{where}", one.value) for one in found.crowd.runs]
    about = "Hollow: people. Filled: runs, on the same samples. Lines are 95 % intervals."
    return dots("people_and_runs", "Runs beside people", about, rows, "mean IoU")


def _people(found: Ceiling) -> Table:
    rows: list[Sequence[Cell]] = []
    if found.n:
        rows.append(
            [
                "two people (agreement)",
                "each other",
                found.n,
                *_three(found.agreement),
                *_three(found.tolerant_agreement),
            ]
        )
        people = [(_ALL, found.together), *((person.name, person) for person in found.people)]
        rows += [[name, "the others", one.n, *_three(one.value), *_three(one.tolerant)] for name, one in people]
        rows += [
            [one.name, "one person at a time", found.n, *_three(one.value), *_three(one.tolerant)] for one in found.runs
        ]
    if found.crowd:
        crowd = found.crowd
        rows.append([crowd.name, "the targets", crowd.n, *_three(crowd.value), *_three(crowd.tolerant)])
        rows += [[one.name, "the targets", crowd.n, *_three(one.value), *_three(one.tolerant)] for one in crowd.runs]
    about = (
        "Of several others the best counts, as for a method. The boundary-tolerant IoU forgives what two right "
        "drawings differ in near the edge (0.5 % of the photo's diagonal). low and high are ends of 95 % intervals."
    )
    return Table("ceiling", "People and runs", about, _HEAD, rows)


def _relative(found: Ceiling) -> Table:
    rows = [[one.name, "people's agreement", *_shares(one)] for one in found.runs] if found.n else []
    if found.crowd:
        rows += [[one.name, found.crowd.name, *_shares(one)] for one in found.crowd.runs]
    about = (
        "“Of theirs” is the run's mean IoU divided by theirs; “mean of samples” is the mean of each sample's own "
        "share, over the n samples in which theirs is not 0. 1 is as near to a person as another person is."
    )
    return Table("ceiling_relative", "IoU relative to people", about, _RELATIVE, rows)


def _shares(one: Beside) -> list[Cell]:
    return [*_three(one.relative), *_three(one.each), one.n_each, one.tolerant_relative.value]


def _three(estimate: Estimate) -> list[Cell]:
    return [estimate.value, estimate.low, estimate.high]
