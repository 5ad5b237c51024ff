"""The tables of a report as Markdown, to be copied into an issue or a paper's notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foveate.evaluation.evaluate import Value
from foveate.evaluation.wording import counted
from foveate.reports._text import digits, markdown
from foveate.reports.heads import Head
from foveate.reports.study import Study
from foveate.reports.totals import Counts, MetricRow, judged, p_text, present_states, verdict


def markdown_report(
    study: Study,
    heads: Sequence[Head],
    metrics: Sequence[MetricRow],
    counts: Sequence[Counts],
    notes: Sequence[str],
    made_by: Sequence[str],
) -> str:
    """Returns totals, differences and counts as Markdown, and how they were made."""
    data = study.data
    samples = counted(study.runs[0].evaluation.n, "sample")
    parts = [f"# Foveate report\n\n{markdown(data.card.title)} (`{data.name}`), {samples}", _runs(heads)]
    told = [f"{markdown(head.name)}: {markdown(note)}" for head in heads for note in head.notes]
    told += map(markdown, notes)
    if told:
        parts.append("To keep in mind:\n\n" + "\n".join(f"- {note}" for note in told))
    parts.append("## Totals\n\n" + _totals(study, metrics))
    if study.differences:
        parts.append(f"## Differences from {markdown(study.runs[0].name)}\n\n" + _differences(study))
    parts.append("## Predictions by state\n\n" + _counts(counts))
    parts.append("\n\n".join(map(markdown, made_by)))
    return "\n\n".join(parts) + "\n"


def _runs(heads: Sequence[Head]) -> str:
    told = []
    for head in heads:
        facts = [f"grounder {head.method}" if head.method else "a file of predictions"]
        facts += [f"{name} {head.facts[name]}" for name in ("options", "made", "versions") if name in head.facts]
        told.append(f"- {markdown(head.name)}: {markdown(head.source)}; {'; '.join(map(markdown, facts))}")
    return "\n".join(told)


def _totals(study: Study, metrics: Sequence[MetricRow]) -> str:
    with_value = [row for row in metrics if row.reason is None]
    head = ["metric", "better", *_names(study), "over"]
    rows = [[row.name, row.card.better, *map(_bounded, row.values), _over(row.values)] for row in with_value]
    parts = ["Value with its 95 % interval; “over” is how many samples it is made from.", _table(head, rows)]
    scored = [row for row in with_value if any(value and value.value_scored is not None for value in row.values)]
    if scored:
        rows = [[row.name, row.card.better, *map(_scored, row.values)] for row in scored]
        parts += ["Only where ok:", _table(["metric", "better", *_names(study)], rows)]
    # One line for all that have none, so that they take no room in the tables.
    without = [f"{row.name} ({markdown(row.reason)})" for row in metrics if row.reason is not None]
    if without:
        parts.append(f"No value here: {'; '.join(without)}.")
    return "\n\n".join(parts)


def _names(study: Study) -> list[str]:
    return [markdown(run.name) for run in study.runs] if len(study.runs) > 1 else ["value"]


def _bounded(value: Value | None) -> str:
    return digits(None) if value is None else digits(value.value) + _bounds(value.low, value.high)


def _bounds(low: float | None, high: float | None, *, sign: bool = False) -> str:
    return "" if low is None or high is None else f" [{digits(low, sign=sign)}, {digits(high, sign=sign)}]"


def _scored(value: Value | None) -> str:
    return digits(value.value_scored if value else None)


def _over(values: Sequence[Value | None]) -> str:
    """Returns over how many samples the values are, once where it is the same for all."""
    told = ["n/a" if value is None else f"{value.n:,}" for value in values]
    return told[0] if len(set(told)) == 1 else " / ".join(told)


def _differences(study: Study) -> str:
    cards = {metric.name: metric.card for metric in study.metrics}
    head = ["run", "metric", "better", "difference", "p", "p (Holm)", "the run is"]
    rows = [
        [
            markdown(d.second),
            d.metric,
            cards[d.metric].better,
            digits(d.difference, sign=True) + _bounds(d.low, d.high, sign=True),
            p_text(d.p),
            p_text(d.p_holm),
            judged(d, cards[d.metric]),
        ]
        for d in study.differences
    ]
    named = [replace(d, first=markdown(d.first), second=markdown(d.second)) for d in study.differences]
    said = [f"- {verdict(d, cards[d.metric])}" for d in named if d.metric == named[0].metric]
    return "\n".join(said) + "\n\n" + _table(head, rows, text=3)


def _counts(counts: Sequence[Counts]) -> str:
    states = present_states(counts)
    head = ["run", *states, "all", "no region: right", "missed", "needless"]
    rows = [
        [
            markdown(one.name),
            *(f"{one.states[state]:,}" for state in states),
            f"{one.total:,}",
            *(f"{one.abstention[kind]:,}" for kind in ("right", "missed", "needless")),
        ]
        for one in counts
    ]
    return _table(head, rows, text=1)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], text: int = 2) -> str:
    """Returns a table; the first columns hold texts, the others numbers."""
    rule = ["---" if n < text else "---:" for n in range(len(head))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))
