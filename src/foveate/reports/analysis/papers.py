"""The chapter that sets what papers publish beside what is measured here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.analysis.columns import Analysis
from foveate.analysis.compare import MEASURES, values_of
from foveate.analysis.published import Published, published
from foveate.analysis.summaries import summary
from foveate.reports.analysis.titles import group_of, measure_of
from foveate.reports.sections.parts import Cell, Section, Table

_HEAD = (
    "data set",
    "measure",
    "of which",
    "published",
    "published sd",
    "here",
    "here sd",
    "n here",
    "of what",
    "where",
)
_SHARES = ("whole_image", "text", "answer_in_text")


def papers_section(analyses: Sequence[Analysis]) -> Section | None:
    """Returns the chapter; None where no paper of ours says anything of these data sets.

    Args:
        analyses: What was measured here.
    """
    here = {analysis.name.partition(":")[0]: analysis for analysis in analyses}
    told = [value for value in published() if value.measure]
    if not any(value.data in here for value in told):
        return None
    rows = [_row(value, here.get(value.data)) for value in told]
    named = [value.data for value in published() if not value.measure]
    about = (
        "What is n/a under “here” was not measured, or is measured by another chapter. The paper compares further "
        f"sets, whose values are not at hand: {', '.join(named)}."
    )
    lead = (
        "Numbers of the papers, marked as published, beside those of the samples at hand. They are of other samples: "
        "the column “of what” says of which."
    )
    table = Table("published_beside", "Values", about, _HEAD, rows, parted="data set", whole=True)
    return Section("published", "Published beside measured", lead, [table])


def _row(value: Published, analysis: Analysis | None) -> list[Cell]:
    mean, sd, n = _measured(value, analysis)
    what = f"{measure_of(value.measure)}{', share' if value.measure in _SHARES else ''}"
    return [value.data, what, group_of(value.group), value.mean, value.sd, mean, sd, n, value.over, value.source]


def _measured(value: Published, analysis: Analysis | None) -> tuple[float | None, float | None, int | None]:
    """Returns mean, standard deviation and number of samples of what a paper speaks of, or nothing."""
    if analysis is None or value.measure not in MEASURES:
        return None, None, None
    values = values_of(analysis.columns, value.measure)
    if value.group:
        name, _, key = value.group.partition(": ")
        groups = analysis.groupings[name].groups if name in analysis.groupings else ()
        rows = next((group.rows for group in groups if group.key == key), np.empty(0, dtype=np.int64))
        values = values[rows]
    found = summary(values)
    return found.mean, found.sd if value.sd is not None else None, found.n or None
