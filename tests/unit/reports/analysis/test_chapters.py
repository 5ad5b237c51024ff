"""The chapters: their numbers by hand, and that any data set gives a sane page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from foveate.analysis.columns import Analysis
from foveate.analysis.compare import compare
from foveate.reports.analysis.chapters import chapters
from foveate.reports.analysis.grouped import grouped_sections
from foveate.reports.analysis.overview import MEASURES
from foveate.reports.analysis.telling import DIRECTION, difference_rows
from foveate.reports.sections.page import html
from foveate.reports.sections.parts import Figure, Section, Table
from foveate.reports.sections.sheet import sheet
from tests.unit.reports.analysis.measured import analysis, random
from tests.unit.reports.made import Page

COVERAGE = [0.1, 0.2, 0.5, 1.0]


def section(found: Sequence[Section], key: str) -> Section:
    return next(each for each in found if each.key == key)


def table(found: Sequence[Section], name: str) -> Table:
    return next(p for each in found for p in each.parts if isinstance(p, Table) and p.name == name)


def figures(found: Sequence[Section]) -> list[Figure]:
    return [part for each in found for part in each.parts if isinstance(part, Figure)]


def column(found: Table, title: str) -> list[Any]:
    return [row[list(found.head).index(title)] for row in found.rows]


def by_hand() -> Analysis:
    """Four targets whose figures can be worked out in the head."""
    return analysis(
        COVERAGE,
        centre=[[0.5, 0.5], [0.1, 0.5], [0.5, 0.9], [0.5, 0.5]],
        points=[4.0, 8.0, np.nan, 4.0],
        complexity=[0.0, 0.5, np.nan, 0.0],
        parts=[1, 1, 3, 1],
        groups={"answer": {"dog": [0, 1], "dark red": [2]}, "quality": {"none": [0, 1, 2], "severe": [3]}},
        notes=["A part of it."],
    )


@cache
def told() -> list[Section]:
    return chapters([by_hand()])


def test_the_overview_by_hand() -> None:
    found = table(told(), "overview")
    values = dict(zip(column(found, ""), column(found, "made:val"), strict=True))
    assert values["samples"] == 6
    assert values["with a target"] == 4
    assert values["centre x, mean"] == pytest.approx(0.4)
    assert values["centre y, sd"] == pytest.approx(0.4 * 3**0.5 / 4)
    assert values["coverage, mean"] == pytest.approx(0.45)
    assert values["coverage, median"] == pytest.approx(0.35)
    assert values["coverage, lower quartile"] == pytest.approx(0.175)
    assert values["small (under a third of the photo) %"] == 50
    assert values["medium %"] == 25
    assert values["whole image (coverage over 0.95) %"] == 25
    assert values["corner points, mean"] == pytest.approx(16 / 3)
    assert values["of four points %"] == pytest.approx(200 / 3)
    assert values["boundary complexity 0 (as a rectangle) %"] == pytest.approx(200 / 3)
    assert values["of several parts %"] == 25


def test_a_data_set_at_a_glance_by_hand() -> None:
    (glance,) = section(told(), "overview").glances
    assert (glance.title, glance.about) == ("made:val", "6 samples, 4 with a target, on 4 photos")
    assert dict(glance.values) == {
        "of the photo covered, mean": "45.0 %",
        "half of the targets cover less than": "35.0 %",
        "cover the whole photo": "25.0 %",
        "mean centre: x, y as shares": "0.40, 0.60",
        "corner points, mean": "5.3",
        "boundary complexity, median": "0.00",
    }


def test_published_values_stand_beside_ours_and_the_rest_is_left_empty() -> None:
    named = replace(by_hand(), name="vizwiz_grounding:val")
    overview = table(chapters([named]), "overview")
    values = dict(zip(column(overview, ""), column(overview, "vizwiz_grounding, published"), strict=True))
    # 0.48 ± 0.14 and 0.51 ± 0.15; 903 of 9,998.
    assert (values.pop("centre x, mean"), values.pop("centre x, sd")) == (0.48, 0.14)
    assert (values.pop("centre y, mean"), values.pop("centre y, sd")) == (0.51, 0.15)
    assert values.pop("whole image (coverage over 0.95) %") == pytest.approx(9)
    assert set(values.values()) == {None}


def test_a_data_set_of_which_nothing_is_published_has_no_such_column() -> None:
    assert table(told(), "overview").head == ["", "made:val"]
    assert "coverage mean, published" not in table(told(), "by_quality").head


def test_published_values_of_groups_stand_beside_ours() -> None:
    groups = {"quality": {"none": [0], "severe": [1]}}
    found = grouped_sections([analysis([0.1, 0.9], "vizwiz_grounding:test", groups=groups)], 10)
    by_quality = table(found, "by_quality")
    assert column(by_quality, "coverage mean, published") == [0.28, 0.83]
    assert "whose votes are not public" in by_quality.about


def test_the_keys_by_which_published_values_are_found_are_unique() -> None:
    assert len({measure.key for measure in MEASURES}) == len({measure.title for measure in MEASURES}) == len(MEASURES)


def test_notes_are_told() -> None:
    assert table(told(), "notes").rows == [("made:val", "A part of it.")]


def test_findings_are_in_words_with_numbers_of_the_data() -> None:
    found = told()
    assert "x 0.400" in section(found, "location").lead
    assert "75.0 % of them in the middle" not in section(found, "location").lead
    assert "50.0 % of them in the middle ninth" in section(found, "location").lead
    assert "50.0 % cover less than a third, 25.0 % less than two thirds, 25.0 % more" in section(found, "coverage").lead
    assert "66.7 % of 3 targets have none (0)" in section(found, "boundary").lead
    assert "25.0 % have several parts" in section(found, "boundary").lead


def test_a_finding_of_groups_is_of_those_large_enough() -> None:
    groups = {"skills": {"text": list(range(5)), "object": list(range(5, 10)), "rare": [10]}}
    found = grouped_sections([analysis([0.1] * 5 + [0.4] * 5 + [1.0], groups=groups)], 10)
    said = "In the first 2 groups of 5 samples or more, mean coverage goes from 0.100 (“text”, n 5) to 0.400 (“object”"
    assert said in found[0].lead
    assert "rare" not in found[0].lead
    assert found[0].title == "By vision skill"


def test_a_finding_of_all_groups_names_no_part_of_them_and_one_of_the_first_does() -> None:
    groups = {"skills": {"text": list(range(5)), "object": list(range(5, 10)), "colour": list(range(10, 15))}}
    measured = analysis([0.1] * 5 + [0.4] * 5 + [1.0] * 5, groups=groups)
    assert " Mean coverage goes from 0.100 (“text”, n 5) to 1.000 (“" in grouped_sections([measured], 10)[0].lead
    assert "In the first 2 groups of 5 samples or more" in grouped_sections([measured], 2)[0].lead


def test_a_table_of_groups_by_hand() -> None:
    found = table(told(), "by_quality")
    assert column(found, "image quality") == ["none", "severe"]
    assert column(found, "n") == [3, 1]
    assert column(found, "coverage mean") == pytest.approx([0.8 / 3, 1.0])
    assert column(found, "whole image %") == [0.0, 100.0]
    assert column(found, "points mean") == [6.0, 4.0]
    assert column(found, "complexity median") == [0.25, 0.0]
    assert column(found, "several parts %") == pytest.approx([100 / 3, 0.0])


def test_the_papers_table_of_answers_by_hand() -> None:
    found = table(told(), "answer_sizes")
    assert column(found, "answer") == ["dog", "dark red"]
    # 0.15 of 400 x 500 pixels.
    assert column(found, "size, pixels") == pytest.approx([30_000, 100_000])
    assert column(found, "size %") == pytest.approx([15.0, 50.0])
    assert column(found, "points") == [6.0, None]
    assert column(found, "images") == [2, 1]
    without = table(told(), "answer_sizes_without_colours")
    assert column(without, "answer") == ["dog"]
    assert "left out: 1 of 2" in without.about


def test_images_of_an_answer_are_different_photos() -> None:
    made = by_hand()
    same = replace(made, columns=replace(made.columns, photos=["a.jpg"] * 4))
    assert column(table(chapters([same]), "answer_sizes"), "images") == [1, 1]


def test_a_figure_shows_the_top_groups_and_says_how_many_more_there_are() -> None:
    groups = {"question": {f"question {n}": [n] for n in range(30)}}
    found = grouped_sections([analysis([0.1 + n / 100 for n in range(30)], groups=groups)], 4)
    drawn = figures(found)[0]
    assert "26 more groups are in the table" in drawn.about
    assert "question 3" in drawn.numbers
    assert "question 4" not in drawn.numbers
    assert len(table(found, "by_question").rows) == 30


def test_groups_of_several_data_sets_stand_together_by_their_key() -> None:
    one = analysis([0.1, 0.2], "one:val", groups={"question": {"what is this": [0, 1]}})
    two = analysis([0.7, 0.8], "two:val", groups={"question": {"who": [1], "what is this": [0]}})
    found = grouped_sections([one, two], 10)
    assert "“what is this” 0.150 (one:val) and 0.700 (two:val)" in figures(found)[0].numbers
    assert [tuple(row[:3]) for row in table(found, "by_question").rows] == [
        ("what is this", "one:val", 2),
        ("who", "two:val", 1),
        ("what is this", "two:val", 1),
    ]


def test_groupings_whose_names_look_alike_in_a_link_have_each_their_own() -> None:
    groups = {"a b": {"x": [0]}, "a/b": {"y": [1]}, "Größe": {"z": [0]}}
    found = grouped_sections([analysis([0.1, 0.2], groups=groups)], 10)
    assert [each.key for each in found] == ["by_a_b", "by_a_b_2", "by_gr_e"]


def test_a_figure_in_which_nothing_differs_is_folded() -> None:
    groups = {"question": {"what": [0], "who": [1]}}
    same, apart = (analysis([0.1, 0.2], groups=groups, complexity=[0.0, most]) for most in (0.0, 0.5))
    folds = {each.name: each.fold for each in figures(grouped_sections([same], 10))}
    assert folds["complexity_by_question"] == folds["points_by_question"] != ""
    assert folds["coverage_by_question"] == ""
    folds = {each.name: each.fold for each in figures(grouped_sections([apart], 10))}
    assert (folds["coverage_by_question"], folds["complexity_by_question"]) == ("", "")
    assert folds["points_by_question"]


def test_the_comparison_names_what_differs_most() -> None:
    one, two = analysis([0.1, 0.2], "one:val"), analysis([0.3, 0.4, 0.35], "two:val")
    found = section(chapters([one, two]), "comparison")
    assert found.lead.startswith(
        "two:val differs most from one:val in coverage: a mean of 0.350 against 0.150, a difference of 0.200 ("
    )
    # Every value of one is above every value of the other.
    assert found.lead.endswith("), which is a large effect (Cliff's delta 1.00).")
    rows = table([found], "comparison")
    told_apart = dict(zip(column(rows, "measure"), column(rows, "effect"), strict=True))
    assert told_apart.pop("coverage") == "large"
    assert set(told_apart.values()) == {"negligible"}
    assert {"centre x", "whole image", "boundary complexity"} <= set(told_apart)
    assert "Cliff's delta of two:val: coverage 1.00, " in figures([found])[0].numbers


def test_a_difference_is_the_others_mean_less_the_firsts_in_table_terminal_and_json() -> None:
    one, two = analysis([0.1, 0.2], "one:val"), analysis([0.3, 0.4, 0.35], "two:val")
    found = table(chapters([one, two]), "comparison")
    row = dict(zip(found.head, found.rows[0], strict=True))
    assert (row["first data set"], row["other"], row["measure"]) == ("one:val", "two:val", "coverage")
    assert [row["first's mean"], row["other's mean"]] == pytest.approx([0.15, 0.35])
    assert row["difference"] == pytest.approx(0.2)
    assert f"First is one:val. {DIRECTION}" in found.about
    assert difference_rows([one, two])[0][:5] == ["coverage", "two:val", "0.150", "0.350", "+0.200"]
    assert compare([one, two])[0].difference == pytest.approx(0.2)


def test_what_a_fact_means_is_said_by_the_card_of_the_data_set() -> None:
    groups = {"unrecognizable": {"0": [0], "5": [1]}, "light_level": {"dim": [0]}}
    known, own = grouped_sections([analysis([0.1, 0.9], "vizwiz_grounding:val", groups=groups)], 10)
    assert known.title == "By votes for unrecognisable"
    assert known.about.startswith("Votes for unrecognisable: how many of five people could not recognise")
    assert (own.title, own.about) == ("By light level", "")


def test_groups_of_several_data_sets_stand_below_the_name_of_theirs() -> None:
    groups = {"question": {"what": [0, 1]}}
    found = grouped_sections([analysis([0.1, 0.2], f"{name}:val", groups=groups) for name in ("one", "two")], 10)
    shown = sheet(table(found, "by_question"))
    assert [body.title for body in shown.bodies] == ["one:val", "two:val"]
    assert "data set" not in [each.title for each in shown.columns]


def test_a_data_set_against_itself_in_another_folder_is_told_apart() -> None:
    found = section(chapters([analysis([0.1, 0.2]), analysis([0.1, 0.2])]), "comparison")
    assert "made:val (2) differs most from made:val in" in found.lead
    assert "a difference of 0.000" in found.lead


def test_a_measure_that_is_not_defined_in_one_of_them_is_left_out() -> None:
    lacking = analysis([0.1, 0.2], "two:val", points=[np.nan] * 2, complexity=[np.nan] * 2)
    found = section(chapters([analysis([0.1, 0.2], "one:val"), lacking]), "comparison")
    assert not {"points", "boundary complexity"} & set(column(table([found], "comparison"), "measure"))


def test_one_data_set_is_compared_with_nothing() -> None:
    assert "comparison" not in [each.key for each in chapters([random(5)])]


KEYS = ["<script>x</script>", "ما هذا؟", "这是什么", "", "a\nb", "$x$", "long " * 60, "=1+1"]
ODD: dict[str, Analysis] = {
    "no target": analysis([]),
    "one sample": random(1),
    "two samples": random(2),
    "all the same": analysis([1.0] * 6),
    "nothing of the outline known": analysis([0.1, 0.2], points=[np.nan] * 2, complexity=[np.nan] * 2),
    "no part": analysis([0.0, 0.0], parts=[0, 0]),
    "odd texts": random(8, groups={"question": {key: [n] for n, key in enumerate(KEYS)}}),
    "no groups": random(4, groups={"question": {}, "answer": {"yes": []}}),
    "one group": random(4, groups={"question": {"what": [0, 1, 2, 3]}}),
    "thousands of groups": random(2000, groups={"question": {f"q{n}": [n] for n in range(2000)}}),
}


@pytest.mark.parametrize("name", ODD)
def test_any_data_set_gives_a_sane_page(name: str) -> None:
    found = chapters([ODD[name]])
    names = [part.name for each in found for part in each.parts]
    assert len(set(names)) == len(names)
    text = html(name, "", found, [])
    page = Page(text)
    assert "nan" not in " ".join(page.all_text).lower().split()
    assert page.texts.get("script") is None
    for each in found:
        assert each.lead
        for part in each.parts:
            assert part.about
            if isinstance(part, Table):
                assert {len(row) for row in part.rows} <= {len(part.head)}


def test_a_data_set_without_targets_beside_one_with_them() -> None:
    for pair in ([analysis([], "a:x"), random(5, "b:x")], [random(5, "b:x"), analysis([], "a:x")]):
        found = chapters(pair)
        assert "a:x: 2 samples, none with a target" in section(found, "overview").lead
        assert "b:x: " in section(found, "coverage").lead


def test_chapters_are_the_same_each_time() -> None:
    assert chapters([by_hand()]) == told()
