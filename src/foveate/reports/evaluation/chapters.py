"""All chapters on where and why runs fail, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.evaluation.compare import Draws
from foveate.evaluation.estimates import Draws as Resamples
from foveate.evaluation.explain import Asked, Explanation, explain
from foveate.evaluation.priors_beside import priors_beside
from foveate.evaluation.results import Results
from foveate.reports.evaluation.anatomy import anatomy_section
from foveate.reports.evaluation.answer_evidence import answer_evidence_section
from foveate.reports.evaluation.oracles import oracles_section
from foveate.reports.evaluation.priors_beside import priors_beside_section
from foveate.reports.evaluation.slices import CROSS, slices_section
from foveate.reports.evaluation.sweep import sweep_section
from foveate.reports.sections.parts import Section
from foveate.reports.stages import Stages


@dataclass(frozen=True)
class Depth:
    """How deep a report goes.

    Attributes:
        by: Slicings (`foveate.evaluation.slices.slicings_named`).
        cross: Pairs of slicings.
        prior: A file of `foveate analyze --prior`; runs are set beside what it knows.
    """

    by: Sequence[str] = ("all",)
    cross: Sequence[tuple[str, str]] = CROSS
    prior: Path | None = None


Maker = Callable[[], Section | None]


def chapters(results: Sequence[Results], depth: Depth, draws: Draws, stages: Stages) -> list[Section]:
    """Returns the chapters of runs on the same samples; one that has nothing to say is left out.

    Args:
        results: The first is what the others are compared with.
        depth: What is asked for.
        draws: For intervals and p-values.
        stages: Are told each chapter.

    Raises:
        UsageError: There is no such slicing.
        UnavailableError: Matplotlib is not installed.
    """
    explained: list[Explanation] = []

    def explanations() -> list[Explanation]:
        if not explained:
            asked = Asked(draws=Resamples(draws.resamples, draws.seed))
            explained.extend(explain(one, asked) for one in results)
        return explained

    makers: list[Maker] = [
        lambda: priors_beside_section([priors_beside(one, depth.prior, draws) for one in results]),
        lambda: anatomy_section([one.anatomy for one in explanations()]),
        lambda: slices_section(results, draws, by=depth.by, cross=depth.cross),
        lambda: answer_evidence_section([one.answers for one in explanations()]),
        lambda: oracles_section([one.ladder for one in explanations()]),
        lambda: sweep_section([sweep for one in explanations() for sweep in one.sweeps], [one.name for one in results]),
    ]
    stages.begin("looking where and why", len(makers))
    made = []
    for maker in makers:
        section = maker()
        made += [section] if section else []
        stages.advance()
    return made
