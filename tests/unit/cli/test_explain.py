"""`foveate explain` from the outside: a folder of questions, stored runs, tables and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from foveate.cli.explain import explain
from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from foveate.errors import UsageError
from tests.unit.reports.made import QUESTIONS, SIZE, answering, write_run, write_table

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("explain")(explain)
GRID = np.array([[0.9, 0.1], [0.1, 0.1]], dtype=np.float32)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words], catch_exceptions=True)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "photos", QUESTIONS, photos=False)


@pytest.fixture
def made(table: Path, tmp_path: Path) -> Path:
    """One hit with a right answer, one region elsewhere with a right one, one rightly silent, one failure."""
    soft = SoftMap.over(GRID, SIZE)
    predictions = [
        answering("a", Box((0, 0, 32, 24)), "cup", soft),
        answering("b", Box((50, 40, 64, 48)), "box", soft),
        answering("c", None, None),
        Prediction("d", "error", size_hw=SIZE, reason="it broke"),
    ]
    return write_run(tmp_path / "run", table, predictions)


def test_the_tables_for_a_person(made: Path) -> None:
    done = run(made, "--resamples", 50)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert any(line.startswith("elsewhere") and " 1 " in line and " b " in line for line in lines)
    assert any(line.startswith("failed") for line in lines)
    assert not any(line.startswith("too_big") for line in lines)
    assert "Without a target: 1 rightly without a region, 0 with a needless one, 0 failed or missing." in lines
    assert "The run has no candidates beside its final regions, so that there is no best of them." in lines
    assert "Score maps cut at a share of each map's highest value (2 maps)" in lines
    assert any(
        line.startswith("A threshold that is chosen on the samples it is tested on is an oracle") for line in lines
    )
    assert "Right for the wrong reason:" in lines
    assert "The run's option threshold is 0.5; the run does not say on which of the two scales." in lines


def test_json_has_all_of_it(made: Path, tmp_path: Path, table: Path) -> None:
    other = write_run(tmp_path / "other", table, [answering("a", None, None)])
    done = run(made, other, "--json", "--resamples", 20, "--hit", 0.25)
    found = json.loads(done.stdout)
    assert found["dataset"] == "folder:all"
    first, second = found["runs"]
    assert (first["name"], second["name"]) == ("run", "other")
    kinds = {one["name"]: one["n"] for one in first["anatomy"]["classes"]}
    assert (kinds["hit"], kinds["elsewhere"], kinds["failed"]) == (1, 1, 1)
    assert first["anatomy"]["tree"]["hit"] == first["answers"]["hit"] == 0.25
    assert [one["name"] for one in first["ladder"]["rungs"]][0] == "now"
    assert [one["scale"] for one in first["sweeps"]] == ["peak", "absolute"]
    assert all(one["caveat"] for one in first["sweeps"])
    assert second["sweeps"] == []
    assert second["answers"]["undefined"] == "the predictions have no answers"
    assert any("the run is not finished" in note for note in found["notes"])


def test_people_are_the_ceiling_and_no_run(made: Path, table: Path, tmp_path: Path) -> None:
    crowd = tmp_path / "crowd.csv"
    crowd.write_text("image,left,top,right,bottom,id\n0.png,0,0,32,24,a\n1.png,16,12,48,36,b\n", encoding="utf-8")
    place = ("--dataset", "folder", "--root", table.parent, "--questions", table)
    done = run(made, "--people", crowd, *place, "--json", "--resamples", 0)
    (only,) = json.loads(done.stdout)["runs"]
    last = only["ladder"]["rungs"][-1]
    assert (last["name"], last["needs"]) == ("people", "As good as people: crowd.csv.")
    assert last["value"]["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("hit", ["0", "1.5", "nan"])
def test_a_threshold_that_is_none(made: Path, hit: str) -> None:
    done = run(made, "--hit", hit)
    assert isinstance(done.exception, UsageError)
    assert str(done.exception).startswith(f"--hit {hit}: ")


def test_a_judge_that_there_is_not(tmp_path: Path) -> None:
    done = run(tmp_path / "nothing", "--judge", "exakt")
    assert isinstance(done.exception, UsageError)
    assert "Did you mean exact" in str(done.exception)
