"""The entries of the load on a challenge: the cup's public test with noise on its boxes, and what each must get."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
from typer.testing import CliRunner

SPLIT = "public"
DATASET = "toloka_vqa:test_public"
_SIDES = ("left", "top", "right", "bottom")


def write_entries(data: Path, folder: Path, teams: int, each: int) -> dict[tuple[int, int], Path]:
    """Writes one table a team and turn, no two alike: the crowd's boxes, each moved at random; returns the files.

    The further down a team stands the more noise it has, so that scores spread over the whole board.
    """
    with (data / "test_public_crowd_baseline.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    boxes = np.array([[float(row[side]) for side in _SIDES] for row in rows])
    sizes = np.array([[float(row["width"]), float(row["height"])] for row in rows])
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for team in range(teams):
        for turn in range(each):
            path = folder / f"team-{team}-entry-{turn}.csv"
            draw = np.random.default_rng([team, turn])
            spread = 0.3 * (team + 1) / teams * (1 + turn / each)
            if not path.exists():
                _write(path, rows, _moved(boxes, sizes, draw, spread))
            made[team, turn] = path
    return made


def _moved(boxes: Any, sizes: Any, draw: np.random.Generator, spread: float) -> Any:
    """Returns boxes whose sides are moved by shares of the box, kept on their photos and at least a pixel large."""
    lengths = np.tile(boxes[:, 2:] - boxes[:, :2], 2)
    moved = np.rint(boxes + draw.normal(0, spread, boxes.shape) * lengths)
    low = np.clip(np.minimum(moved[:, :2], moved[:, 2:]), 0, sizes - 1)
    high = np.clip(np.maximum(moved[:, :2], moved[:, 2:]), low + 1, sizes)
    return np.hstack([low, high])


def _write(path: Path, rows: list[dict[str, str]], boxes: Any) -> None:
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["image", *_SIDES])
        table.writerows([row["image"], *map(int, box)] for row, box in zip(rows, boxes, strict=True))


def expected(path: Path, data: Path) -> dict[str, Any]:
    """Returns the metrics that `foveate score` prints of a file: values and intervals, all digits; kept beside it."""
    from foveate.cli._app import app

    kept = path.with_suffix(".scores.json")
    if not kept.exists():
        words = ["score", str(path), "--dataset", DATASET, "--root", str(data), "--json"]
        done = CliRunner().invoke(app, words)
        if done.exit_code:
            raise RuntimeError(done.output)
        kept.write_text(done.stdout)
    found: dict[str, Any] = json.loads(kept.read_text())["metrics"]
    return found
