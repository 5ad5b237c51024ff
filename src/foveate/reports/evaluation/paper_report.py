"""`foveate report --paper`: a paper's tables with what was measured of runs, in every form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.errors import UsageError
from foveate.evaluation.ceiling import Ceiling, ceiling
from foveate.evaluation.estimates import Draws
from foveate.evaluation.load import DataPlace
from foveate.evaluation.paper_runs import paper_runs
from foveate.evaluation.papers import PaperReport, method_of
from foveate.evaluation.papers import paper_report as tables_of
from foveate.evaluation.published import Paper, paper_named
from foveate.evaluation.results import Results
from foveate.reports.evaluation.ceiling import ceiling_section
from foveate.reports.evaluation.papers import papers_section
from foveate.reports.sections.latex import latex
from foveate.reports.sections.markdown import markdown_of
from foveate.reports.sections.parts import Section
from foveate.reports.sections.write import check_place, write_report
from foveate.sources.new_files import new_file

FORMS = (".md", ".tex", ".json")


@dataclass(frozen=True, eq=False)
class PaperMade:
    """A paper's tables, and what people reach on each split that runs are of."""

    tables: PaperReport
    ceilings: Mapping[str, Ceiling]

    @property
    def sections(self) -> list[Section]:
        """The chapters."""
        found = [papers_section(self.tables)]
        return found + [ceiling_section(one, name) for name, one in self.ceilings.items()]


def paper_report(
    name: str,
    sources: Sequence[Path | str],
    place: DataPlace,
    out: Path | None = None,
    *,
    draws: Draws | None = None,
    tolerant: bool = False,
) -> PaperMade:
    """Returns a paper's tables with what was measured of runs, and writes them.

    Args:
        name: The paper's: `vizwiz` or `toloka`.
        sources: Runs and files, as `score` takes them, on any of its splits; none for what is published alone.
        place: Where the data set is; runs know their own.
        out: A `.md`, `.tex` or `.json` file, or a folder for a page with its tables as CSV; None writes nothing.
        draws: For the intervals.
        tolerant: Whether people's boundaries are forgiven as well.

    Raises:
        UsageError: There is no such paper or form.
        InputError: A run is about another data set, or is broken.
        OutputError: It cannot be written.
    """
    paper = paper_named(name)
    if out is not None:
        _check(out)
    runs = paper_runs(paper, sources, place)
    root = None if place.root is None else str(place.root)
    made = PaperMade(
        tables_of(paper, runs, root=root, draws=draws),
        {split: _ceiling(paper, of, draws, tolerant) for split, of in _by_split(runs).items()},
    )
    if out is not None:
        _write(made, out)
    return made


def _check(out: Path) -> None:
    suffix = out.suffix.lower()
    if not suffix:
        check_place(out)
    elif suffix not in FORMS:
        raise UsageError(
            str(out), "its suffix is that of no form of these tables", f"Use {', '.join(FORMS)}, or a folder."
        )


def _by_split(runs: Sequence[Results]) -> dict[str, list[Results]]:
    found: dict[str, list[Results]] = {}
    for run in runs:
        found.setdefault(run.loaded.data.name, []).append(run)
    return found


def _ceiling(paper: Paper, runs: Sequence[Results], draws: Draws | None, tolerant: bool) -> Ceiling:
    """Returns what people reach on one split; runs may have been asked other parts of it than the crowd was."""
    people = next((run for run in runs if (method := method_of(paper, run)) and method.people), None)
    others = [run for run in runs if run is not people]
    if not others:
        return ceiling(runs[:1], draws=draws, tolerant=tolerant)
    same = [run for run in others if _ids(run) == _ids(others[0])]
    theirs = people if people and _ids(people) == _ids(others[0]) else None
    return ceiling(same, theirs, draws=draws, tolerant=tolerant)


def _ids(run: Results) -> list[str]:
    return [truth.id for truth in run.truths]


def _write(made: PaperMade, out: Path) -> None:
    title = f"{made.tables.paper.title}: published and measured"
    if not out.suffix:
        write_report(out, title, made.tables.paper.citation, made.sections)
        return
    with new_file(out) as file:
        file.write(_text(made, title, out.suffix.lower()).encode("utf-8", "backslashreplace"))


def _text(made: PaperMade, title: str, suffix: str) -> str:
    if suffix == ".json":
        ceilings = {name: one.as_dict() for name, one in made.ceilings.items()}
        return json.dumps({**made.tables.as_dict(), "ceilings": ceilings}, indent=1, ensure_ascii=False) + "\n"
    return latex(made.sections) if suffix == ".tex" else markdown_of(title, made.sections)
