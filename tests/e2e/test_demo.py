"""`foveate demo` from its table to its report; needs the photos, which `make test` fetches first."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.cli import demo as demo_module
from foveate.cli._app import app
from foveate.datasets.photos import CARD, members
from foveate.evaluation.score import score
from foveate.sources.pinned import fetch
from tests.helpers import write


def demo(out: Path, *words: str, grounder: str = "whole_image") -> str:
    done = CliRunner().invoke(app, ["demo", "--out", str(out), "--grounder", grounder, *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_prints_what_it_scored_and_leaves_a_run_a_report_and_the_photos(tmp_path: Path) -> None:
    shown = demo(tmp_path / "out")
    value = score(tmp_path / "out" / "run", resamples=0).metrics["mean_iou"]
    last = next(line for line in shown.splitlines() if line.startswith("all of these"))
    assert last.split()[3:] == [str(value.n), f"{value.value:.2f}", "0", "of", str(value.n)]
    assert "were rightly left without a region" in shown
    assert "Of 11 questions that the photos do not answer, 0 " in shown
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert CARD.title in page
    for member, path in fetch(members()).items():
        assert (tmp_path / "out" / "photos" / member.name).read_bytes() == path.read_bytes()


def test_again_with_another_method_replaces_the_first(tmp_path: Path) -> None:
    demo(tmp_path)
    demo(tmp_path, grounder="centre_box")
    assert score(tmp_path / "run", resamples=0).about["grounder"] == "centre_box"
    assert "centre_box" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_demo_that_was_cut_off_is_replaced(tmp_path: Path) -> None:
    demo(tmp_path)
    run = tmp_path / "run" / "predictions.jsonl"
    run.write_text("\n".join([run.read_text().splitlines()[0], "broken", '{"id":']))
    demo(tmp_path)
    assert score(tmp_path / "run", resamples=0).counts["ok"] == 70


@pytest.mark.parametrize("taken", ["report.html", "run/notes.txt"])
def test_what_no_demo_wrote_is_left_alone(tmp_path: Path, taken: str) -> None:
    (tmp_path / "run").mkdir()
    mine = write(tmp_path / taken, "mine")
    done = CliRunner().invoke(app, ["demo", "--out", str(tmp_path), "--grounder", "whole_image"])
    assert done.exit_code != 0
    assert mine.read_text() == "mine"


def test_the_report_is_opened_where_there_is_a_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    for screen in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(screen, raising=False)
    demo_module._show(tmp_path / "report.html")
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    demo_module._show(tmp_path / "report.html")
    assert opened == [(tmp_path / "report.html").as_uri()]
