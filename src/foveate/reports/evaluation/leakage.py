"""The chapter on scores with and without touched samples."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.estimates import Estimate
from foveate.evaluation.leakage import Leakage
from foveate.evaluation.telling_leakage import leakage_sentences, seen
from foveate.reports._text import prose
from foveate.reports.evaluation.dots import Dot, dots
from foveate.reports.sections.parts import Cell, Figure, Section, Table

KEY, TITLE = "leakage", "Seen before?"
_VALUES = ("run", "metric", "samples", "touched", "all", "without", "low", "high", "touched alone")
_HEAD = (*_VALUES, "touched less the rest", "its low", "its high", "what they add", "trained on")


def leakage_section(found: Sequence[Leakage]) -> Section | None:
    """Returns the chapter; sentences alone where no sample is touched, None without runs."""
    if not found:
        return None
    there = [one for one in found if 0 < one.n_touched < one.n]
    lead = "\n".join(" ".join(leakage_sentences(one)) for one in found)
    return Section(KEY, TITLE, lead, [_figure(there), _table(there)] if there else [])


def trained_on_section(found: Sequence[Leakage]) -> Section:
    """Returns the chapter where nothing says which samples are touched: what each method was trained on."""
    return Section(KEY, TITLE, "\n".join(map(seen, found)), [])


def _figure(found: Sequence[Leakage]) -> Figure:
    rows = [
        Dot(f"{one.name}: {label}", value, filled=label == "without the touched")
        for one in found
        for label, value in (
            ("without the touched", one.metrics[0].untouched),
            ("touched alone", one.metrics[0].touched),
        )
    ]
    about = "Filled: the value to report. Hollow: the touched samples alone. Lines are 95 % intervals."
    return dots(
        "touched_or_not",
        "With and without touched samples",
        about,
        rows,
        prose(found[0].metrics[0].metric),
        from_zero=False,
    )


def _table(found: Sequence[Leakage]) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            one.name,
            leaked.metric,
            one.n,
            one.n_touched,
            leaked.every.value,
            *_three(leaked.untouched),
            leaked.touched.value,
            *_three(leaked.apart),
            leaked.gain.value,
            "; ".join(one.trained_on) if one.trained_on is not None else "not known",
        ]
        for one in found
        for leaked in one.metrics
    ]
    about = (
        "Touched samples may have been seen in training, or their photo is in another split or set too. low and high "
        "are ends of 95 % intervals (photos resampled)."
    )
    return Table("leakage", "With and without touched samples", about, _HEAD, rows)


def _three(estimate: Estimate) -> list[Cell]:
    return [estimate.value, estimate.low, estimate.high]
