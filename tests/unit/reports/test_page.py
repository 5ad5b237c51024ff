"""What the page shows of values, runs and samples, and who is told how far it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from foveate import plugins
from foveate.core.regions import Box
from foveate.errors import UsageError
from foveate.evaluation.compare import Draws
from foveate.evaluation.load import DataPlace
from foveate.reports.report import report
from foveate.reports.stages import Stages
from foveate.reports.study import REPORT_METRICS, study
from foveate.reports.totals import MetricRow, metric_rows
from tests.helpers import Sides
from tests.unit.reports.made import Page, answering, write_run, write_table

WHOLE: Sides = (0.0, 0.0, 64.0, 48.0)
LEFT: Sides = (0.0, 0.0, 32.0, 48.0)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Two questions without answers, and three runs: `left` is right, `whole` half right, `none` shows nothing."""
    table = write_table(tmp_path / "data", [("a", "Where?", LEFT, ""), ("b", "Where else?", LEFT, "")])
    for name, sides in (("left", LEFT), ("whole", WHOLE), ("none", None)):
        shape = None if sides is None else Box(sides)
        write_run(tmp_path / name, table, [answering(sample, shape, None) for sample in "ab"])
    return tmp_path


class Heard:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int]] = []
        self.steps: list[int] = []

    def begin(self, what: str, total: int, done: int) -> None:
        self.stages.append((what, total))
        self.steps.append(done)

    def advance(self) -> None:
        self.steps[-1] += 1


def page_of(folder: Path, *names: str, **options: object) -> Page:
    out = folder / "r.html"
    report([folder / name for name in names], out, resamples=20, permutations=20, **{"depth": None, **options})  # type: ignore[arg-type]
    return Page(out.read_text(encoding="utf-8"))


def rows_of(folder: Path, *names: str, metrics: tuple[str, ...]) -> list[MetricRow]:
    return metric_rows(study([folder / n for n in names], DataPlace(None, None), metrics, Draws(0, 0, 0), Stages()))


def test_what_has_no_value_says_why_in_this_case(made: Path) -> None:
    (row,) = rows_of(made, "left", "whole", metrics=("exact_match",))
    assert row.reason == "the data set has no answers"
    page = page_of(made, "left", metrics=("mean_iou", "exact_match"))
    assert "exact match ↑ higher is better n/a the data set has no answers" in page.text


def test_a_run_without_a_value_beside_one_with_it_says_why(made: Path) -> None:
    (row,) = rows_of(made, "left", "none", metrics=("aurc",))
    assert row.reason is None
    assert row.whys == (None, "the predictions have no scores")
    page = page_of(made, "left", "none", metrics=("aurc",))
    assert "none n/a the predictions have no scores" in page.text


def test_without_a_reason_the_cards_rules_are_shown(made: Path) -> None:
    found = study([made / "left"], DataPlace(None, None), ("exact_match",), Draws(0, 0, 0), Stages())
    (run,) = found.runs
    values = {name: replace(value, undefined=None) for name, value in run.evaluation.metrics.items()}
    silent = replace(found, runs=[replace(run, evaluation=replace(run.evaluation, metrics=values))])
    assert metric_rows(silent)[0].reason == plugins.load("metrics", "exact_match").CARD.states


def test_each_difference_says_on_which_side_the_run_is_better(made: Path) -> None:
    page = page_of(made, "left", "whole", metrics=("mean_iou", "aurc"))
    text = page.text.partition("Differences from left")[2]
    assert "mean IoU ↑ higher is better −0.5000 −0.5000 to −0.5000 better → " in text
    assert "AURC ↓ lower is better +0.5000 +0.5000 to +0.5000 ← better " in text


def test_the_accepted_answers_have_a_column_only_where_there_are_any(made: Path) -> None:
    page = page_of(made, "left")
    assert "answers" not in page.values("data-column")
    table = write_table(made / "asked", [("a", "What?", LEFT, "cup")])
    write_run(made / "told", table, [answering("a", Box(LEFT), "cup")])
    report([made / "told"], made / "s.html", resamples=0, depth=None)
    assert "answers" in Page((made / "s.html").read_text(encoding="utf-8")).values("data-column")


def test_long_limits_beside_other_runs_are_folded(made: Path) -> None:
    path = made / "left" / "predictions.jsonl"
    path.write_text(path.read_text().replace("Knows `nothing`.", "Knows nothing. " * 20))
    page = page_of(made, "left", "whole")
    assert "Its limits" in "".join(page.texts["summary"])
    assert "its limits Knows nothing. Ref" in page.text  # The other's, which are short, stand as they are.
    report([made / "left"], made / "s.html", resamples=0, depth=None)
    assert "Its limits" not in (made / "s.html").read_text(encoding="utf-8")


def test_pictures_of_several_runs_say_how_many_they_are(made: Path) -> None:
    page = page_of(made, "left", "whole", "none")
    assert {"views of-3"} == {value for value in page.values("class") if value.startswith("views")}


def test_who_waits_is_told_each_stage_and_step(made: Path) -> None:
    heard = Heard()
    report([made / "left", made / "whole"], made / "r.html", resamples=0, permutations=0, depth=None, progress=heard)
    assert [what for what, _ in heard.stages] == ["measuring left", "measuring whole", "comparing", "photos"]
    assert heard.steps == [total for _, total in heard.stages]
    assert heard.stages[-1] == ("photos", 2)


def test_every_sample_alone_draws_nothing(made: Path) -> None:
    # So much drawing would take years, and more memory than there is.
    heard = Heard()
    report([made / "left", made / "whole"], made / "r.csv", resamples=10**12, permutations=10**12, progress=heard)
    assert (made / "r.csv").read_text().count("\n") == 3
    assert [what for what, _ in heard.stages] == ["measuring left", "measuring whole"]
    with pytest.raises(UsageError, match="Did you mean mean_iou"):
        report([made / "left"], made / "s.csv", metrics=("mean_uoi",))


def test_the_docs_list_the_usual_metrics() -> None:
    docs = (Path(__file__).parents[3] / "docs" / "reports.md").read_text(encoding="utf-8")
    told = docs.partition("The usual ones are ")[2].partition(". ")[0]
    assert [name for name in told.split("`") if name in plugins.modules("metrics") or "@" in name] == list(
        REPORT_METRICS
    )
