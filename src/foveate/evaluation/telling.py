"""Explanations of a run in words and rows, for the terminal and for reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.errors import some
from foveate.evaluation.anatomy import Anatomy, ErrorClass
from foveate.evaluation.answer_evidence import AnswerEvidence, Noted
from foveate.evaluation.calibrations import Calibration
from foveate.evaluation.estimates import Estimate
from foveate.evaluation.oracles import Ladder
from foveate.evaluation.sweep import Sweep
from foveate.evaluation.wording import counted, digits, interval, percent


@dataclass(frozen=True)
class Part:
    """One table with what is said below it.

    Attributes:
        title: What it is.
        head: The titles of the columns.
        rows: The cells.
        right: Titles of columns that hold numbers.
        sentences: What to read from it.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[str]
    sentences: Sequence[str]


def share(estimate: Estimate) -> str:
    """Returns a share as percent with its interval."""
    if estimate.value is None:
        return "n/a"
    if estimate.low is None or estimate.high is None:
        return f"{percent(estimate.value)}"
    return f"{percent(estimate.value)} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def anatomy_part(found: Anatomy) -> Part:
    """Returns the classes of errors."""
    head = ["kind", "samples", "share, 95 % interval", "mean IoU", "of the loss", "examples", "what it is"]
    rows = [
        [
            one.name,
            f"{one.n:,}",
            share(one.share),
            digits(one.mean_iou),
            share(one.share_of_loss),
            some(list(one.examples), len(one.examples)),
            one.meaning,
        ]
        for one in found.classes
        if one.n
    ]
    return Part("Kinds of errors", head, rows, head[1:3], anatomy_sentences(found))


def anatomy_sentences(found: Anatomy) -> list[str]:
    """Returns what is to be said of the classes."""
    if not found.n:
        return ["No sample has a target, so that there is nothing to hit.", *_without_target(found)]
    return [*_most(found), *_without_target(found), *_unsized(found.unsized, "whole_image cannot be told")]


def _most(found: Anatomy) -> list[str]:
    wrong = [one for one in found.classes if one.name != "hit" and one.n]
    hits = next(one for one in found.classes if one.name == "hit")
    told = f"{found.name}: {hits.n:,} of {counted(found.n, 'sample')} with a target are hits"
    if not wrong:
        return [f"{told}; what is lost is lost within them."]
    worst: ErrorClass = max(wrong, key=lambda one: one.loss.value or 0.0)
    most = f"most of what the others lose is lost as {worst.name}, {share(worst.share_of_loss)} of the whole loss"
    return [f"{told}; {most}: {worst.meaning}."]


def _without_target(found: Anatomy) -> list[str]:
    states = found.without_target
    if not sum(states.values()):
        return []
    told = f"{states['right']:,} rightly without a region, {states['needless_region']:,} with a needless one"
    return [f"Without a target: {told}, {states['failed']:,} failed or missing."]


def _unsized(count: int, what: str) -> list[str]:
    return [f"The size of the photo is not known for {counted(count, 'sample')}: {what} there."] if count else []


def ladder_part(found: Ladder) -> Part:
    """Returns the rungs."""
    head = ["rung", "mean IoU", "95 % interval", "gain", "over", "what it would need"]
    rows = [
        [
            rung.name,
            digits(rung.value.value),
            interval(rung.value.low, rung.value.high),
            digits(rung.gain.value, sign=True),
            f"{rung.n:,}",
            rung.needs,
        ]
        for rung in found.rungs
    ]
    return Part("What it could be", head, rows, head[1:5], found.notes)


