"""The chapter on kinds of errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foveate.evaluation.anatomy import Anatomy, ErrorClass
from foveate.evaluation.estimates import Estimate
from foveate.evaluation.telling import anatomy_sentences
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, SOFT, WIDTH, drawn, house, named, panels

KEY, TITLE = "anatomy", "Kinds of errors"
_HEAD = ("run", "kind", "n", "share %", "low %", "high %", "mean IoU", "loss", "of the loss %", "examples")


def anatomy_section(found: Sequence[Anatomy]) -> Section | None:
    """Returns the chapter; None where no run has a sample with a target."""
    there = [one for one in found if one.n]
    if not there:
        return None
    lead = "\n".join(sentence for one in there for sentence in anatomy_sentences(one))
    return Section(KEY, TITLE, lead, [_figure(there), _table(there)])


def _figure(found: Sequence[Anatomy]) -> Figure:
    kinds = [one.name for one in found[0].classes if any(_of(run, one.name).n for run in found)]
    with house():
        fig, axes = panels(2, 1.1 + len(kinds) * (0.2 + 0.17 * len(found)) + 0.2 * len(found), WIDTH * 1.3)
        for place, (run, colour) in enumerate(zip(found, COLOURS * len(found), strict=False)):
            for row, kind in enumerate(kinds):
                y = row + (place + 0.5) * 0.8 / len(found) - 0.4
                label = named(run.name, 40) if row == 0 else None
                _bar(axes[0], y, _of(run, kind).share, colour, 0.7 / len(found), label)
                _bar(axes[1], y, _of(run, kind).share_of_loss, colour, 0.7 / len(found), None)
        for panel, title in zip(axes, ("% of the samples", "% of the loss (1 − mean IoU)"), strict=True):
            _axis(panel, kinds, title)
        axes[1].tick_params(axis="y", labelleft=False)
        if len(found) > 1:
            fig.legend(loc="outside upper left", fontsize=10)
    told = " ".join(
        f"{run.name}: {', '.join(f'{kind} {_text(_of(run, kind).share)}' for kind in kinds)}." for run in found
    )
    about = (
        "Each sample with a target is of one kind: on the left how many are, on the right how much of the loss is "
        f"theirs; thin lines are 95 % intervals. {told}"
    )
    return drawn("anatomy_kinds", "Kinds of errors", about, fig)


def _of(run: Anatomy, kind: str) -> ErrorClass:
    return next(one for one in run.classes if one.name == kind)


def _bar(axes: Any, y: float, found: Estimate, colour: str, thick: float, label: str | None) -> None:
    value = 100 * (found.value or 0.0)
    axes.barh(y, value, thick, color=colour, edgecolor=INK, linewidth=0.5, label=label)
    if found.low is not None and found.high is not None:
        axes.plot([100 * found.low, 100 * found.high], [y, y], color=INK, linewidth=1)
    end = max(value, 100 * (found.high or 0.0))
    axes.text(
        end + 1.5, y, "n/a" if found.value is None else f"{value:.1f}", va="center_baseline", fontsize=9, color=SOFT
    )


def _axis(axes: Any, kinds: Sequence[str], title: str) -> None:
    axes.set_xlim(0, 118)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    axes.set_yticks(range(len(kinds)), [kind.replace("_", " ") for kind in kinds])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(title)


def _text(found: Estimate) -> str:
    return "n/a" if found.value is None else f"{100 * found.value:.1f} %"


def _table(found: Sequence[Anatomy]) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            run.name,
            one.name,
            one.n,
            _percent(one.share.value),
            _percent(one.share.low),
            _percent(one.share.high),
            one.mean_iou,
            one.loss.value,
            _percent(one.share_of_loss.value),
            ", ".join(one.examples),
        ]
        for run in found
        for one in run.classes
    ]
    meanings = "; ".join(f"{one.name}: {one.meaning}" for one in found[0].classes)
    about = (
        f"The first kind that holds counts: {meanings}. Loss is the sum of 1 − IoU by the samples with a target; of "
        "all kinds together it is 1 − mean IoU. Examples are the surest ones."
    )
    return Table("anatomy", "Kinds of errors", about, _HEAD, rows)


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
