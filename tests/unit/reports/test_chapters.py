"""The report's chapters on where and why: in the page, in a folder, as Markdown and LaTeX."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import pytest

from foveate.core.regions import Box
from foveate.errors import InputError, OutputError, UnavailableError, UsageError
from foveate.execution.controls import ground_controls
from foveate.reports.evaluation.chapters import Depth
from foveate.reports.report import report
from tests.unit.reports.made import QUESTIONS, Page, answering, write_run, write_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two runs on four samples: of one a region hits, of the other none."""
    table = write_table(tmp_path / "data", QUESTIONS)
    names = [question[0] for question in QUESTIONS]
    write_run(tmp_path / "one", table, [answering(name, Box((0, 0, 32, 24)), "cup") for name in names])
    write_run(tmp_path / "two", table, [answering(name, Box((40, 30, 60, 46)), "red") for name in names])
    return tmp_path


def keys(page: Page) -> list[str]:
    return [attributes["id"] for tag, attributes in page.elements if tag == "section" and "id" in attributes]


def written(folder: Path, name: str, *sources: str, **options: object) -> str:
    report([folder / source for source in sources], folder / name, resamples=20, permutations=20, **options)  # type: ignore[arg-type]
    return (folder / name).read_text(encoding="utf-8")


def test_chapters_stand_in_the_page_and_are_linked(folder: Path) -> None:
    page = Page(written(folder, "r.html", "one", "two"))
    there = keys(page)
    for key in ("significance", "priors_beside", "anatomy", "answer_evidence", "oracles"):
        assert key in there
        assert f"#{key}" in page.values("href")
    assert there.index("totals") < there.index("anatomy") < there.index("markdown")
    assert len(page.values("id")) == len(set(page.values("id")))
    labels = [name for value in page.values("aria-labelledby", "aria-describedby") for name in value.split()]
    assert set(labels) <= set(page.values("id"))


def test_chapters_can_be_read_without_seeing_them(folder: Path) -> None:
    page = Page(written(folder, "r.html", "one", "two"))
    for tag, attributes in page.elements:
        if tag == "svg":
            assert attributes.get("aria-label") if attributes.get("role") == "img" else "aria-hidden" in attributes
        if tag == "th":
            assert "scope" in attributes
        assert "style" not in attributes
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_slices_are_those_that_are_asked_for(folder: Path) -> None:
    page = Page(written(folder, "r.html", "one", depth=Depth(by=("coverage",))))
    assert "slices" in keys(page)
    assert "All slices by coverage in thirds" in page.text
    assert "--by coverage" in (folder / "r.html").read_text()


def test_tables_say_the_command_that_makes_their_chapters_too(folder: Path) -> None:
    seen = folder / "seen.csv"
    seen.write_text(f"id\n{QUESTIONS[0][0]}\n", encoding="utf-8")
    text = written(folder, "r.md", "one", depth=Depth(by=("coverage",), touched=seen))
    (made_by,) = (line for line in text.splitlines() if line.startswith("Made by "))
    assert made_by.endswith(f"--seed 0 --by coverage --touched {seen}")
    brief = written(folder, "brief.md", "one", depth=None)
    assert next(line for line in brief.splitlines() if line.startswith("Made by ")).endswith("--seed 0 --brief")


def test_one_run_is_not_ranked(folder: Path) -> None:
    assert "significance" not in keys(Page(written(folder, "r.html", "one")))


def test_brief_leaves_them_out(folder: Path) -> None:
    assert "anatomy" not in keys(Page(written(folder, "r.html", "one", depth=None)))
    assert "--brief" in (folder / "r.html").read_text()


def test_equal_runs_give_equal_bytes(folder: Path) -> None:
    assert written(folder, "a.html", "one", "two") == written(folder, "b.html", "one", "two")
    assert written(folder, "a.tex", "one", "two") == written(folder, "b.tex", "one", "two")


def test_a_folder_has_page_tables_and_figures(folder: Path) -> None:
    made = report([folder / "one", folder / "two"], folder / "r", resamples=20, permutations=20)
    files = {path.relative_to(folder / "r").as_posix() for path in (folder / "r").rglob("*") if path.is_file()}
    assert {"index.html", "report.md", "report.tex", "samples.csv", "tables/totals.csv", "tables/anatomy.csv"} <= files
    assert sum(name.endswith(".svg") for name in files) == sum(name.endswith(".png") for name in files) == made.figures
    assert sum(name.startswith("tables/") for name in files) == made.tables
    with (folder / "r" / "tables" / "totals.csv").open() as file:
        (mean,) = [row for row in csv.DictReader(file) if row["metric"] == "mean_iou"]
    # Of two targets that are 32 x 24 one each is hit by the first run; the second touches none of them.
    assert float(mean["one"]) > float(mean["two"])
    # An earlier report is replaced; anything else is not.
    report([folder / "one"], folder / "r", resamples=0, permutations=0)
    (folder / "data" / "x").mkdir()
    with pytest.raises(OutputError, match="holds no report"):
        report([folder / "one"], folder / "data", resamples=0, permutations=0)


def test_markdown_and_latex_have_the_tables_of_chapters(folder: Path) -> None:
    assert "## Kinds of errors" in written(folder, "r.md", "one", "two")
    text = written(folder, "r.tex", "one", "two")
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") > 5
    assert r"mean\_iou" in text


def test_an_unknown_slicing_and_people_of_other_samples_are_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="colour"):
        written(folder, "r.html", "one", depth=Depth(by=("colour",)))
    with pytest.raises((InputError, UsageError), match="crowd"):
        written(folder, "s.html", "one", depth=Depth(people=folder / "crowd.csv"))
    assert not (folder / "r.html").exists()


def test_controls_and_touched_samples_have_their_chapters(folder: Path) -> None:
    (folder / "touched.csv").write_text(f"id\n{QUESTIONS[0][0]}\n")
    page = Page(written(folder, "r.html", "one", depth=Depth(touched=folder / "touched.csv")))
    assert "leakage" in " ".join(keys(page))


def test_controls_are_read_where_the_runs_have_their_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foveate.execution.ground.check_photos", lambda *_, **__: None)
    data = folder / "data"
    table = next(data.glob("*.csv"))
    ground_controls("folder", data, questions=table, grounder="centre_box", out=folder / "c", only=["question_blanked"])
    data.rename(folder / "moved")
    place = {"root": folder / "moved", "questions": folder / "moved" / table.name}
    page = Page(written(folder, "r.html", "one", depth=Depth(controls=folder / "c"), **place))
    assert "controls" in keys(page)
    assert "centre_box on folder:all. It does not use the question" in page.text


def test_controls_on_other_data_are_refused(folder: Path) -> None:
    table = next((folder / "data").glob("*.csv"))
    ground_controls("folder", folder / "data", questions=table, grounder="centre_box", out=folder / "c", only=["as_is"])
    path = folder / "c" / "as_is" / "predictions.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("folder:all", "photos:all", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"its controls are on photos:all, the runs on folder:all"):
        written(folder, "r.html", "one", depth=Depth(controls=folder / "c"))


def test_without_matplotlib_it_is_said_at_once_what_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in ("r.html", "r.md", "r.tex", "r"):
        with pytest.raises(UnavailableError, match=r"need Matplotlib.*foveate\[analysis\].*--brief"):
            written(folder, name, "nowhere")
    assert "mean_iou" in written(folder, "brief.html", "one", depth=None)
    assert QUESTIONS[0][0] in written(folder, "r.csv", "one")
