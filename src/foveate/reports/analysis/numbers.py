"""The numbers that figures, tables and sentences of an analysis are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.analysis import summaries
from foveate.analysis.columns import Analysis
from foveate.analysis.rules import thirds
from foveate.reports.sections.numbers import Values


def share(values: Values, hold: NDArray[np.bool_]) -> float | None:
    """Returns the share of the defined values that `hold`; None where there is none."""
    return summaries.share(hold[np.isfinite(values)])


def sizes(coverage: Values) -> tuple[int, int, int]:
    """Returns how many targets are small, medium and large, by thirds of the photo.

    Example:
        >>> sizes(np.array([0.1, 1 / 3, 0.9]))
        (1, 1, 1)
    """
    small, medium, large = np.bincount(thirds(coverage), minlength=3).tolist()
    return small, medium, large


def names_of(analyses: Sequence[Analysis]) -> list[str]:
    """Returns the names of the data sets; one that comes again (from another folder) has its number behind."""
    seen: Counter[str] = Counter()
    names = []
    for analysis in analyses:
        seen[analysis.name] += 1
        again = seen[analysis.name]
        names.append(analysis.name if again == 1 else f"{analysis.name} ({again})")
    return names
