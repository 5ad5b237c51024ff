"""Rankings in words and rows, for the terminal and for reports."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.significance import Gap, Ranked, Significance
from foveate.evaluation.wording import counted, digits, interval, percent

_FEW = 10
# The titles, the rows, and how many of the first columns hold texts.
Rows = tuple[list[str], list[list[str]], int]


def rank_rows(found: Significance) -> Rows:
    """Returns one row a run: its value, group, letters, and how often it has each rank."""
    head = ["run", "letters", "group", found.metric, "95 % interval", *_ranks(found)]
    rows = [
        [
            run.name,
            run.letters,
            str(run.group),
            digits(run.value.value),
            interval(run.value.low, run.value.high),
            *(f"{percent(share)}" for share in run.ranks),
        ]
        for run in found.runs
    ]
    return head, rows, 2


def _ranks(found: Significance) -> list[str]:
    return [f"rank {n}" for n in range(1, len(found.runs[0].ranks) + 1)]


def gap_rows(found: Significance) -> Rows:
    """Returns one row a pair: its difference and what difference could have been found."""
    head = ["pair", "difference", "95 % interval", "p", "p (Holm)", "error", "detectable", "among all", "photos needed"]
    rows = [
        [
            f"{gap.better} before {gap.worse}",
            digits(gap.difference.value, sign=True),
            interval(gap.difference.low, gap.difference.high, sign=True),
            digits(gap.p),
            digits(gap.p_holm),
            digits(gap.error),
            digits(gap.detectable),
            digits(gap.detectable_among_all),
            _needed(gap),
        ]
        for gap in found.gaps
    ]
    return head, rows, 1


def _needed(gap: Gap) -> str:
    if gap.photos_needed is None:
        return "n/a"
    # The approximation is for means of many.
    return f"under {_FEW}" if gap.photos_needed < _FEW else f"{gap.photos_needed:,}"


def rank_sentences(found: Significance) -> list[str]:
    """Returns what is to be read from a ranking."""
    return [*_first(found), *_tied(found), *_detectable(found)]


def _first(found: Significance) -> list[str]:
    first = found.runs[0]
    if not first.ranks:
        return ["Nothing was resampled, so that nothing is known of how stable the ranks are."]
    others = f"; {found.runs[1].name} in {percent(found.runs[1].ranks[0])}" if found.runs[1].ranks[0] > 0 else ""
    return [
        f"{first.name} is first in {percent(first.ranks[0])} of the resamples of "
        f"{counted(found.photos, 'photo')}{others}."
    ]


def _tied(found: Significance) -> list[str]:
    if all(gap.p is None for gap in found.gaps):
        return ["Nothing was tested: no run is told apart from another."]
    told = []
    for number in sorted({run.group for run in found.runs}):
        best, *others = [run for run in found.runs if run.group == number]
        if others:
            told.append(f"{_listed(others)} {_verb(others)} not told apart from {best.name}")
    level = f"{found.wanted.alpha:g}"
    if not told:
        return [f"Each run is told apart from the next one (p by Holm below {level})."]
    return [f"At the level of {level} (p by Holm): {'; '.join(told)}."]


def _listed(runs: Sequence[Ranked]) -> str:
    names = [run.name for run in runs]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _verb(runs: Sequence[Ranked]) -> str:
    return "is" if len(runs) == 1 else "are"


def _detectable(found: Significance) -> list[str]:
    known = [gap for gap in found.gaps if gap.detectable]
    if not known:
        return []
    least = min(known, key=_of)
    most = max(known, key=_of)
    size = digits(least.detectable) if least is most else f"{digits(least.detectable)} to {digits(most.detectable)}"
    by_pair = "" if least is most else ", by the pair,"
    power = f"with a power of {found.wanted.power:g} at {found.wanted.alpha:g}"
    return [
        f"On {counted(found.photos, 'photo')} a true difference of {size}{by_pair} is found {power}; smaller ones are "
        "missed more often."
    ]


def _of(gap: Gap) -> float:
    return gap.detectable or 0.0
