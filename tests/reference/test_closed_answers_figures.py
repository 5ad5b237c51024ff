"""How well the default grounder counts and says yes and no; the figures: `python benchmarks/closed_answers.py`."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers import REPOSITORY, SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


@pytest.fixture(scope="module")
def benchmark() -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "benchmarks" / "closed_answers.py"))


def test_counts_on_held_out_photos_are_nearer_than_always_one(benchmark: dict[str, Any]) -> None:
    there, crowded = benchmark["annotated"](SHARED / "coco" / "instances.json")
    held_out = [pair for pair in sorted(there) if benchmark["split_of"](pair) == "held-out"]
    pairs = [pair for pair in held_out if pair not in crowded]
    absent = [pair for pair in benchmark["absent_pairs"](sorted(there)) if benchmark["split_of"](pair) == "held-out"]
    names = {pair: benchmark["plural"](pair[1]) for pair in (*pairs, *absent)}
    found = benchmark["answers"](SHARED, {pair: f"How many {name} are there?" for pair, name in names.items()})
    wanted = np.array([there[pair] for pair in (*pairs, *absent)])
    off = np.abs(np.array([int(found[pair].answer or 0) for pair in (*pairs, *absent)]) - wanted)
    assert (len(pairs), len(absent)) == (113, 118)
    # Of what is there, fewer are counted than at 0.01, so that "no" and "0" go together; of what is not, more are 0.
    assert (off[: len(pairs)] == 0).mean() >= 0.5
    assert (off[len(pairs) :] == 0).mean() >= 0.9
    assert off.mean() <= 0.5 < np.abs(1 - wanted).mean()


@pytest.mark.slow
def test_presence_on_held_out_photos(benchmark: dict[str, Any]) -> None:
    there, _ = benchmark["annotated"](SHARED / "coco" / "instances.json")
    held_out = [pair for pair in sorted(there) if benchmark["split_of"](pair) == "held-out"]
    absent = [pair for pair in benchmark["absent_pairs"](sorted(there)) if benchmark["split_of"](pair) == "held-out"]
    assert (len(held_out), len(absent)) == (118, 118)
    names = {pair: benchmark["article"](benchmark["shown"](pair[1])) for pair in (*held_out, *absent)}
    found = benchmark["answers"](SHARED, {pair: f"Is there {name}?" for pair, name in names.items()})
    assert np.mean([found[pair].answer == "yes" for pair in held_out]) >= 0.74
    assert np.mean([found[pair].answer == "no" for pair in absent]) >= 0.92


def test_without_the_samples_the_benchmark_says_where_they_belong(
    benchmark: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert benchmark["main"](tmp_path) == 1
    assert str(tmp_path / "coco") in capsys.readouterr().out
