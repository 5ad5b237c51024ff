"""Small analyses, made up and by hand, for the tests of their report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from foveate.analysis.columns import Analysis, Columns, Complexity, Group, Grouping


def analysis(
    coverage: Sequence[float],
    name: str = "made:val",
    *,
    groups: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
    notes: Sequence[str] = (),
    **columns: ArrayLike,
) -> Analysis:
    """Returns an analysis of samples whose targets cover so much; two photos more than targets, all else the same."""
    n = len(coverage)
    values = {
        "centre": np.full((n, 2), 0.5),
        "points": np.full(n, 4.0),
        "complexity": np.zeros(n),
        "parts": np.ones(n, dtype=np.int64),
        **{key: np.asarray(value) for key, value in columns.items()},
    }
    made = Columns(
        ids=[f"{k}" for k in range(n)],
        photos=[f"{k}.jpg" for k in range(n)],
        questions=["What?"] * n,
        answers=[None] * n,
        size_hw=np.full((n, 2), 100),
        coverage=np.asarray(coverage, dtype=np.float64),
        targets=np.ones(n, dtype=np.int64),
        facts={},
        **values,
    )
    return Analysis(name, n + 2, made, groupings(n, groups or {}), Complexity("vertices", 10, {10: 0.5}), notes)


def groupings(n: int, groups: Mapping[str, Mapping[str, Sequence[int]]]) -> dict[str, Grouping]:
    return {
        name: Grouping(name, [Group(key, np.array(rows, dtype=np.int64)) for key, rows in of.items()], n, "As made")
        for name, of in groups.items()
    }


def random(
    n: int, name: str = "made:val", seed: int = 0, **more: Mapping[str, Mapping[str, Sequence[int]]]
) -> Analysis:
    """Returns an analysis in which everything is spread."""
    rng = np.random.default_rng(seed)
    return analysis(
        rng.random(n).tolist(),
        name,
        groups=more.get("groups"),
        centre=rng.random((n, 2)),
        points=np.rint(3 + 30 * rng.random(n)),
        complexity=rng.random(n),
    )
