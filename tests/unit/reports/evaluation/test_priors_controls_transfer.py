"""Three chapters: what they say, and that every value of a figure stands in its table."""

from __future__ import annotations

import io

import PIL.Image
import pytest

from foveate.evaluation.compare import Difference
from foveate.evaluation.controls import Controls, ControlValues, Estimate
from foveate.evaluation.evaluate import Value
from foveate.evaluation.priors_beside import Beside, PriorsBeside, Standing
from foveate.evaluation.transfer import Row, Transfer, Trial
from foveate.reports.evaluation._intervals import Drawn, interval_plot
from foveate.reports.evaluation.controls import controls_section
from foveate.reports.evaluation.priors_beside import priors_beside_section
from foveate.reports.evaluation.transfer import transfer_section
from foveate.reports.sections.parts import Figure, Section, Table
from foveate.reports.sections.sheet import sheet


def parts(section: Section | None) -> tuple[list[Figure], Table]:
    """Returns figures and the table, after a look that names are unique and drawings are drawings."""
    assert section is not None
    names = [part.name for part in section.parts]
    assert len(set(names)) == len(names)
    figures = [part for part in section.parts if isinstance(part, Figure)]
    for one in figures:
        assert one.svg.startswith("<svg")
        picture = PIL.Image.open(io.BytesIO(one.png))
        assert min(picture.size) > 200
        assert len(set(picture.convert("L").tobytes())) > 10
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert all(len(row) == len(table.head) for row in table.rows)
    return figures, table


def beside(prior: str, value: float, standing: Standing, remark: str = "") -> Beside:
    d = Difference("mean_iou", prior, "run", value, 0.3, 0.3 - value, 0.2 - value, 0.4 - value, 0.01, 0.02)
    return Beside(prior, value, d, standing, remark)


@pytest.mark.parametrize("runs", [1, 3])
def test_the_chapter_on_priors_has_every_prior_of_every_run(runs: int) -> None:
    found = [
        PriorsBeside(f"run{n}", 0.3, 40, [beside("whole_image", 0.5, "below", "mind"), beside("new_one", 0.1, "above")])
        for n in range(runs)
    ]
    section = priors_beside_section(found)
    figures, table = parts(section)
    assert len(figures) == 1
    assert len(table.rows) == 2 * runs
    assert table.rows[0][:5] == ["run0", 40, 0.3, "the whole image", 0.5]
    assert table.rows[0][-2:] == ["below", "mind"]
    assert section is not None
    assert section.lead.count("is below the whole image by 0.200") == runs


def test_a_p_is_never_shown_as_nothing_and_no_remark_is_no_column() -> None:
    # 0.0005 is the least p of 1,999 exchanges; with three digits it would be shown as 0.
    d = Difference("mean_iou", "whole_image", "run", 0.1, 0.3, 0.2, 0.1, 0.3, 0.0005, 0.0025)
    plain = parts(priors_beside_section([PriorsBeside("run", 0.3, 40, [Beside("whole_image", 0.1, d, "above")])]))[1]
    shown = {column.title: column.cells for column in sheet(plain).columns}
    assert (shown["p"], shown["p (Holm)"]) == (["0.0005"], ["0.0025"])
    assert (sheet(plain).left_out, plain.head[-1]) == ("", "to mind")
    seen = parts(priors_beside_section([PriorsBeside("run", 0.3, 40, [beside("whole_image", 0.1, "above", "mind")])]))
    assert {column.title: column.cells for column in sheet(seen[1]).columns}["to mind"] == ["mind"]


@pytest.mark.parametrize("group", range(6))
def test_a_run_has_one_mark_in_all_figures(group: int) -> None:
    fig = interval_plot([Drawn("a", 0.5, None, None, "0.5", group)], "mean IoU")
    assert [line.get_marker() for line in fig.axes[0].lines] == ["osD^vP"[group]]


def test_priors_that_cannot_be_set_beside_are_a_sentence() -> None:
    section = priors_beside_section([PriorsBeside("run", None, 0, (), ["run: nothing tells the sizes."])])
    assert section is not None
    assert (section.lead, section.parts) == ("run: nothing tells the sizes.", ())
    assert priors_beside_section([]) is None


def control(name: str, iou: float, right: float | None) -> ControlValues:
    none, one = Estimate(None, None, None, 0), Estimate(iou, iou - 0.1, iou + 0.1, 9)
    answers = none if right is None else Estimate(right, right, right, 9)
    return ControlValues(name, {"seed": 3}, 10, one, one, one, none, answers, answers, all_the_same=False)


@pytest.mark.parametrize(("right", "drawn"), [(None, 1), (0.25, 2)])
def test_the_chapter_on_controls_draws_what_there_is(right: float | None, drawn: int) -> None:
    values = [control("as_is", 0.5, right), control("photo_swapped", 0.2, right), control("of_another", 0.1, right)]
    section = controls_section(Controls("made:all", "pocket", values, "uses", "not tested", "It looks."))
    figures, table = parts(section)
    assert len(figures) == drawn
    assert [row[0] for row in table.rows] == ["as it is", "another photo", "of_another"]
    # Of the run as it is there is no change to be told.
    assert table.rows[0][4:13] == [None] * 9
    assert table.rows[1][1:7] == ["seed 3", 10, 0.2, 0.2, 0.1, pytest.approx(0.3)]
    assert section is not None
    assert section.lead == "pocket on made:all. It looks."


def test_without_controls_there_is_no_chapter() -> None:
    assert controls_section(None) is None
    alone = Controls("made:all", "pocket", [control("as_is", 0.5, None)], "not tested", "not tested", "")
    assert controls_section(alone) is None


def test_the_chapter_on_transfer_names_the_best_that_had_not_seen_it() -> None:
    rows = [Row("prior", "made:a", "aa"), Row("prior", "made:b", "bb"), Row("whole_image", "nothing", "")]
    cells = {}
    for row, column, value, seen in (
        (rows[0], "made:a", 0.9, "yes"),
        (rows[1], "made:a", 0.4, "no"),
        (rows[2], "made:a", 0.5, "no"),
        (rows[0], "made:b", 0.3, "perhaps"),
    ):
        cells[row, column] = Trial(row, column, Value(value, value - 0.05, value + 0.05, value, 9), seen, "run")  # type: ignore[arg-type]
    section = transfer_section(Transfer("mean_iou", rows, ["made:a", "made:b"], cells))
    figures, table = parts(section)
    assert len(figures) == 1
    assert [row[-1] for row in table.rows] == [
        "the same samples",
        "",
        "",
        "the same split, other questions",
    ]
    assert section is not None
    assert "On made:a the best that had not seen it is prior, trained on made:b: 0.400." in section.lead
    assert "On made:b" not in section.lead
    assert transfer_section(None) is None
