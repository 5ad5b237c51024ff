"""The chapter on controls: what becomes of a method when photo or question are taken from it."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.controls import Controls, ControlValues, Estimate
from foveate.reports.evaluation._intervals import Drawn, interval_plot
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import drawn

KEY, TITLE = "controls", "Does it look, and does it read the question?"
_SAID = {
    "as_is": "as it is",
    "question_shuffled": "question of another sample",
    "question_blanked": "no question",
    "photo_swapped": "another photo",
    "evidence_erased": "evidence erased",
    "evidence_only": "evidence alone",
}


def controls_section(found: Controls | None) -> Section | None:
    """Returns the chapter; None without control runs."""
    if found is None or len(found.values) < 2:
        return None
    lead = "\n".join([f"{found.grounder} on {found.dataset}. {found.verdict}", *(f"Note: {n}." for n in found.notes)])
    return Section(KEY, TITLE, lead, [*_figures(found.values), _table(found.values)])


def _figures(values: Sequence[ControlValues]) -> list[Figure]:
    figures = []
    shown = [(one, one.mean_iou) for one in values if one.mean_iou.value is not None]
    if shown:
        about = (
            "Mark: mean IoU; line: its 95 % interval, photos resampled. Where photo or question are changed and the "
            "value stays, the method does without them. Erased evidence leaves its outline, which may be found."
        )
        figures.append(_figure("controls_mean_iou", "Mean IoU under each control", about, "mean IoU", shown))
    right = [(one, one.right_answers) for one in values if one.right_answers.value is not None]
    if right:
        about = "Share of right answers (exact match), with its 95 % interval."
        figures.append(_figure("controls_answers", "Right answers under each control", about, "right answers", right))
    return figures


def _figure(name: str, title: str, about: str, axis: str, shown: Sequence[tuple[ControlValues, Estimate]]) -> Figure:
    values = [
        Drawn(_name(one), e.value or 0.0, e.low, e.high, f"{e.value or 0.0:.3f}", int(one.name != "as_is"))
        for one, e in shown
    ]
    return drawn(name, title, about, interval_plot(values, axis))


def _name(one: ControlValues) -> str:
    return _SAID.get(one.name, one.name)


def _table(values: Sequence[ControlValues]) -> Table:
    rows: list[Sequence[Cell]] = []
    for one in values:
        first = one.name == "as_is"
        beside: list[Cell] = (
            [None] * 9 if first else [*_three(one.change), *_three(one.same_regions), *_three(one.same_answers)]
        )
        answers: list[Cell] = [one.right_answers.value, *([None] * 3 if first else _three(one.answer_change))]
        how = ", ".join(f"{key} {value}" for key, value in one.how.items())
        rows.append([_name(one), how, one.n, one.mean_iou.value, *beside, *answers])
    head = ["control", "how", "n", "mean IoU", "change", "change, low", "change, high"]
    head += [
        "same region",
        "same region, low",
        "same region, high",
        "same answer",
        "same answer, low",
        "same answer, high",
    ]
    head += ["right answers", "their change", "their change, low", "their change, high"]
    about = (
        "Changes are against the run as it is, paired by sample. A region is the same from an IoU of 0.5 on; of "
        "samples in which neither run gave a region, or an answer, nothing is said."
    )
    return Table("controls", "Every control", about, head, rows)


def _three(one: Estimate) -> list[Cell]:
    return [one.value, one.low, one.high]
