"""`foveate challenge check-entry`: an entry's file checked as the server checks it, and as soon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli.plugin_lists import Json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foveate.challenges.checking import Checked
    from foveate.challenges.definition import Phase
    from foveate.core.boxes import SizeHW

File = Annotated[
    Path, typer.Argument(readable=False, metavar="FILE", help="The entry: CSV, zip or folder of masks, JSON or JSONL.")
]
FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", readable=False, help="The challenge's folder, for organisers.", show_default=False),
]
PhaseOption = Annotated[
    str | None, typer.Option("--phase", help="The phase of the folder; its only one by default.", show_default=False)
]
QuestionsOption = Annotated[
    Path | None,
    typer.Option("--questions", readable=False, help="The questions of the starter kit.", show_default=False),
]
ZeroOption = Annotated[
    bool, typer.Option("--missing-zero", help="With --questions: samples without a row count 0, as the phase says.")
]
FormOption = Annotated[
    list[str] | None,
    typer.Option("--form", help="With --questions: a form that the phase takes; several times for several."),
]


def check_entry(
    file: File,
    folder: FolderOption = None,
    phase: PhaseOption = None,
    questions: QuestionsOption = None,
    missing_zero: ZeroOption = False,
    form: FormOption = None,
    as_json: Json = False,
) -> None:
    """Check an entry's file, by ids, sizes, forms and values: all problems, as the server tells them.

    Leaves with 3 where there are any.

    Example: foveate challenge check-entry answer.csv --questions questions.csv
    """
    from dataclasses import asdict

    from foveate.challenges.checking import check
    from foveate.cli._output import print_json

    said, sizes = _asked(folder, phase, questions, missing_zero, form or [])
    found = check(file, sizes, said)
    if as_json:
        print_json({**asdict(found), "ok": found.ok})
    else:
        _print(found)
    if not found.ok:
        raise typer.Exit(3)


def _asked(
    folder: Path | None, phase: str | None, questions: Path | None, missing_zero: bool, forms: Sequence[str]
) -> tuple[Phase, Mapping[str, SizeHW | None]]:
    from dataclasses import replace

    from foveate.challenges.checking_questions import sizes_of
    from foveate.challenges.definition import Phase
    from foveate.errors import UsageError, did_you_mean
    from foveate.runs.forms import WRITERS

    if (folder is None) == (questions is None):
        raise UsageError(
            "check-entry", "it needs --folder or --questions, one of them", "Give the starter kit's questions."
        )
    if questions is not None:
        if phase is not None:
            raise UsageError("--phase", "it names a phase of a folder", "Give it with --folder.")
        for form in forms:
            if form not in WRITERS:
                raise UsageError("--form", f"there is no form {form}", did_you_mean(form, WRITERS))
        said = Phase("entry", "Entry", "practice", "questions", forms=tuple(forms) or Phase.forms)
        return replace(said, missing="zero") if missing_zero else said, sizes_of(questions)
    return _of_folder(folder or Path(), phase)


def _of_folder(folder: Path, name: str | None) -> tuple[Phase, Mapping[str, SizeHW | None]]:
    from foveate.challenges import toml
    from foveate.challenges.definition import DataReference
    from foveate.datasets._open import open_dataset
    from foveate.errors import UsageError, did_you_mean

    challenge = toml.read(folder)
    names = [phase.name for phase in challenge.phases]
    if name is None and len(names) != 1:
        raise UsageError("--phase", f"the challenge has {len(names)} phases", f"Name one: {', '.join(names)}.")
    chosen = name or names[0]
    if chosen not in names:
        raise UsageError("--phase", f"there is no phase {chosen}", did_you_mean(chosen, names))
    phase = challenge.phase(chosen)
    data: DataReference = challenge.data[phase.data]
    opened = open_dataset(data.dataset, data.root, questions=data.questions, settings=data.settings)
    pairs = opened.pairs(with_images=False)
    return phase, {truth.id: truth.size_hw or query.size_hw for query, truth in pairs}


def _print(found: Checked) -> None:
    from foveate.cli._output import say

    for problem in found.problems:
        say(f"{problem.said} {problem.remedy}")
    states = ", ".join(f"{state} {count:,}" for state, count in found.counts_by_status.items()) or "none"
    if found.untold > 0:
        say(f"and {found.untold:,} more")
    what = "It can be sent" if found.ok else f"{found.problem_count:,} problem{'s' * (found.problem_count != 1)}"
    say(f"{what}. Form {found.form}; {found.n:,} samples asked about; predictions: {states}")
