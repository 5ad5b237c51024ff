"""The tables of a report as Markdown, to be copied into an issue or a paper's notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foveate.evaluation.evaluate import Value
from foveate.reports._text import MINUS, digits, interval, markdown
from foveate.reports.heads import Head
from foveate.reports.study import Study
from foveate.reports.totals import Counts, MetricRow, p_text, present_states, verdict


def markdown_report(
    study: Study, heads: Sequence[Head], metrics: Sequence[MetricRow], counts: Sequence[Counts], notes: Sequence[str]
) -> str:
    """Returns totals, differences and counts as Markdown."""
    data = study.data
    parts = [f"# Foveate report\n\n{markdown(data.card.title)} (`{data.name}`), {study.runs[0].evaluation.n:,} samples"]
    told = [f"{markdown(head.name)}: {markdown(note)}" for head in heads for note in head.notes] + list(
        map(markdown, notes)
    )
    if told:
        parts.append("\n".join(f"- {note}" for note in told))
    parts.append("## Totals\n\n" + _totals(study, metrics))
    if study.differences:
        parts.append(f"## Differences from {markdown(study.runs[0].name)}\n\n" + _differences(study))
    parts.append("## Predictions by state\n\n" + _counts(counts))
    return "\n\n".join(parts) + "\n"


def _totals(study: Study, metrics: Sequence[MetricRow]) -> str:
    names = [markdown(run.name) for run in study.runs]
    head = ["metric", "better"]
    for name in names:
        before = f"{name}: " if len(names) > 1 else ""
        head += [f"{before}{title}" for title in ("value", "95 % interval", "only where ok", "over")]
    return _table(
        head, [[row.name, row.card.better, *(cell for v in row.values for cell in _value(v))] for row in metrics]
    )


def _value(value: Value | None) -> list[str]:
    if value is None:
        return ["n/a"] * 4
    return [digits(value.value), interval(value.low, value.high), digits(value.value_scored), f"{value.n:,}"]


def _differences(study: Study) -> str:
    head = ["run", "metric", "difference", "95 % interval", "p", "p (Holm)"]
    rows = [
        [
            markdown(d.second),
            d.metric,
            digits(d.difference, sign=True),
            interval(d.low, d.high, sign=True),
            p_text(d.p),
            p_text(d.p_holm),
        ]
        for d in study.differences
    ]
    cards = {metric.name: metric.card for metric in study.metrics}
    named = [replace(d, first=markdown(d.first), second=markdown(d.second)) for d in study.differences]
    said = "\n".join(f"- {verdict(d, cards[d.metric])}" for d in named)
    return f"{_table(head, rows)}\n\n{said}"


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
    lines = [head, rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace(MINUS, "-")
