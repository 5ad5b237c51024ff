"""The chapter on how sure a ranking is."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.significance import Significance
from foveate.evaluation.telling_ranks import rank_sentences
from foveate.evaluation.wording import percent
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import INK, SHEET, WIDTH, drawn, figure, house, named

KEY, TITLE = "significance", "How sure the ranking is"
_TESTED = ("better", "worse", "difference", "low", "high", "p", "p (Holm)")
_GAPS = (*_TESTED, "standard error", "detectable", "detectable among all", "photos needed")
# A picture with more ranks than these has no room for its numbers.
_MOST = 12
_LABEL = 30


def significance_section(found: Significance | None) -> Section | None:
    """Returns the chapter; None where there is nothing to rank."""
    if found is None:
        return None
    there = bool(found.runs[0].ranks) and len(found.runs) <= _MOST
    parts: list[Figure | Table] = [*([_figure(found)] if there else []), _ranks(found), _gaps(found)]
    return Section(KEY, f"{TITLE}: {found.metric}", " ".join(rank_sentences(found)), parts)


def _figure(found: Significance) -> Figure:
    """Returns the share of resamples in which each run has each rank, dark where it is high, with its number."""
    runs = found.runs
    with house():
        fig, axes = figure(WIDTH * 1.15, 0.85 + 0.36 * len(runs))
        axes.imshow([list(run.ranks) for run in runs], cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
        for y, run in enumerate(runs):
            for x, share in enumerate(run.ranks):
                colour = SHEET if share > 0.75 else INK
                told = "0" if share == 0 else "<1" if share < 0.005 else f"{100 * share:.0f}"
                axes.text(x, y, told, ha="center", va="center_baseline", fontsize=10, color=colour)
        axes.set_xticks(range(len(runs)), [str(n + 1) for n in range(len(runs))])
        axes.set_yticks(range(len(runs)), [f"{named(run.name, _LABEL)} ({run.letters})" for run in runs])
        axes.tick_params(length=0)
        axes.grid(visible=False)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.set_xlabel("rank, % of resamples")
    told = "; ".join(f"{run.name}: {', '.join(f'{percent(share, 0)}' for share in run.ranks)}" for run in runs)
    about = "In how many of the resamples each run has each rank. Runs that share a letter are not told apart."
    return drawn("rank_shares", "Ranks under resampling", f"{about} {told}.", fig)


def _ranks(found: Significance) -> Table:
    ranks = [f"rank {n} %" for n in range(1, len(found.runs[0].ranks) + 1)]
    rows: list[Sequence[Cell]] = [
        [
            run.name,
            run.letters,
            run.group,
            run.value.value,
            run.value.low,
            run.value.high,
            *(100 * share for share in run.ranks),
        ]
        for run in found.runs
    ]
    about = (
        "Runs that share a letter are not told apart (p by Holm over all pairs). A group is the best run that is left "
        "and those after it that are not told apart from it. Equal values share their ranks."
    )
    return Table("ranks", "The ranking", about, ("run", "letters", "group", found.metric, "low", "high", *ranks), rows)


def _gaps(found: Significance) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            gap.better,
            gap.worse,
            gap.difference.value,
            gap.difference.low,
            gap.difference.high,
            gap.p,
            gap.p_holm,
            gap.error,
            gap.detectable,
            gap.detectable_among_all,
            gap.photos_needed,
        ]
        for gap in found.gaps
    ]
    about = (
        f"“Detectable” is the least true difference that is found with a power of {found.wanted.power:g} at "
        f"{found.wanted.alpha:g} on as many photos as these ({found.photos:,}), tested alone or among all pairs; "
        "“photos needed” is how many would make the difference that was seen detectable."
    )
    return Table("detectable_differences", "Pairs, and what could be told apart", about, _GAPS, rows, digits=4)
