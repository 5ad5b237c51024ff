"""Leakage in words and rows, for the terminal and for reports."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.estimates import Estimate
from foveate.evaluation.leakage import FEW_PHOTOS, Leakage, Leaked
from foveate.evaluation.wording import counted, digits, interval


def leakage_rows(found: Sequence[Leakage]) -> tuple[list[str], list[list[str]]]:
    """Returns titles and rows: each run's metrics with and without the touched samples."""
    head = ["run", "metric", "all", "without the touched", "95 % interval", "touched alone", "touched less the rest"]
    head += ["95 % interval of that", "what they add"]
    rows = [
        [
            one.name,
            leaked.metric,
            digits(leaked.every.value),
            digits(leaked.untouched.value),
            _interval(leaked.untouched),
            digits(leaked.touched.value),
            digits(leaked.apart.value, sign=True),
            _interval(leaked.apart, sign=True),
            digits(leaked.gain.value, sign=True),
        ]
        for one in found
        for leaked in one.metrics
    ]
    return head, rows


def leakage_sentences(found: Leakage) -> list[str]:
    """Returns what is to be read from it."""
    source = f" ({found.source})" if found.source else ""
    told = [f"{found.name}: {found.n_touched:,} of {counted(found.n, 'sample')} are touched{source}."]
    if found.n_touched == found.n:
        return [*told, "All samples are touched, so that nothing is left to score without them.", seen(found)]
    if not found.n_touched:
        return [*told, "The value without them is the value.", seen(found)]
    few = min(found.photos_touched, found.photos_untouched)
    if few < FEW_PHOTOS:
        which = "touched" if few == found.photos_touched else "other"
        told.append(f"The {which} samples are of {counted(few, 'photo')}, too few for intervals.")
        return [*told, seen(found)]
    return [*told, *(_told(leaked) for leaked in found.metrics if leaked.apart.value is not None), seen(found)]


def seen(found: Leakage) -> str:
    """Returns what the method was trained on, by its card."""
    if found.trained_on is None:
        return f"What {found.name} was trained on is not known: its run or file does not say."
    if not found.trained_on:
        return f"{found.name} was trained on nothing, by its card."
    return f"{found.name} was trained on, by its card: {'; '.join(found.trained_on)}."


def _told(leaked: Leaked) -> str:
    low, high = leaked.apart.low, leaked.apart.high
    named = f"{leaked.metric}: touched samples score {digits(leaked.apart.value, sign=True)} against the rest"
    if low is None or high is None:
        return f"{named}, without an interval."
    bounds = f"({_interval(leaked.apart, sign=True)})"
    if low > 0:
        return f"{named} {bounds}: report the value without them; they may have been seen, or be easier."
    return f"{named} {bounds}: {'they are harder' if high < 0 else 'not told apart from the rest'}."


def _interval(estimate: Estimate, *, sign: bool = False) -> str:
    return interval(estimate.low, estimate.high, sign=sign)
