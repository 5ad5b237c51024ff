"""Analyses as rows of text, for a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from foveate.analysis.columns import Analysis, Grouping
from foveate.analysis.compare import compare
from foveate.analysis.groups import largest_groups
from foveate.analysis.published import Published, published_of
from foveate.analysis.rules import THIRDS, thirds, whole
from foveate.analysis.summaries import mean, share, summary
from foveate.evaluation.wording import percent
from foveate.reports._text import plain
from foveate.reports.analysis.titles import measure_of

NOTHING = "n/a"
DIRECTION = "A difference is the other data set's mean less the first's: above 0 the other has more."


def overview_rows(analysis: Analysis) -> list[list[str]]:
    """Returns measure, value and what is published, of all samples with a target."""
    columns = analysis.columns
    x, y, coverage = summary(columns.centre[:, 0]), summary(columns.centre[:, 1]), summary(columns.coverage)
    points, known = columns.points[~np.isnan(columns.points)], columns.complexity[~np.isnan(columns.complexity)]
    sizes = np.bincount(thirds(columns.coverage), minlength=len(THIRDS)).tolist()
    measured = {
        "x": ("centre x (share of the width)", _spread(x.mean, x.sd)),
        "y": ("centre y (share of the height)", _spread(y.mean, y.sd)),
        "coverage": ("coverage, mean", number(coverage.mean)),
        "coverage_median": ("coverage, median", number(coverage.median)),
        "thirds": (f"coverage by thirds: {', '.join(THIRDS)}", ", ".join(f"{size:,}" for size in sizes)),
        "whole_image": ("whole image (coverage above 0.95)", percent(share(whole(columns)))),
        "points": ("points, mean", number(mean(points), 2)),
        "four": ("targets of four points", percent(share(points == 4))),
        "complexity": (_complexity_title(analysis), number(summary(known).median)),
        "zero": ("boundary complexity of 0", percent(share(known == 0))),
        "parts": ("targets of one connected part", percent(share(columns.parts == 1))),
    }
    return [
        [title, value, _beside(published_of(analysis.name, measure))] for measure, (title, value) in measured.items()
    ]


def group_rows(analysis: Analysis, grouping: Grouping, top: int) -> list[list[str]]:
    """Returns the largest groups: key, samples, mean coverage, points and centre."""
    columns = analysis.columns
    return [
        [
            plain(group.key),
            f"{len(group.rows):,}",
            number(mean(columns.coverage[group.rows])),
            number(mean(columns.points[group.rows]), 1),
            number(mean(columns.centre[group.rows, 0])),
            number(mean(columns.centre[group.rows, 1])),
        ]
        for group in largest_groups(grouping, top)
    ]


def difference_rows(analyses: Sequence[Analysis]) -> list[list[str]]:
    """Returns how the further data sets differ from the first, measure by measure."""
    return [
        [
            measure_of(found.measure),
            found.other,
            number(found.mean_first),
            number(found.mean_other),
            f"{found.difference:+.3f}",
            NOTHING if math.isnan(found.low) else f"{found.low:+.3f} to {found.high:+.3f}",
            f"{found.cliff:+.2f}",
            NOTHING if found.cohen is None else f"{found.cohen:+.2f}",
        ]
        for found in compare(analyses)
    ]


def number(value: float | None, digits: int = 3) -> str:
    """Returns a value with so many digits, or that it is not there."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def _complexity_title(analysis: Analysis) -> str:
    how = analysis.complexity
    return f"boundary complexity, median ({how.points}, {how.bins} bins)"


def _spread(mean_value: float | None, sd: float | None) -> str:
    return NOTHING if mean_value is None else f"{mean_value:.3f} ± {sd:.3f}"


def _beside(value: Published | None) -> str:
    if value is None or value.mean is None:
        return ""
    spread = f" ± {value.sd:g}" if value.sd is not None else ""
    told = percent(value.mean) if value.measure == "whole_image" else f"{value.mean:g}{spread}"
    return f"{told} ({value.over})"