def answers_part(found: AnswerEvidence) -> Part:
    """Returns answer beside region, with the lists of samples to look at."""
    head = ["answer", "region", "samples", "share, 95 % interval", "mean IoU", "examples"]
    rows = [
        [
            cell.answer,
            cell.region,
            f"{cell.n:,}",
            share(cell.share),
            digits(cell.mean_iou),
            some(list(cell.examples), len(cell.examples)),
        ]
        for cell in found.cells
        if cell.n or cell.answer != "unknown"
    ]
    sentences = [*answer_sentences(found), *calibration_sentences(found)]
    sentences += _list("Right for the wrong reason", found.wrong_reason)
    sentences += _list("Wrong, though the region was right", found.looked_right)
    return Part("Answer beside region", head, rows, head[2:5], sentences)


def answer_sentences(found: AnswerEvidence) -> list[str]:
    """Returns whether right answers go with right regions."""
    if found.undefined:
        return [f"Answers cannot be set beside regions: {found.undefined}."]
    phi, odds, chance = (found.together[name] for name in ("phi", "odds_ratio", "by_chance"))
    both = next(cell for cell in found.cells if (cell.answer, cell.region) == ("right", "right"))
    known = sum(cell.n for cell in found.cells if cell.answer != "unknown")
    told = f"phi {digits(phi.value)} ({interval(phi.low, phi.high)}), odds ratio {digits(odds.value)}"
    return [
        found.verdict,
        f"{told} ({interval(odds.low, odds.high)}); both right in {percent(both.n / known)} of "
        f"{counted(known, 'sample')} with an answer that can be judged, {share(chance)} if they had nothing to do with "
        "each other.",
    ]


def calibration_sentences(found: AnswerEvidence) -> list[str]:
    """Returns what the scores of region and answer are worth."""
    return [_calibration(name, one) for name, one in found.calibration.items()]


def _calibration(name: str, found: Calibration) -> str:
    if not found.n:
        return f"No {name} has a score that can be judged, so that there is no calibration of it."
    ece = f"{digits(found.ece.value)} ({interval(found.ece.low, found.ece.high)})"
    return f"Calibration error of the {name}'s score: {ece}, over {found.n:,}."


def _list(title: str, samples: Sequence[Noted]) -> list[str]:
    if not samples:
        return []
    told = (
        f"{one.id} “{one.question}”: {one.answer or '(none)'}, expected {one.expected or '(not known)'}, "
        f"IoU {one.iou:.2f}"
        for one in samples
    )
    return [f"{title}:", *(f"  {one}" for one in told)]


def sweep_part(found: Sweep) -> Part:
    """Returns the values at every threshold."""
    head = ["threshold", "mean IoU", "95 % interval", "accuracy@0.5"]
    rows = [
        [
            f"{point.threshold:.2f}",
            digits(point.mean_iou.value),
            interval(point.mean_iou.low, point.mean_iou.high),
            digits(point.accuracy.value),
        ]
        for point in found.points
    ]
    title = f"Score maps cut at {SCALE_WORDS[found.scale]} ({counted(found.n, 'map')})"
    return Part(title, head, rows, head, sweep_sentences(found))


SCALE_WORDS = {"peak": "a share of each map's highest value", "absolute": "an absolute value"}


def sweep_sentences(found: Sweep) -> list[str]:
    """Returns the best threshold, the honest value, and how they may be read."""
    best = max(found.points, key=lambda point: point.mean_iou.value or 0.0)
    told = [f"Now {digits(found.now.value)}; best at {found.best:g}: {digits(best.mean_iou.value)}."]
    if found.chosen:
        low, high = (f"{threshold:g}" for threshold in found.chosen)
        fitted = f"{digits(found.cross_fitted.value)} ({interval(found.cross_fitted.low, found.cross_fitted.high)})"
        told.append(f"Cross-fitted: {fitted}, with {low} chosen on one half of the photos and {high} on the other.")
    else:
        told.append("All maps are of one photo, so that nothing can be cross-fitted.")
    told.append(f"The best threshold for each map alone: {digits(found.each.value)}.")
    if found.in_use is not None:
        told.append(f"The run's option threshold is {found.in_use:g}; the run does not say on which of the two scales.")
    return [*told, *_unsized(found.unsized, "its map is left out"), found.caveat]
