"""The chapters on why runs fail: their tables are the findings, and nothing is shown where there is nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from foveate.evaluation.anatomy import CLASSES
from foveate.evaluation.estimates import Draws
from foveate.evaluation.explain import Asked, Explanation, explain
from foveate.reports.evaluation.anatomy import anatomy_section
from foveate.reports.evaluation.answer_evidence import answer_evidence_section
from foveate.reports.evaluation.oracles import oracles_section
from foveate.reports.evaluation.sweep import sweep_section
from foveate.reports.sections.page import html
from foveate.reports.sections.parts import Figure, Section, Table
from tests.unit.evaluation.made import SIZE, asked, results, said
from tests.unit.reports.made import Page

TARGET, ASIDE = Box((20, 20, 60, 60)), Box((70, 70, 90, 90))
ASKED = Asked(draws=Draws(30))


def explained(name: str = "made", *, draws: Draws | None = None) -> Explanation:
    plane = np.full(SIZE, 0.1)
    plane[20:60, 20:60] = 0.8
    soft = SoftMap.over(plane, SIZE)
    samples = [
        (said("a", TARGET, score=0.9, answer="dog", answer_score=0.7), asked("a", TARGET, answers=("dog",))),
        (said("b", ASIDE, score=0.8, answer="dog", answer_score=0.9), asked("b", TARGET, answers=("dog",))),
        (said("c", TARGET, score=0.2, answer="cat", soft=soft), asked("c", TARGET, answers=("dog",))),
        (said("d", None, soft=soft), asked("d", TARGET, answers=("dog",))),
    ]
    return explain(results(samples, name=name, config={"threshold": 0.5}), replace(ASKED, draws=draws or ASKED.draws))


def empty() -> Explanation:
    return explain(results([(said("a", None), asked("a"))]), ASKED)


def table(section: Section | None, name: str) -> Table:
    assert section is not None
    return next(part for part in section.parts if isinstance(part, Table) and part.name == name)


def column(found: Table, title: str) -> list[Any]:
    return [row[list(found.head).index(title)] for row in found.rows]


def test_nothing_to_hit_gives_no_chapter() -> None:
    found = empty()
    assert anatomy_section([found.anatomy]) is None
    assert oracles_section([found.ladder]) is None
    assert answer_evidence_section([found.answers]) is None
    assert sweep_section(list(found.sweeps)) is None


def test_the_anatomy_is_in_the_table_and_adds_up() -> None:
    found = table(anatomy_section([explained().anatomy]), "anatomy")
    assert column(found, "kind") == list(CLASSES)
    assert dict(zip(column(found, "kind"), column(found, "n"), strict=True)) == {
        **dict.fromkeys(CLASSES, 0), "hit": 2, "elsewhere": 1, "no_region": 1,
    }  # fmt: skip
    assert sum(column(found, "share %")) == pytest.approx(100)
    assert sum(column(found, "of the loss %")) == pytest.approx(100)
    assert sum(column(found, "loss")) == pytest.approx(0.5)


def test_the_ladder_says_what_each_rung_would_need() -> None:
    section = oracles_section([explained().ladder])
    found = table(section, "oracles")
    assert column(found, "rung")[0] == "now"
    assert dict(zip(column(found, "rung"), column(found, "mean IoU"), strict=True))["one_threshold@peak"] == 0.75
    assert section is not None
    assert "made: 0.500 now; one_threshold@peak would make it 0.750." in section.lead
    assert "made: The run has no candidates" in section.lead


def test_the_sweep_says_its_caveat_first() -> None:
    section = sweep_section(list(explained().sweeps), ["other", "made"])
    assert section is not None
    assert section.lead.startswith("A threshold that is chosen on the samples it is tested on is an oracle")
    assert section.lead.count("oracle") == 1
    found = table(section, "threshold_sweep")
    assert column(found, "threshold")[:19] == pytest.approx(np.arange(1, 20) / 20)
    assert set(column(found, "scale")) == {"peak", "absolute"}
    (figure,) = (part for part in section.parts if isinstance(part, Figure))
    assert "oracle" in figure.about


def test_answers_beside_regions_and_the_two_lists() -> None:
    section = answer_evidence_section([explained().answers])
    found = table(section, "answer_evidence")
    assert sum(column(found, "n")) == 4
    assert sum(column(found, "share %")) == pytest.approx(100)
    assert column(table(section, "right_for_the_wrong_reason"), "id") == ["b"]
    assert column(table(section, "wrong_though_it_looked_right"), "id") == ["c"]
    assert "phi" in column(table(section, "answer_evidence_together"), "measure")


def test_a_method_without_answers_is_told_and_has_no_table() -> None:
    silent = explain(results([(said("a", TARGET), asked("a", TARGET, answers=("dog",)))], name="silent"), ASKED)
    section = answer_evidence_section([silent.answers])
    assert section is not None
    assert list(section.parts) == []
    assert "silent: Answers cannot be set beside regions: the predictions have no answers." in section.lead


@pytest.mark.parametrize("draws", [Draws(30), Draws(0)])
def test_two_runs_give_a_whole_page_with_figures_for_those_who_cannot_see(draws: Draws) -> None:
    both = [explained("one run", draws=draws), explained("<another> & run", draws=draws)]
    sections = [
        anatomy_section([one.anatomy for one in both]),
        oracles_section([one.ladder for one in both]),
        answer_evidence_section([one.answers for one in both]),
        sweep_section([sweep for one in both for sweep in one.sweeps]),
    ]
    there = [section for section in sections if section]
    assert len(there) == 4
    figures = [part for section in there for part in section.parts if isinstance(part, Figure)]
    assert len({figure.name for figure in figures}) == len(figures) == 5
    for figure in figures:
        assert figure.png.startswith(b"\x89PNG")
        assert all(name in figure.about for name in ("one run", "<another> & run"))
    page = Page(html("Why", "", there, ["made"]))
    assert "<another> & run" in page.text
