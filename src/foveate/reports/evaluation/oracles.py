"""The chapter on what a run could be: the oracle ladder."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.oracles import NAMES, Ladder, Rung
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, MARKS, SOFT, WIDTH, drawn, figure, house, named

KEY, TITLE = "oracles", "What it could be"
_HEAD = ("run", "rung", "mean IoU", "low", "high", "gain", "gain low", "gain high", "n", "oracle", "what it would need")


def oracles_section(found: Sequence[Ladder]) -> Section | None:
    """Returns the chapter; None where no run has a sample with a target."""
    there = [one for one in found if one.n]
    if not there:
        return None
    lead = "\n".join(
        sentence for one in there for sentence in (_longest(one), *(f"{one.name}: {n}" for n in one.notes))
    )
    return Section(KEY, TITLE, lead, [_figure(there), _table(there)])


def _longest(found: Ladder) -> str:
    """Returns which single thing would bring most, of those that are over all samples."""
    now = found.rungs[0]
    rungs = [rung for rung in found.rungs[1:] if rung.n == now.n and rung.gain.value is not None]
    most = max(rungs, key=lambda rung: rung.gain.value or 0.0)
    return (
        f"{found.name}: {text(now.value.value)} now; {most.name} would make it {text(most.value.value)}. {most.needs}"
    )


def _figure(found: Sequence[Ladder]) -> Figure:
    there = {rung.name for one in found for rung in one.rungs}
    names = [name for name in NAMES if name in there]
    with house():
        fig, axes = figure(WIDTH * 1.2, 1.0 + len(names) * (0.24 + 0.14 * len(found)) + 0.2 * len(found))
        for place, one in enumerate(found):
            colour, mark = COLOURS[place % len(COLOURS)], MARKS[place % len(MARKS)]
            for n, rung in enumerate(one.rungs):
                if rung.value.value is None:
                    continue
                y = names.index(rung.name) + (place + 0.5) * 0.7 / len(found) - 0.35
                if rung.value.low is not None and rung.value.high is not None:
                    axes.plot([rung.value.low, rung.value.high], [y, y], color=INK, linewidth=1)
                face = colour if not rung.oracle else "none"
                label = named(one.name, 40) if n == 0 else None
                axes.plot(
                    rung.value.value, y, mark, color=colour, markerfacecolor=face, markersize=7, label=label
                )  # fmt: skip
                axes.text(1.05, y, text(rung.value.value), va="center_baseline", fontsize=9, color=SOFT)
        axes.set_xlim(0, 1.2)
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_yticks(range(len(names)), [shown(name) for name in names])
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("mean IoU")
        if len(found) > 1:
            fig.legend(loc="outside upper left", fontsize=10)
    return drawn("oracle_ladder", "What each way up would bring", _about(found), fig)


def shown(name: str) -> str:
    """Returns a rung's name as a label.

    Example:
        >>> shown("one_threshold@peak")
        'one threshold (peak)'
    """
    name, _, scale = name.replace("_", " ").partition("@")
    return f"{name} ({scale})" if scale else name


def _about(found: Sequence[Ladder]) -> str:
    told = " ".join(f"{one.name}: {', '.join(_told(rung) for rung in one.rungs)}." for one in found)
    return (
        "Each mark changes one thing of the run as it is; gains do not add up. Hollow marks are oracles, which look at "
        f"the targets that they are tested on. Thin lines are 95 % intervals. {told}"
    )


def _told(rung: Rung) -> str:
    return f"{shown(rung.name)} {text(rung.value.value)}"


def _table(found: Sequence[Ladder]) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            one.name,
            rung.name,
            rung.value.value,
            rung.value.low,
            rung.value.high,
            rung.gain.value,
            rung.gain.low,
            rung.gain.high,
            rung.n,
            "yes" if rung.oracle else "no",
            rung.needs,
        ]
        for one in found
        for rung in one.rungs
    ]
    about = "The gain is over the run as it is, on the same resamples; only_hits is over other samples and has none."
    return Table("oracles", "The oracle ladder", about, _HEAD, rows)
