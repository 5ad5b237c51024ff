"""All chapters that numbers alone can tell, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.analysis.columns import Analysis
from foveate.analysis.compare import Difference
from foveate.reports.analysis.boundary import boundary_section
from foveate.reports.analysis.coverage import coverage_section
from foveate.reports.analysis.differences import comparison_section
from foveate.reports.analysis.grouped import grouped_sections
from foveate.reports.analysis.location import location_section
from foveate.reports.analysis.overview import overview_section
from foveate.reports.sections.parts import Section


def chapters(
    analyses: Sequence[Analysis], top: int = 10, differences: Sequence[Difference] | None = None
) -> list[Section]:
    """Returns the chapters of a report: overview, location, coverage, boundary, each grouping, comparison.

    Args:
        analyses: The data set that was asked for, then those that it is held against.
        top: At most so many groups of each kind are drawn; tables have all.
        differences: Between the data sets, where they are at hand.

    Raises:
        UnavailableError: Matplotlib is not installed.

    References:
        Chen, Anjum, Gurari, CVPR 2022, section 3.2 and supplement III.
    """
    comparison = comparison_section(analyses, differences)
    return [
        overview_section(analyses),
        *([comparison] if comparison else []),
        location_section(analyses, top),
        coverage_section(analyses),
        boundary_section(analyses),
        *grouped_sections(analyses, top),
    ]
