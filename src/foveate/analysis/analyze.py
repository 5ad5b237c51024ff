"""A data set analysed: measured, parted, and told as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from foveate.analysis.columns import Analysis, Columns, Group
from foveate.analysis.compare import Difference, compare
from foveate.analysis.complexity import DEFAULT_BINS, Points
from foveate.analysis.groups import MOST_FACTS, facts_left_out, groupings
from foveate.analysis.measure import Measured, measure, unmeasured
from foveate.analysis.published import has_published
from foveate.analysis.rules import THIRDS, thirds, whole
from foveate.analysis.summaries import mean, share, summary
from foveate.analysis.text_counts import text_as_json
from foveate.analysis.text_elsewhere import Text
from foveate.datasets._open import Dataset, open_dataset
from foveate.datasets._options import HiddenError
from foveate.errors import UsageError, some

DEFAULT_TOP = 50
# Beside the first analysis, where there are several.
OF_SEVERAL = ("against", "differences")
# Beside it, where the photos were read.
OF_PHOTOS = "text"


def analyze(
    dataset: str,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    by: Sequence[str] = (),
    bins: int = DEFAULT_BINS,
    points: Points = "vertices",
    settings: Mapping[str, str] | None = None,
    only_one_region: bool = False,
    skip_invalid: bool = False,
) -> Analysis:
    """Returns what the targets of a data set are like: where they lie, how large and how intricate they are, by what.

    Args:
        dataset: `NAME` or `NAME:SPLIT`.
        root: The folder of the data set.
        questions: The table of questions, for the data set `folder`.
        by: Facts to part the samples by beside those that have few values.
        bins: Bins of boundary complexity.
        points: `vertices` as they were drawn, which the paper's values demand, or `contour`, dense.
        settings: Further options of the data set, by name.
        only_one_region: Leave out samples without exactly one target, as the paper's comparison does.
        skip_invalid: Pass over rows that cannot be taken; they are counted in the notes.

    Raises:
        UsageError: A name or option is unknown.
        InputError: A file or row is broken.

    References:
        Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022,
        section 3.2 and supplement III.
    """
    data = open_dataset(
        dataset,
        root,
        questions=questions,
        skip_invalid=skip_invalid,
        settings=settings,
        only_one_region=only_one_region,
    )
    return analyze_data(data, by=by, bins=bins, points=points)


def analyze_data(
    data: Dataset,
    *,
    by: Sequence[str] = (),
    bins: int = DEFAULT_BINS,
    points: Points = "vertices",
    hidden: bool = False,
) -> Analysis:
    """Returns what the targets of an opened data set are like; see `analyze`.

    Args:
        data: The data set.
        by: As for `analyze`.
        bins: As for `analyze`.
        points: As for `analyze`.
        hidden: Take a data set whose targets are hidden for one without targets, for the sake of its photos.

    Raises:
        HiddenError: The targets are hidden, and that is not allowed.
    """
    if bins < 2:
        raise UsageError(f"--bins {bins}", "entropy needs at least 2 bins", f"The default is {DEFAULT_BINS}.")
    told = []
    try:
        measured = measure(data, bins=bins, points=points)
    except HiddenError as error:
        if not hidden:
            raise
        measured, told = unmeasured(data, points, bins), [f"the targets are hidden: {error.fault}"]
    notes = told + _notes(data, measured) + _left_out(facts_left_out(measured.columns.facts, by))
    parted = groupings(measured.columns, by)
    return Analysis(_title(data), measured.n, measured.columns, parted, measured.complexity, notes)


def _title(data: Dataset) -> str:
    """Returns what an analysis is called: own data, which all have one name, by their file or folder."""
    return f"own:{data.root.name}" if data.card.name == "own" and data.root else data.name


def as_json(analysis: Analysis, top: int = DEFAULT_TOP) -> dict[str, Any]:
    """Returns an analysis as plain values, the shape of `foveate analyze --json` (docs/analyze.md).

    Args:
        analysis: The analysis.
        top: At most so many groups of each grouping.
    """
    columns = analysis.columns
    told: dict[str, Any] = {
        "dataset": analysis.name,
        "n": analysis.n,
        "n_grounded": len(columns),
        **_of_all(columns),
        "complexity": {
            "points": analysis.complexity.points,
            "bins": analysis.complexity.bins,
            "median": summary(columns.complexity).median,
            "zero_share": share(_there(columns.complexity) == 0),
            "zero_share_by_bins": {str(bins): value for bins, value in analysis.complexity.sensitivity.items()},
        },
        "quality": {},
        "by_question": {},
        "by_answer": {},
        "notes": list(analysis.notes),
    }
    taken = {*told, *OF_SEVERAL, OF_PHOTOS} - {"quality"}
    for name, grouping in analysis.groupings.items():
        # A column of one's own may be called as a measure is.
        key = f"by_{name}" if name in taken | {"question", "answer"} else name
        told[key] = {group.key: of_group(columns, group) for group in grouping.groups[:top]}
    return told


def as_json_of(
    analyses: Sequence[Analysis],
    top: int = DEFAULT_TOP,
    *,
    differences: Sequence[Difference] | None = None,
    text: Text | None = None,
) -> dict[str, Any]:
    """Returns the first analysis as plain values; of several, with the others and the differences to them.

    Args:
        analyses: The analyses.
        top: At most so many groups of each grouping.
        differences: What `compare` gives of them, where that is at hand.
        text: What was read in the photos of the first, if it was.
    """
    first, *others = (as_json(analysis, top) for analysis in analyses)
    if text is not None:
        first[OF_PHOTOS] = text_as_json(text, analyses[0])
    if not others:
        return first
    compared = compare(analyses) if differences is None else differences
    rows = [
        {name: None if value is not None and value != value else value for name, value in asdict(found).items()}
        for found in compared
    ]
    return first | dict(zip(OF_SEVERAL, (others, rows), strict=True))


def of_group(columns: Columns, group: Group) -> dict[str, Any]:
    """Returns the means of one group as plain values."""
    rows = group.rows
    return {
        "n": len(rows),
        "coverage": mean(columns.coverage[rows]),
        "coverage_median": summary(columns.coverage[rows]).median,
        "points": mean(columns.points[rows]),
        "complexity": mean(columns.complexity[rows]),
        "x": mean(columns.centre[rows, 0]),
        "y": mean(columns.centre[rows, 1]),
    }


def _of_all(columns: Columns) -> dict[str, Any]:
    x, y, coverage = summary(columns.centre[:, 0]), summary(columns.centre[:, 1]), summary(columns.coverage)
    sizes = np.bincount(thirds(columns.coverage), minlength=3).tolist()
    is_whole = whole(columns)
    return {
        "location": {"x": {"mean": x.mean, "sd": x.sd}, "y": {"mean": y.mean, "sd": y.sd}},
        "coverage": {"mean": coverage.mean, "median": coverage.median, "q1": coverage.q1, "q3": coverage.q3},
        "size_thirds": dict(zip(THIRDS, sizes, strict=True)),
        "whole_image": {"n": int(is_whole.sum()), "share": share(is_whole)},
        "points": {"mean": mean(columns.points), "four_share": share(_there(columns.points) == 4)},
        "parts": {"mean": mean(columns.parts.astype(np.float64)), "one_share": share(columns.parts == 1)},
    }


def _left_out(facts: list[str]) -> list[str]:
    more = f"samples are parted by the first {MOST_FACTS} facts; --by takes any of {len(facts):,} more: {some(facts)}"
    return [more] if facts else []


def _there(values: Any) -> Any:
    return values[~np.isnan(values)]


def _notes(data: Dataset, measured: Measured) -> list[str]:
    notes = list(data.remarks)
    stated = data.card.splits[data.split]
    if stated and measured.n != stated and not data.only_one_region:
        notes.append(
            f"{measured.n:,} samples, where the publisher states {stated:,}: this is a part, or another version"
        )
    total = sum(count or 0 for count in data.card.splits.values())
    if stated and total > stated and has_published(data.name):
        notes.append(f"published values are of the whole set where nothing else is said; {data.name} is a part of it")
    if data.only_one_region:
        notes.append("samples without exactly one target are left out")
    if data.skipped:
        notes.append(f"invalid rows passed over: {len(data.skipped):,}, the first: {data.skipped[0]}")
    left_out = {
        "the size of their photo is not known": measured.unsized,
        "too small to hold the middle of a pixel": measured.pixelless,
    }
    notes += [f"left out, {why}: {len(names):,}, {some(list(names))}" for why, names in left_out.items() if names]
    return notes
