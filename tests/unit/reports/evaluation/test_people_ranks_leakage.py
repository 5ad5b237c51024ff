"""The chapters on people, rankings and leakage, and a paper's tables in every form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate import ground
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.datasets import toloka_vqa
from foveate.errors import OutputError, UsageError
from foveate.evaluation.ceiling import ceiling
from foveate.evaluation.compare import Draws as CompareDraws
from foveate.evaluation.estimates import Draws
from foveate.evaluation.leakage import leakage
from foveate.evaluation.load import DataPlace
from foveate.evaluation.results import Results
from foveate.evaluation.significance import significance
from foveate.evaluation.telling_ranks import gap_rows, rank_rows, rank_sentences
from foveate.reports.evaluation.ceiling import ceiling_section
from foveate.reports.evaluation.leakage import leakage_section, trained_on_section
from foveate.reports.evaluation.paper_report import paper_report
from foveate.reports.evaluation.significance import significance_section
from foveate.reports.sections.page import html
from foveate.reports.sections.parts import Figure, Section, Table
from tests.unit.evaluation.made import SIZE, asked, results, said
from tests.unit.reports.made import Page

QUICK = Draws(50)


def left(share: float) -> Box:
    return Box((0, 0, 100 * share, 100))


def run(name: str, ious: Any) -> Results:
    samples = [(said(f"s{n}", left(float(iou))), asked(f"s{n}", left(1.0))) for n, iou in enumerate(ious)]
    return results(samples, name=name)


def drawn_by_two(name: str) -> Results:
    people = tuple(Target(left(share), annotator=who) for who, share in (("ann", 0.5), ("bob", 1.0)))
    samples = [(said(f"s{n}", left(0.5)), Truth(f"s{n}", targets=people, match="any", size_hw=SIZE)) for n in range(3)]
    return results(samples, name=name)


def table(section: Section | None, name: str) -> Table:
    assert section is not None
    return next(part for part in section.parts if isinstance(part, Table) and part.name == name)


def column(found: Table, title: str) -> list[Any]:
    return [row[list(found.head).index(title)] for row in found.rows]


def test_people_and_runs_beside_them() -> None:
    section = ceiling_section(ceiling([drawn_by_two("<run> & more")], draws=QUICK), "own:all")
    found = table(section, "ceiling")
    who = column(found, "who")
    assert who == ["two people (agreement)", "all, each against the others", "ann", "bob", "<run> & more"]
    assert column(found, "mean IoU") == pytest.approx([0.5, 0.5, 0.5, 0.5, 0.75])
    assert column(table(section, "ceiling_relative"), "of theirs") == pytest.approx([1.5])
    assert section.title.endswith("own:all")
    assert "Two of them agree to a mean IoU of 0.500" in section.lead


def test_with_one_annotation_there_is_a_sentence_and_nothing_else() -> None:
    section = ceiling_section(ceiling([run("a", [0.5, 0.6])], draws=QUICK))
    assert list(section.parts) == []
    assert section.lead.startswith("None of 2 samples with a target was drawn by two named people, so that")
    crowd = ceiling_section(ceiling([run("a", [0.5, 0.6])], run("crowd", [0.9, 0.8]), draws=QUICK))
    assert "people are known by crowd alone. crowd has 0.850" in crowd.lead
    assert column(table(crowd, "ceiling_relative"), "of theirs") == pytest.approx([1.1 / 1.7])


def test_the_ranking_in_tables_and_words() -> None:
    rng = np.random.default_rng(0)
    base = rng.uniform(0.2, 0.5, 40)
    ranked = significance([run("a", base), run("b", base + 0.2), run("c", base + rng.normal(0, 0.02, 40))],
                          draws=CompareDraws(100, 500, 0))  # fmt: skip
    section = significance_section(ranked)
    found = table(section, "ranks")
    assert column(found, "run")[0] == "b"
    assert column(found, "letters") == ["a", "b", "b"]
    assert [sum(column(found, f"rank {n} %")) for n in (1, 2, 3)] == pytest.approx([100, 100, 100])
    assert len(table(section, "detectable_differences").rows) == 3
    assert "b is first in 100.0 % of the resamples of 40 photos." in rank_sentences(ranked)
    second, third = column(found, "run")[1:]
    assert f"At the level of 0.05 (p by Holm): {third} is not told apart from {second}." in rank_sentences(ranked)
    for head, rows, _ in (rank_rows(ranked), gap_rows(ranked)):
        assert all(len(row) == len(head) for row in rows)
    assert significance_section(None) is None


def test_a_ranking_without_draws_says_what_it_does_not_know() -> None:
    bare = significance([run("a", [0.1, 0.2]), run("b", [0.3, 0.4])], draws=CompareDraws(0, 0, 0))
    section = significance_section(bare)
    assert section is not None
    assert not any(isinstance(part, Figure) for part in section.parts)
    assert "Nothing was resampled" in section.lead
    assert "Nothing was tested: no run is told apart from another." in section.lead


def test_leakage_has_its_chapter_only_where_samples_are_touched() -> None:
    made = run("a", np.linspace(0.2, 0.9, 20))
    some, none = leakage(made, {f"s{n}" for n in range(5)}, draws=QUICK), leakage(made, (), draws=QUICK)
    found = table(leakage_section([some]), "leakage")
    assert column(found, "touched") == [5, 5]
    assert column(found, "touched alone")[0] == pytest.approx(np.linspace(0.2, 0.9, 20)[:5].mean())
    assert column(found, "trained on") == ["not known", "not known"]
    bare = leakage_section([none])
    assert bare is not None
    assert list(bare.parts) == []
    assert leakage_section([]) is None
    assert trained_on_section([none]).lead == "What a was trained on is not known: its run or file does not say."


def test_the_page_has_figures_that_are_told_in_words() -> None:
    made = [drawn_by_two("<run> & more"), drawn_by_two("other")]
    sections = [
        ceiling_section(ceiling(made, draws=QUICK)),
        significance_section(significance(made, draws=CompareDraws(30, 30, 0))),
        leakage_section([leakage(one, {"s0"}, draws=QUICK) for one in made]),
    ]
    there = [section for section in sections if section]
    figures = [part for section in there for part in section.parts if isinstance(part, Figure)]
    assert [figure.name for figure in figures] == ["people_and_runs", "rank_shares", "touched_or_not"]
    for figure in figures:
        assert figure.png.startswith(b"\x89PNG")
        assert "<run> & more" in figure.about
    assert "<run> & more" in Page(html("All", "", there, ["made"])).text


@pytest.fixture
def toloka(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "toloka")
    for split in ("test_public", "test_private"):
        source = tmp_path / "toloka" / f"{split}.csv"
        source.with_name(f"{split}_crowd_baseline.csv").write_bytes(source.read_bytes())
    ground("toloka_vqa:test_public", root=tmp_path / "toloka", grounder="whole_image", out=tmp_path / "whole")
    return tmp_path / "toloka"


def test_a_papers_tables_in_every_form(toloka: Path, tmp_path: Path) -> None:
    sources = [toloka / "test_public_crowd_baseline.csv", tmp_path / "whole"]
    place = DataPlace(root=toloka)
    for form in (".md", ".tex", ".json"):
        made = paper_report("toloka", sources, place, tmp_path / f"t{form}", draws=QUICK)
        text = (tmp_path / f"t{form}").read_text()
        assert "0.76342" in text
        assert text.count("published") >= 2
        assert text.count("measured") >= 2
    found = json.loads((tmp_path / "t.json").read_text())
    crowd = next(row for row in found["tables"][0]["rows"] if row["method"] == "crowd, non-experts")
    assert crowd["cells"][0]["measured"]["value"] == 1.0
    assert crowd["cells"][0]["published"]["source"] == "the README of Toloka/WSDMCup2023"
    assert crowd["cells"][1]["measured"] is None
    beside = found["ceilings"]["toloka_vqa:test_public"]["crowd"]["runs"]
    assert [one["name"] for one in beside] == ["whole"]
    paper_report("toloka", sources, place, tmp_path / "page", draws=QUICK)
    names = {path.name for path in (tmp_path / "page" / "tables").iterdir()}
    assert {"toloka_cup.csv", "toloka_values.csv", "toloka_how.csv", "ceiling.csv"} <= names
    assert [section.key for section in made.sections] == ["papers", "ceiling"]


def test_where_a_papers_tables_cannot_go(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Use \.md, \.tex, \.json, or a folder"):
        paper_report("toloka", [], DataPlace(), tmp_path / "t.html")
    (tmp_path / "t.md").write_text("mine")
    with pytest.raises(OutputError):
        paper_report("toloka", [], DataPlace(), tmp_path / "t.md")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    with pytest.raises(OutputError):
        paper_report("toloka", [], DataPlace(), tmp_path / "full")
