"""All chapters on where and why runs fail, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from foveate.errors import InputError
from foveate.evaluation.ceiling import ceiling
from foveate.evaluation.compare import Draws
from foveate.evaluation.controls import read_controls
from foveate.evaluation.estimates import Draws as Resamples
from foveate.evaluation.explain import Asked, Explanation, explain
from foveate.evaluation.leakage import leakage
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.priors_beside import priors_beside
from foveate.evaluation.results import Results, results_of
from foveate.evaluation.significance import significance
from foveate.evaluation.touched_by import touched_by
from foveate.execution.controls import AS_IS
from foveate.reports.evaluation.anatomy import anatomy_section
from foveate.reports.evaluation.answer_evidence import answer_evidence_section
from foveate.reports.evaluation.ceiling import ceiling_section
from foveate.reports.evaluation.controls import controls_section
from foveate.reports.evaluation.leakage import leakage_section
from foveate.reports.evaluation.oracles import oracles_section
from foveate.reports.evaluation.priors_beside import priors_beside_section
from foveate.reports.evaluation.significance import significance_section
from foveate.reports.evaluation.slices import CROSS, slices_section
from foveate.reports.evaluation.sweep import sweep_section
from foveate.reports.sections.parts import Section
from foveate.reports.stages import Stages
from foveate.runs.store import is_run, read_run


@dataclass(frozen=True)
class Depth:
    """How deep a report goes.

    Attributes:
        by: Slicings (`foveate.evaluation.slices.slicings_named`).
        cross: Pairs of slicings.
        prior: A file of `foveate analyze --prior`; runs are set beside what it knows.
        people: What people drew for the same samples, as predictions: the ceiling.
        touched: A table of samples that may have been seen (`foveate.evaluation.touched_by`).
        controls: The folder of control runs of `foveate controls`.
    """

    by: Sequence[str] = ("all",)
    cross: Sequence[tuple[str, str]] = CROSS
    prior: Path | None = None
    people: Path | None = None
    touched: Path | None = None
    controls: Path | None = None


@dataclass(frozen=True, eq=False)
class _Made:
    """The chapters one by one, so that what several need is found once."""

    results: Sequence[Results]
    depth: Depth
    draws: Draws

    @property
    def makers(self) -> Sequence[Callable[[], Section | None]]:
        return (
            self.ranks,
            self.priors,
            lambda: anatomy_section([one.anatomy for one in self.explained]),
            lambda: slices_section(self.results, self.draws, by=self.depth.by, cross=self.depth.cross),
            lambda: answer_evidence_section([one.answers for one in self.explained]),
            lambda: oracles_section([one.ladder for one in self.explained]),
            self.sweeps,
            self.ceiling,
            self.leakage,
            self.controls,
        )

    @cached_property
    def resamples(self) -> Resamples:
        return Resamples(self.draws.resamples, self.draws.seed)

    @cached_property
    def explained(self) -> list[Explanation]:
        return [self._explained(one) for one in self.results]

    def _explained(self, results: Results) -> Explanation:
        asked = Asked(draws=self.resamples)
        try:
            return explain(results, asked, people=self.people)
        except InputError:
            # The pictures say of each map why it cannot be read; the rest of the report is none the worse.
            return explain(results, asked, people=self.people, with_maps=False)

    @cached_property
    def people(self) -> Results | None:
        if self.depth.people is None:
            return None
        data = self.results[0].loaded.data
        place = DataPlace(data.name, data.root, data.questions, settings=data.settings)
        theirs = results_of(self.depth.people.name, load(self.depth.people, place))
        if [truth.id for truth in theirs.truths] != [truth.id for truth in self.results[0].truths]:
            raise InputError(
                str(self.depth.people),
                f"it is about {len(theirs):,} samples, the runs about {len(self.results[0]):,}",
                "Give what people drew for the same samples.",
            )
        return theirs

    def ranks(self) -> Section | None:
        defined = all(one.regions["grounded"].any() for one in self.results)
        several = len(self.results) > 1 and defined
        return significance_section(significance(self.results, draws=self.draws)) if several else None

    def priors(self) -> Section | None:
        return priors_beside_section([priors_beside(one, self.depth.prior, self.draws) for one in self.results])

    def sweeps(self) -> Section | None:
        found = [sweep for one in self.explained for sweep in one.sweeps]
        return sweep_section(found, [one.name for one in self.results])

    def ceiling(self) -> Section | None:
        found = ceiling(self.results, self.people, draws=self.resamples, tolerant=False)
        # Where people are not known there is nothing that a chapter could say of them.
        return ceiling_section(found) if found.n or found.crowd else None

    def controls(self) -> Section | None:
        folder, data = self.depth.controls, self.results[0].loaded.data
        if folder is None:
            return None
        # Runs know where their data was; where it is now, the runs of the report know.
        place = DataPlace(data.name, data.root, data.questions, settings=data.settings)
        told = read_run(folder / AS_IS).header.dataset if is_run(folder / AS_IS) else data.name
        if told != data.name:
            raise InputError(
                str(folder),
                f"its controls are on {told}, the runs on {data.name}",
                "Give controls on the same data set.",
            )
        return controls_section(read_controls(folder, place, Draws(self.draws.resamples, 0, self.draws.seed)))

    def leakage(self) -> Section | None:
        path = self.depth.touched
        if path is None:
            return None
        first = self.results[0].loaded
        ids = touched_by(path, first.data.name, first.queries)
        return leakage_section([leakage(one, ids, source=str(path), draws=self.resamples) for one in self.results])


def chapters(results: Sequence[Results], depth: Depth, draws: Draws, stages: Stages) -> list[Section]:
    """Returns the chapters of runs on the same samples; one that has nothing to say is left out.

    Args:
        results: The first is what the others are compared with.
        depth: What is asked for.
        draws: For intervals and p-values.
        stages: Are told each chapter.

    Raises:
        UsageError: There is no such slicing.
        InputError: A file that is asked for is broken, or about other samples.
        UnavailableError: Matplotlib is not installed.
    """
    makers = _Made(results, depth, draws).makers
    stages.begin("looking where and why", len(makers))
    made = []
    for maker in makers:
        section = maker()
        made += [section] if section else []
        stages.advance()
    return made
