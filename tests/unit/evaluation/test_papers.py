"""The papers' tables: what is published, and what stands beside it of small runs."""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from foveate import ground, plugins
from foveate.cli._app import app
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.datasets import toloka_vqa, vizwiz_grounding
from foveate.errors import InputError, UsageError
from foveate.evaluation.estimates import Draws
from foveate.evaluation.load import DataPlace
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.paper_runs import paper_runs
from foveate.evaluation.papers import PaperReport, coverage_of, paper_report
from foveate.evaluation.published import PAPERS, Paper, paper_named
from foveate.evaluation.score import score
from foveate.evaluation.telling_papers import undefined, values, wide
from foveate.execution.ground import config_of
from foveate.formats.checkpoints import read_checkpoint, write_checkpoint

QUICK = Draws(20)


@pytest.fixture
def toloka(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "toloka")
    return tmp_path / "toloka"


@pytest.fixture
def vizwiz(tmp_path: Path) -> Path:
    vizwiz_grounding.write_tiny(tmp_path / "vizwiz")
    return tmp_path / "vizwiz"


def run(data: str, root: Path, grounder: str, out: Path) -> Path:
    ground(data, root=root, grounder=grounder, out=out)
    return out


def made(name: str, *sources: Path, **place: Any) -> PaperReport:
    paper = paper_named(name)
    root = place.get("root")
    return paper_report(
        paper, paper_runs(paper, sources, DataPlace(**place)), root=None if root is None else str(root), draws=QUICK
    )


@pytest.mark.parametrize("name", PAPERS)
def test_the_data_hold_together(name: str) -> None:
    paper: Paper = paper_named(name)
    tables = {table.key: {column.key for column in table.columns} for table in paper.tables}
    methods = {method.key for method in paper.methods}
    seen = [(value.table, value.column, value.method) for value in paper.values]
    assert len(set(seen)) == len(seen)
    for value in paper.values:
        assert value.column in tables[value.table]
        assert value.method in methods
        assert 0 < value.value < 1
        assert value.low is None or value.high is None or value.low <= value.value <= value.high
        assert value.source
        assert value.over
        assert value.reading in {"paper", "quoted"}
    for table in paper.tables:
        assert metrics_named([column.metric for column in table.columns])
        assert table.about
    for method in paper.methods:
        # Each row can be measured, or says what it would take.
        assert bool(method.grounder or method.files or method.steps) != bool(method.needs)
        if method.grounder:
            known = inspect.signature(plugins.load("grounders", method.grounder).Grounder.__init__).parameters
            assert set(method.options) <= set(known)


def test_values_that_are_known_from_the_sources() -> None:
    # As the reference of methods lists them, in percent.
    vizwiz = {"oscar": 15.48, "lxmert": 22.09, "mac_caps": 27.43, "davi": 70.6, "sab": 72.4, "eab": 74.1, "ruler": 75.7}
    toloka = {"first": 76.347, "second": 76.342, "ofa_sam": 45, "ofa": 42, "ovseg_sam": 35, "starter_kit": 21}
    for name, table, column, known in (("vizwiz", "mean_iou", "all", vizwiz), ("toloka", "cup", "private", toloka)):
        for method, percent in known.items():
            value = paper_named(name).value(table, column, method)
            assert value is not None
            assert value.value == pytest.approx(percent / 100)
    # What could not be verified is not printed.
    assert paper_named("toloka").value("cup", "private", "third") is None


def test_there_is_no_other_paper() -> None:
    with pytest.raises(UsageError, match="Did you mean vizwiz"):
        paper_named("vizwizz")


def test_published_and_measured_never_share_a_column(toloka: Path, tmp_path: Path) -> None:
    public = run("toloka_vqa:test_public", toloka, "whole_image", tmp_path / "public")
    private = run("toloka_vqa:test_private", toloka, "whole_image", tmp_path / "private")
    found = made("toloka", public, private)
    (table,) = found.tables
    head, rows = wide(table)
    assert all(len(row) == len(head) for row in rows)
    assert [title for title in head if "test" in title] == [
        "published: public test", "measured: public test", "published: private test", "measured: private test",
    ]  # fmt: skip
    by_name = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    whole = by_name["whole image"]
    assert whole["published: public test"] == "–"
    value = score(public).metrics["mean_iou"].value
    assert value is not None
    assert whole["measured: public test"].startswith(f"{value:.4f} [")
    assert whole["measured on"] == "test_public, test_private"
    second = by_name["2nd: OFA in three stages"]
    assert second["published: private test"] == "0.76342"
    assert second["measured: private test"] == "–"
    kinds = {(row[1], row[4]) for row in values(found)}
    assert ("whole image", "measured") in kinds
    assert ("whole image", "published") not in kinds


