"""The tables of a report as values: metrics, differences, counts by state; the page and Markdown write the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.cards import MetricCard
from foveate.evaluation.compare import Difference
from foveate.evaluation.evaluate import Value
from foveate.evaluation.metric_names import Metric
from foveate.reports._text import digits, prose
from foveate.reports.rows import STATES
from foveate.reports.study import RunStudy, Study

# A difference is called one when chance alone, over all that were tested, would give it more seldom than this.
LEVEL = 0.05
_MOST_REASONS = 5


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric over all runs.

    Attributes:
        name: Its full name.
        card: What it says of itself.
        values: One a run; None where it could not be measured.
        whys: One a run: why it has no value; None where it has one.
        reason: Why no run has a value; None where one has.
    """

    name: str
    card: MetricCard
    values: tuple[Value | None, ...]
    whys: tuple[str | None, ...]
    reason: str | None


def metric_rows(study: Study) -> list[MetricRow]:
    """Returns the values of all metrics, those without any value last."""
    rows = [_metric_row(study, metric) for metric in study.metrics]
    return sorted(rows, key=lambda row: row.reason is not None)


def _metric_row(study: Study, metric: Metric) -> MetricRow:
    values = tuple(run.evaluation.metrics.get(metric.name) for run in study.runs)
    whys = tuple(_why(run, metric, value) for run, value in zip(study.runs, values, strict=True))
    return MetricRow(metric.name, metric.card, values, whys, _reason(whys, [run.name for run in study.runs]))


def _why(run: RunStudy, metric: Metric, value: Value | None) -> str | None:
    if value is None:
        return f"it cannot be measured here: {run.unmeasured[metric.name]}"
    return None if value.value is not None else value.undefined or metric.card.states


def _reason(whys: Sequence[str | None], names: Sequence[str]) -> str | None:
    """Returns why no run has a value, said once where it is the same of all."""
    if None in whys:
        return None
    if len(set(whys)) == 1:
        return whys[0]
    return "; ".join(f"{name}: {why}" for name, why in zip(names, whys, strict=True))


@dataclass(frozen=True, slots=True)
class Counts:
    """What one run's predictions came to.

    Attributes:
        name: The run's.
        states: Every state with its count.
        total: Of all.
        abstention: `right`, `missed` and `needless`.
        reasons: The most frequent reasons why there is no region: state, reason, count.
        more: How many further predictions have other reasons.
    """

    name: str
    states: dict[str, int]
    total: int
    abstention: dict[str, int]
    reasons: tuple[tuple[str, str, int], ...]
    more: int


def counts_of(run: RunStudy) -> Counts:
    """Returns the counts of a run."""
    found = Counter(
        (p.status, p.reason) for p in run.found.joined.predictions if p is not None and p.reason is not None
    )
    reasons = tuple((state, reason, count) for (state, reason), count in found.most_common(_MOST_REASONS))
    return Counts(
        run.name,
        {state: run.evaluation.counts.get(state, 0) for state in STATES},
        run.evaluation.n,
        dict(run.evaluation.abstention),
        reasons,
        sum(found.values()) - sum(count for *_, count in reasons),
    )


def present_states(counts: Sequence[Counts]) -> list[str]:
    """Returns the states that occur in any run."""
    return [state for state in STATES if any(one.states[state] for one in counts)]


def verdict(found: Difference, card: MetricCard) -> str:
    """Returns what a difference means, in a sentence."""
    name = prose(found.metric)
    if found.difference is None:
        return f"{name} has no value in one of the two."
    if found.p is None or found.p_holm is None:
        bounds = _bounds(found.low, found.high)
        return (
            f"{found.second} minus {found.first} is {digits(found.difference, sign=True)}{bounds} in {name}; "
            "nothing was tested."
        )
    tested = f"p = {p_text(found.p)}" + ("" if found.p == found.p_holm else f", with Holm {p_text(found.p_holm)}")
    if found.p_holm >= LEVEL:
        bounds = _bounds(found.low, found.high)
        return (
            f"{found.second} and {found.first} cannot be told apart in {name}: "
            f"{digits(found.difference, sign=True)}{bounds}, {tested}."
        )
    low, high = (found.low, found.high) if found.difference > 0 else (_minus(found.high), _minus(found.low))
    by = f"{digits(abs(found.difference))}{_bounds(low, high)}"
    return f"{found.second} is {judged(found, card)} than {found.first} by {by} in {name}, {tested}."


def judged(found: Difference, card: MetricCard) -> str:
    """Returns what a difference means for the second run, in a word or two."""
    if found.difference is None or found.p_holm is None:
        return "not tested"
    if found.p_holm >= LEVEL:
        return "not told apart"
    return "better" if (found.difference > 0) == (card.better == "higher") else "worse"


def p_text(p: float | None) -> str:
    """Returns a p-value to two digits that count.

    Example:
        >>> p_text(0.0001), p_text(0.25)
        ('0.0001', '0.25')
    """
    if p is None:
        return "n/a"
    return "1" if p >= 0.995 else f"{p:.2f}" if p >= 0.095 else f"{p:.2g}" if p >= 1e-4 else f"{p:.1e}"


def _bounds(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{digits(low)}, {digits(high)}]"


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
