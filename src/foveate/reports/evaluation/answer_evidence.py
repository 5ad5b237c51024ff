"""The chapter on answers beside regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foveate.evaluation.answer_evidence import AnswerEvidence, Noted
from foveate.evaluation.telling import answer_sentences, calibration_sentences
from foveate.evaluation.wording import percent
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, MARKS, SHEET, SOFT, WIDTH, drawn, figure, house, named, panels

KEY, TITLE = "answer_evidence", "Answer beside region"
# Answer and region: the shade of their part of the bar, and its letters.
_PARTS = {
    ("right", "right"): ("both right", COLOURS[0], SHEET),
    ("right", "wrong"): ("right answer, wrong region", COLOURS[5], INK),
    ("wrong", "right"): ("wrong answer, right region", COLOURS[4], INK),
    ("wrong", "wrong"): ("both wrong", COLOURS[1], SHEET),
    ("unknown", "right"): ("not judged, right region", "#b8bdc2", INK),
    ("unknown", "wrong"): ("not judged, wrong region", "#dfe2e5", INK),
}
_CELLS = ("run", "answer", "region", "n", "share %", "low %", "high %", "mean IoU", "examples")
_NOTED = ("run", "id", "question", "answer", "expected", "IoU", "answer's score", "region's score")


def answer_evidence_section(found: Sequence[AnswerEvidence]) -> Section | None:
    """Returns the chapter; None where no run has a sample with a target."""
    there = [one for one in found if one.n]
    if not there:
        return None
    lines = [
        f"{one.name}: {sentence}" for one in there for sentence in [*answer_sentences(one), *calibration_sentences(one)]
    ]
    judged = [one for one in there if not one.undefined]
    parts: list[Figure | Table] = [_shares(judged), _cells(judged), _together(judged)] if judged else []
    parts += [drawing for drawing in [_reliability(there)] if drawing]
    wrong = [(one.name, noted) for one in judged for noted in one.wrong_reason]
    looked = [(one.name, noted) for one in judged for noted in one.looked_right]
    if wrong:
        about = "The answer is right and the region is not: the worst first, of equal ones the surest."
        parts.append(_list("right_for_the_wrong_reason", "Right for the wrong reason", about, wrong))
    if looked:
        about = "The region is right and the answer is not: the best region first, of equal ones the surest."
        parts.append(_list("wrong_though_it_looked_right", "Wrong, though it looked right", about, looked))
    return Section(KEY, TITLE, "\n".join(lines), parts)


def _shares(found: Sequence[AnswerEvidence]) -> Figure:
    there = {(cell.answer, cell.region) for one in found for cell in one.cells if cell.n}
    with house():
        fig, axes = figure(WIDTH * 1.2, 1.9 + 0.5 * len(found))
        for row, one in enumerate(found):
            start = 0.0
            for cell in one.cells:
                title, colour, ink = _PARTS[cell.answer, cell.region]
                if (cell.answer, cell.region) not in there:
                    continue
                width = 100 * cell.n / one.n
                label = title if row == 0 else None
                axes.barh(row, width, 0.6, start, color=colour, edgecolor=INK, linewidth=0.5, label=label)
                if width >= 6:
                    axes.text(start + width / 2, row, f"{width:.0f}", ha="center", va="center_baseline", color=ink)
                start += width
        axes.set_xlim(0, 100)
        axes.set_ylim(len(found) - 0.5, -0.5)
        axes.set_yticks(range(len(found)), [named(one.name, 22) for one in found])
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("% of the samples with a target")
        fig.legend(loc="outside upper left", fontsize=9.5, ncols=2)
    told = " ".join(f"{one.name}: {_told(one)}." for one in found)
    about = f"A region is right from an IoU of {found[0].hit:g} on. {told}"
    return drawn("answer_evidence", "Answer and region together", about, fig)


def _told(one: AnswerEvidence) -> str:
    return ", ".join(f"{_PARTS[cell.answer, cell.region][0]} {percent(cell.n / one.n)}" for cell in one.cells if cell.n)


def _reliability(found: Sequence[AnswerEvidence]) -> Figure | None:
    kinds = [kind for kind in ("region", "answer") if any(one.calibration[kind].n for one in found)]
    if not kinds:
        return None
    with house():
        fig, several = panels(len(kinds), 3.0, WIDTH if len(kinds) == 1 else WIDTH * 1.3)
        for axes, kind in zip(several, kinds, strict=True):
            for place, one in enumerate(found):
                _bins(axes, one, kind, place)
            _square(axes, kind)
        if len(found) > 1:
            fig.legend(*several[0].get_legend_handles_labels(), loc="outside upper left", fontsize=10)
    told = " ".join(f"{one.name}: {' '.join(calibration_sentences(one))}" for one in found)
    about = (
        "How often predictions of like score are right: a region from an IoU of 0.5 on, an answer as judged here. "
        f"On the dotted line the score is the chance to be right; below it the method is too sure. Larger "
        f"marks stand for more samples. {told}"
    )
    return drawn("reliability_of_both", "What the scores are worth", about, fig)


def _bins(axes: Any, one: AnswerEvidence, kind: str, place: int) -> None:
    bins = one.calibration[kind].bins
    scores, right = [b.score for b in bins], [b.right for b in bins]
    colour = COLOURS[place % len(COLOURS)]
    axes.plot(scores, right, color=colour, linewidth=1.2)
    # The area stands for how many they are.
    areas = [25 + 120 * b.n / max(other.n for other in bins) for b in bins]
    axes.scatter(
        scores, right, areas, color=colour, marker=MARKS[place % len(MARKS)], label=named(one.name, 40), clip_on=False
    )


def _square(axes: Any, kind: str) -> None:
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=1, linestyle=":")
    axes.set_xlim(0, 1.03)
    axes.set_ylim(0, 1.03)
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_xlabel(f"score of the {kind}")
    axes.set_ylabel(f"share of right {kind}s")


def _cells(found: Sequence[AnswerEvidence]) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            one.name,
            cell.answer,
            cell.region,
            cell.n,
            *(None if bound is None else 100 * bound for bound in vars(cell.share).values()),
            cell.mean_iou,
            ", ".join(cell.examples),
        ]
        for one in found
        for cell in one.cells
    ]
    how = "exact match" if found[0].judge == "exact" else "a VQA accuracy of at least 0.5"
    about = f"An answer is right by {how}; it is unknown where there is none, or nothing to judge it by."
    return Table("answer_evidence", "Answer and region", about, _CELLS, rows)


def _together(found: Sequence[AnswerEvidence]) -> Table:
    rows: list[Sequence[Cell]] = [
        [one.name, name, value.value, value.low, value.high] for one in found for name, value in one.together.items()
    ]
    about = (
        "phi: correlation of right answer and right region; odds_ratio: of their table, with half a sample added to "
        "each cell; if_right, if_wrong: share of right regions where the answer is right, and wrong; difference: of "
        "these two; by_chance: share that would be right in both if they had nothing to do with each other."
    )
    return Table(
        "answer_evidence_together", "Do they go together?", about, ("run", "measure", "value", "low", "high"), rows
    )


def _list(name: str, title: str, about: str, found: Sequence[tuple[str, Noted]]) -> Table:
    rows: list[Sequence[Cell]] = [[run, *vars(noted).values()] for run, noted in found]
    return Table(name, title, about, _NOTED, rows)
