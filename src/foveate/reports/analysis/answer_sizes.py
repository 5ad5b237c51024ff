"""The paper's table of answers: how large their targets are, and of how many points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Analysis, Grouping
from foveate.analysis.rules import CANVAS_PIXELS, is_colour
from foveate.analysis.summaries import mean
from foveate.reports.analysis.numbers import names_of
from foveate.reports.sections.parts import Cell, Table

_TITLE = "Sizes by answer, without colours"
_HEAD = ("size, pixels", "size, pixels sd", "size %", "points", "images", "n")
_FOLD = "More tables: sizes by answer, as the paper lists them"


def answer_tables(analyses: Sequence[Analysis], having: Mapping[int, Grouping]) -> list[Table]:
    """Returns the table of all answers, and the one without colours.

    References:
        Chen, Anjum, Gurari, CVPR 2022, Table 4.
    """
    names = names_of(analyses)
    lines: list[tuple[str, Sequence[Cell]]] = [
        (group.key, ([names[n]] if len(analyses) > 1 else []) + _cells(analyses[n], group.rows))
        for n, grouping in having.items()
        for group in grouping.groups
        if len(group.rows)
    ]
    about = (
        f"Means; the size is in pixels of the canvas of 400 × 500 on which targets are drawn: coverage times "
        f"{CANVAS_PIXELS:,}. Images are different photos."
    )
    head = ("answer", *(["data set"] if len(analyses) > 1 else []), *_HEAD)
    without = [(key, cells) for key, cells in lines if not is_colour(key)]
    left = len(lines) - len(without)
    told = f"{about} As in the paper, answers that are nothing but colours are left out: {left:,} of {len(lines):,}."
    tables = (
        ("answer_sizes", "Sizes by answer", about, lines),
        ("answer_sizes_without_colours", _TITLE, told, without),
    )
    digits, parted = {"size, pixels": 0, "size, pixels sd": 0}, "data set" if len(analyses) > 1 else ""
    return [
        Table(name, title, text, head, [[k, *c] for k, c in rows], 1, digits, parted, fold=_FOLD)
        for name, title, text, rows in tables
    ]


def _cells(analysis: Analysis, rows: NDArray[np.int64]) -> list[Cell]:
    columns = analysis.columns
    covered = columns.coverage[rows]
    images = len({columns.photos[row] for row in rows})
    share = float(covered.mean())
    size = CANVAS_PIXELS * share, CANVAS_PIXELS * float(covered.std())
    return [*size, 100 * share, mean(columns.points[rows]), images, len(covered)]
