from __future__ import annotations

from typing import Any

import pytest

from foveate.evaluation.compare import Draws
from foveate.evaluation.crossed import CrossTable, crossed
from foveate.evaluation.slices import slicings_named
from foveate.reports.evaluation.heat import heat_table
from foveate.reports.evaluation.slices import slices_section
from foveate.reports.sections.parts import Figure, Section, Table
from tests.unit.evaluation.made_results import Made, covering, random_run, run

DRAWS = Draws(20, 0, 0)


def made_by_room(name: str = "made") -> list[Made]:
    rooms = [("hall", 2, 6), ("hall", 8, 3), ("bath", 2, 6), ("bath", 8, 9)]
    return [
        Made(covering(tenths), facts={"quality": room}, question=f"Where {room}?")
        for room, tenths, count in rooms
        for _ in range(count)
    ]


def parts(section: Section | None, kind: type[Figure] | type[Table]) -> dict[str, Any]:
    assert section is not None
    return {part.name: part for part in section.parts if isinstance(part, kind)}


def test_each_slicing_has_its_box_plot_and_its_table() -> None:
    section = slices_section([run(made_by_room())], DRAWS, by=["quality", "coverage"], cross=())
    assert set(parts(section, Figure)) == {"iou_by_quality", "iou_by_coverage"}
    table = parts(section, Table)["slices_by_quality"]
    assert table.head[:4] == ["image quality", "n", "with target", "mean_iou"]
    bath, hall = table.rows
    assert bath[:3] == ["bath", 15, 15]
    assert bath[3] == pytest.approx((6 * 0.2 + 9 * 0.8) / 15)
    assert hall[:3] == ["hall", 9, 9]
    assert all(len(row) == len(table.head) for row in table.rows)
    assert len(set(table.head)) == len(table.head)


def test_several_runs_stand_beside_each_other() -> None:
    one, other = random_run(60, name="one"), random_run(60, seed=0, name="other")
    section = slices_section([one, other], DRAWS, by=["quality"], cross=())
    rows = parts(section, Table)["slices_by_quality"].rows
    assert [row[1] for row in rows] == ["one", "other"] * 3


def test_the_lead_says_what_the_mix_explains() -> None:
    section = slices_section([run(made_by_room())], DRAWS, by=["quality", "coverage"], cross=[("quality", "coverage")])
    assert section is not None
    furthest = "made: mean_iou goes furthest apart by coverage in thirds, from 0.200 (“small”) to 0.800 (“large”)."
    assert furthest in section.lead
    # Of the hall only three are large: one mix can be had of the small alone, where both are alike.
    assert "by +0.0000 (+0.0000 to +0.0000) with one mix of coverage (small alone, 50 % of the samples" in section.lead
    names = list(parts(section, Table))
    assert names[-2:] == ["cross_quality_coverage_cells", "cross_quality_coverage_mix"]
    cells = parts(section, Table)["cross_quality_coverage_cells"].rows
    assert [row[:3] for row in cells][:2] == [["bath", "small", 6], ["bath", "large", 9]]
    assert len(cells) == 2 * 2 + 2 + 2 + 1


def test_there_is_no_chapter_of_nothing() -> None:
    assert slices_section([run([Made()] * 3)], DRAWS) is None
    assert slices_section([run([Made(None)] * 9)], DRAWS, by=["question"]) is None


def test_slicings_that_are_not_known_here_are_not_crossed() -> None:
    section = slices_section([run([Made(covering(1 + n % 9)) for n in range(40)])], DRAWS)
    assert not [name for name in parts(section, Figure) if name.startswith("cross")]


def cross_table() -> CrossTable:
    made = run(made_by_room())
    there = slicings_named(made, ["quality", "coverage"])
    return crossed(made, there["quality"], there["coverage"], "mean_iou", DRAWS)


def test_a_heat_table_has_its_numbers_in_its_cells() -> None:
    axes = heat_table(cross_table()).axes[0]
    said = [text.get_text() for text in axes.texts]
    assert said == [
        *("0.20", "n 6", "0.80", "n 9", "0.56", "n 15"),
        *("0.20", "n 6", "few: 3", "0.40", "n 9"),
        *("0.20", "n 12", "0.80", "n 12", "0.50", "n 24"),
        *("0.50", "0.20", "of 50 %"),
    ]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["small", "large", "all", "same mix"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bath", "hall", "all"]


def test_the_higher_the_darker() -> None:
    axes = heat_table(cross_table()).axes[0]
    shades = {(box.get_x(), box.get_y()): box.get_alpha() for box in axes.patches if box.get_alpha() not in {None, 1.0}}
    assert shades[0.0, 0.0] < shades[1.0, 0.0]
    assert shades[1.0, 1.0] == 0.0  # Too few to tell.
