"""The chapters of an agreement report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foveate.quality.agreement import AgreementReport
from foveate.quality.pairs import BINS, edges
from foveate.reports.agreement import rows
from foveate.reports.sections.parts import Album, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, SOFT, drawn, figure, house

_ALPHA = (
    "Alpha is 1 − observed / expected disagreement. 1 is full agreement, 0 what regions dealt out at random give, "
    "below 0 less than that. Limits known for labels (0.8, 0.67) do not hold for distances; read it beside the IoU."
)
_PUBLISHED = (
    "Published: Chen, Anjum, Gurari, CVPR 2022, for VizWiz-VQA-Grounding, in round numbers; nothing of two ranges."
)


def sections_of(found: AgreementReport, album: Album | None, unseen: str) -> list[Section]:
    """Returns the chapters.

    Args:
        found: The agreement.
        album: The worst tasks on their photos; None where no photo is at hand.
        unseen: What is to be said of photos that are not shown; empty for nothing.
    """
    return [
        Section("pairs", "Pairs of regions", rows.finding(found), _pairs(found)),
        Section("alpha", "Beyond chance", rows.told(found.alpha), [_measures(found), _steps(found)], _ALPHA),
        Section("differences", "Why two differ", _why(found), [_relations(found)]),
        Section("people", "Annotators", "Each annotator beside all others of the same tasks.", [_people(found)]),
        Section("worst", "Where people agree least", unseen, [*([album] if album else []), _worst(found)]),
    ]


def _pairs(found: AgreementReport) -> list[Figure | Table]:
    about = "All pairs of regions of one task by their IoU. An edge belongs to the range above it, 1 to the last."
    head = ("IoU", "pairs", "share %", "published about %")
    table = Table("ranges", "Pairs by their IoU", f"{about} {_PUBLISHED}", head, rows.ranges(found), 1)
    if not len(found.pairs.iou):
        return [table]
    fine = [] if len(found.bins) == BINS else [_fine(found)]
    return [_beside(found), *fine, table]


def _beside(found: AgreementReport) -> Figure:
    fig, axes = figure(6.0, 3.4)
    shares, published = zip(*((row[2], row[3]) for row in rows.ranges(found)), strict=True)
    places = np.arange(BINS)
    with house():
        axes.bar(places - 0.2, shares, width=0.36, color=COLOURS[0], label="here")
        there = [place for place in range(BINS) if published[place] is not None]
        axes.bar(
            np.array(there) + 0.2,
            [published[place] for place in there],
            width=0.36,
            facecolor="none",
            edgecolor=COLOURS[1],
            linewidth=1.4,
            hatch="///",
            label="published",
        )
        for place in sorted(set(range(BINS)) - set(there)):
            axes.text(place + 0.2, 0.6, "not said", rotation=90, ha="center", va="bottom", color=SOFT, fontsize=9.5)
        axes.set_xticks(places, [str(row[0]) for row in rows.ranges(found)])
        axes.grid(visible=False, axis="x")
        _named(axes)
        axes.legend(loc="upper left")
    numbers = "; ".join(
        f"{row[0]}: {row[2]:.1f} % here, published {'not said' if row[3] is None else f'about {row[3]} %'}"
        for row in rows.ranges(found)
    )
    return drawn("agreement", "How alike two regions are", _PUBLISHED, fig, f"{numbers}.")


def _fine(found: AgreementReport) -> Figure:
    fig, axes = figure(6.0, 3.4)
    count = len(found.bins)
    limits, share = edges(count), 100.0 * found.bins / found.bins.sum()
    with house():
        axes.bar(limits[:-1], share, width=1 / count, align="edge", color=COLOURS[0], edgecolor="white", linewidth=0.6)
        axes.set_xlim(0, 1)
        _named(axes)
    numbers = "; ".join(f"from {low:g}: {value:.1f} %" for low, value in zip(limits, share.tolist(), strict=False))
    return drawn("agreement_fine", f"The same in {count} ranges", "", fig, f"{numbers}.")


def _named(axes: Any) -> None:
    axes.set_xlabel("IoU of two regions of one task")
    axes.set_ylabel("share of pairs, %")


def _measures(found: AgreementReport) -> Table:
    about = "Intervals are bootstrapped over tasks: what other tasks of the kind would give, not other people."
    return Table("measures", "In one number", about, ("measure", "value", "low", "high"), rows.measures(found))


def _steps(found: AgreementReport) -> Table:
    about = "Before a region: the share of pairs of people who said the same, and alpha of answers, the same or not."
    missing = sorted({step.alpha.why for step in found.steps if step.alpha.why})
    about += f" n/a: {'; '.join(missing)}." if missing else ""
    head = ("step", "answers", "pairs", "agree %", "alpha", "low", "high")
    return Table("steps", "The steps before", about, head, rows.steps(found))


def _why(found: AgreementReport) -> str:
    counts = found.pairs.relations()
    apart = {name: count for name, count in counts.items() if name != "same" and count}
    if not apart:
        return "No two regions differ." if counts["same"] else "There are no pairs."
    most = max(apart, key=lambda name: apart[name])
    words = {
        "contains": "one region lies inside the other: people agree where, not how much of it",
        "partial": "two regions share a part and each has something of its own",
        "disjoint": "two regions have nothing in common: people see the answer in different places",
    }
    return f"Of {sum(apart.values()):,} pairs that differ, most are of this kind ({apart[most]:,}): {words[most]}."


def _relations(found: AgreementReport) -> Table:
    head = ("relation", "pairs", "share %", "meaning")
    return Table("relations", "Relations of two regions", "", head, rows.relations(found), 1)


def _people(found: AgreementReport) -> Table:
    about = "Mean IoU of each one's regions with those of others. Low may also mean: harder tasks, or other partners."
    head = ("annotator", "judged", "drew", "pairs", "mean IoU")
    return Table("people", "One by one", about, head, rows.people(found))


def _worst(found: AgreementReport) -> Table:
    head: Sequence[str] = ("task", "regions", "mean IoU", "least IoU", "relations")
    about = "By the mean IoU of their pairs, the lowest first."
    return Table("worst", "Tasks", about, head, rows.worst(found), whole=True)