def test_a_file_finds_its_split_by_its_ids(toloka: Path) -> None:
    paper, mine = paper_named("toloka"), toloka / "mine.csv"
    mine.write_bytes((toloka / "test_private.csv").read_bytes())
    with pytest.raises(UsageError, match="its ids are in toloka_vqa:test_public and in toloka_vqa:test_private"):
        paper_runs(paper, [mine], DataPlace(root=toloka))
    (found,) = paper_runs(paper, [mine], DataPlace("toloka_vqa:test_private", toloka))
    assert found.loaded.data.name == "toloka_vqa:test_private"
    public = (toloka / "test_public.csv").read_text()
    (toloka / "test_public.csv").write_text(public.replace("/0000", "/9999"))
    (found,) = paper_runs(paper, [mine], DataPlace(root=toloka))
    assert found.loaded.data.name == "toloka_vqa:test_private"


def test_the_publishers_file_is_the_crowds_row(toloka: Path) -> None:
    crowd = toloka / "test_private_crowd_baseline.csv"
    crowd.write_bytes((toloka / "test_private.csv").read_bytes())
    told = made("toloka", crowd, root=toloka)
    row = next(row for row in told.tables[0].rows if row.method == "crowd, non-experts")
    assert row.cells[1].measured is not None
    assert row.cells[1].measured.value == 1.0
    assert row.cells[1].published is not None
    # The other split is still to be measured.
    how = next(one for one in told.how if one.method == "crowd, non-experts")
    assert list(how.splits) == ["test_public"]


def test_commands_that_are_given_run(toloka: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for split in ("test_public", "test_private"):
        (toloka / f"{split}_crowd_baseline.csv").write_bytes((toloka / f"{split}.csv").read_bytes())
    found = made("toloka", root=toloka)
    lines = [line for how in found.how for line in how.lines if line.startswith("foveate ")]
    assert len(lines) == 2 + 2 * 2 * 2
    for line in lines:
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.output)
    filled = made("toloka", *sorted((tmp_path / "runs").iterdir()))
    assert {how.method for how in filled.how if how.lines[0].startswith("Files")} == {"crowd, non-experts"}


def test_what_is_not_built_says_so_and_gives_no_command() -> None:
    for name in PAPERS:
        for how in made(name).how:
            if how.method == "MAC-Caps, the best of these four":
                assert how.lines == ["Which of the four it is, and the values of the others, are not at hand."]
                continue
            built = any(line.startswith("foveate ") for line in how.lines)
            assert built != how.lines[0].startswith("Not built here yet: it needs ")


def test_the_six_baselines_stand_in_the_first_table_with_the_way_to_each() -> None:
    found = made("vizwiz")
    shown = {row.method: row.cells[0].published for row in found.tables[0].rows}
    six = [name for name in shown if name.startswith(("OSCAR", "LXMERT", "MAC-Caps trained on"))]
    assert len(six) == 6
    values = {name: told.value for name in (*six, "MAC-Caps, the best of these four") if (told := shown[name])}
    assert sorted(values.values()) == [0.1548, 0.2209, 0.2743]
    how = {one.method: one.lines for one in found.how}
    for name in six:
        asks = [shlex.split(line) for line in how[name] if line.startswith("foveate ground ")]
        assert asks, name
        for asked in asks:
            method = asked[asked.index("--grounder") + 1]
            assert config_of(method, dict(one.split("=", 1) for one in asked if "=" in one))
    assert any(line.startswith("curl -LO https://") for line in how[six[0]])
    assert any(line.startswith("foveate train lxmert_vizwiz ") for line in how[six[1]])


