"""`foveate attention` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import typer
from typer.testing import CliRunner

from foveate.cli.attention import attention
from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from tests.unit.reports.made import QUESTIONS, SIZE, answering, write_run, write_table

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("attention")(attention)
GRID = np.array([[1.0, 0.25], [0.25, 0.25]], dtype=np.float32)


def made(folder: Path) -> Path:
    table = write_table(folder / "photos", QUESTIONS, photos=False)
    soft = SoftMap.over(GRID, SIZE)
    return write_run(folder / "run", table, [answering("a", Box((0, 0, 32, 24)), "cup", soft)])


def test_a_table_for_a_person_and_json(tmp_path: Path) -> None:
    run = str(made(tmp_path))
    shown = CliRunner().invoke(APP, [run, "--resamples", "20"], catch_exceptions=False)
    assert shown.exit_code == 0
    assert "run: from attention to region (1 map)" in shown.output
    found = json.loads(CliRunner().invoke(APP, [run, "--resamples", "20", "--json"]).stdout)
    (one,) = found["runs"]
    assert (one["n"], one["rule"]["threshold"]) == (1, 0.5)
    assert {row["option"] for row in one["choices"]} == {"reading", "normalise", "threshold", "region"}
