"""The report of an analysis, put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from foveate.analysis.columns import Analysis
from foveate.analysis.compare import Difference
from foveate.analysis.text_elsewhere import Text
from foveate.datasets._open import Dataset
from foveate.evaluation.wording import counted
from foveate.execution.ground import RunProgress
from foveate.reports.analysis.chapters import chapters
from foveate.reports.analysis.looks import Wanted, looks
from foveate.reports.analysis.papers import papers_section
from foveate.reports.sections.write import Written, check_place, write_report

# More box plots under each other would be no picture any more.
MOST_BOXES = 10


def make_report(
    data: Sequence[Dataset],
    analyses: Sequence[Analysis],
    out: Path,
    *,
    top: int,
    wanted: Wanted,
    differences: Sequence[Difference] | None = None,
    text: Text | None = None,
    progress: RunProgress | None = None,
) -> Written:
    """Writes the report of data sets: the first, and those that it is compared with.

    Args:
        data: The data sets.
        analyses: Of each.
        out: The folder.
        top: At most so many groups of each kind are drawn, ten where it is more; tables have all.
        wanted: What of the photos is looked at.
        differences: Between the data sets, where they are at hand.
        text: What was read in the photos of the first, where that is at hand.
        progress: Is told how far it is.

    Raises:
        OutputError: The folder holds something else, cannot be written, or is where the priors are to lie.
        UnavailableError: What draws the figures is not installed.
    """
    check_place(out, wanted.prior)
    sections = chapters(analyses, min(top, MOST_BOXES), differences)
    beside = papers_section(analyses)
    sections += [beside] if beside else []
    sections += looks(data[0], analyses[0], wanted, data[1:], progress, text)
    first, *others = analyses
    title = first.name if not others else f"{first.name} beside {', '.join(other.name for other in others)}"
    parts = [f"{a.name}: {counted(a.n, 'sample')}, {len(a.columns):,} with a target" for a in analyses]
    lead = f"{'; '.join(parts)}. {data[0].card.title}: {data[0].card.summary}" if not others else f"{'; '.join(parts)}."
    return write_report(out, title, lead, sections)