@pytest.mark.parametrize(
    ("trained", "row"),
    [
        ("clevr:train", "MAC-Caps trained on CLEVR"),
        ("vizwiz_vqa:train", "MAC-Caps trained on VizWiz-VQA"),
        ("scenes:train", "mac_caps"),
    ],
)
def test_a_run_stands_in_the_row_of_what_it_was_trained_on(
    trained: str, row: str, vizwiz: Path, tmp_path: Path
) -> None:
    file = plugins.load("grounders", "mac_caps").write_tiny(tmp_path)["file"]
    told = read_checkpoint(Path(file))
    card = told.card.model_copy(update={"trained_on": {**told.card.trained_on, "dataset": trained}})
    write_checkpoint(Path(file), told.arrays, card)
    ground("vizwiz_grounding:val", root=vizwiz, grounder="mac_caps", out=tmp_path / "run", config={"file": file})
    found = made("vizwiz", tmp_path / "run")
    assert [one.method for one in found.tables[0].rows if one.cells[0].measured] == [row]


def test_size_columns_are_over_their_targets_alone(vizwiz: Path, tmp_path: Path) -> None:
    (results,) = paper_runs(
        paper_named("vizwiz"), [run("vizwiz_grounding:val", vizwiz, "whole_image", tmp_path / "w")], DataPlace()
    )
    coverage = coverage_of(results.truths)
    # The whole photo overlaps a target by just the target's share.
    assert results.regions["iou"] == pytest.approx(coverage)
    size = next(
        table
        for table in paper_report(paper_named("vizwiz"), [results], draws=QUICK).tables
        if table.table.key == "size"
    )
    (row,) = size.rows
    for cell, column in zip(row.cells, size.table.columns, strict=True):
        assert cell.measured is not None
        inside = coverage[(coverage >= column.low) & (coverage < (column.high or 0))]
        assert cell.measured.n == len(inside)
        assert cell.measured.value == (pytest.approx(inside.mean()) if len(inside) else None)
    thirds, bands = [cell.measured for cell in row.cells[:3]], [cell.measured for cell in row.cells[3:]]
    assert sum(one.n for one in thirds if one) == sum(one.n for one in bands if one) == len(results)


def test_without_answers_the_correct_have_no_value_and_a_reason(vizwiz: Path, tmp_path: Path) -> None:
    found = made("vizwiz", run("vizwiz_grounding:val", vizwiz, "centre_box", tmp_path / "c"))
    row = next(row for row in found.tables[0].rows if row.method.startswith("centre box"))
    correct = row.cells[1].measured
    assert correct is not None
    assert (correct.value, correct.n) == (None, 0)
    assert "c, correct: no value, since the predictions have no answers" in undefined(found)
    maps = next(table for table in found.tables if table.table.key == "map")
    assert [row.method for row in maps.rows] == [row.method for row in maps.rows if row.method.startswith("centre")]


def test_two_runs_of_one_method_on_one_split_have_two_rows(toloka: Path, tmp_path: Path) -> None:
    both = [run("toloka_vqa:test_public", toloka, "whole_image", tmp_path / name) for name in ("one", "two")]
    rows = [row.method for row in made("toloka", *both).tables[0].rows]
    assert [name for name in rows if name.startswith("whole image")] == ["whole image (one)", "whole image (two)"]


def test_what_the_paper_does_not_know_stands_at_the_end(toloka: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_bytes((toloka / "test_public.csv").read_bytes())
    last = made("toloka", mine, root=toloka, dataset="toloka_vqa:test_public").tables[0].rows[-1]
    assert (last.method, last.inputs) == ("mine.csv", "")
    assert last.cells[0].measured is not None
    assert last.cells[0].published is None


def test_what_cannot_be_put_into_the_tables(toloka: Path, vizwiz: Path, tmp_path: Path) -> None:
    other = run("vizwiz_grounding:val", vizwiz, "whole_image", tmp_path / "w")
    with pytest.raises(InputError, match="the tables of toloka are about toloka_vqa"):
        made("toloka", other)
    with pytest.raises(UsageError, match="does not say which split"):
        made("vizwiz", toloka / "test_public.csv")
    strange = tmp_path / "strange.csv"
    strange.write_bytes(
        (toloka / "train_sample.csv").read_bytes().replace(b".png", b"-x.png").replace(b".jpg", b"-x.jpg")
    )
    with pytest.raises(InputError, match="ids that the data set does not have"):
        made("toloka", strange, root=toloka)


def test_coverage_is_not_known_without_a_size_or_target() -> None:
    assert np.isnan(coverage_of([Truth("a"), Truth("b", targets=(Target(Box((0, 0, 1, 1))),))])).all()
