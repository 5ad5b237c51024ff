"""A label audit from files: the labels, the runs, and the folder that comes of them."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.datasets._open import Dataset, fingerprint
from foveate.errors import InputError, OutputError
from foveate.evaluation._audit_text import text_signs
from foveate.evaluation.audit import SIGNS, Audit, audit, labels_of
from foveate.evaluation.load import DataPlace
from foveate.evaluation.results import all_results
from foveate.evaluation.suspects import ORIGIN, TABLE, origin_text
from foveate.evaluation.verdicts import read_verdicts
from foveate.evaluation.wording import counted
from foveate.execution.ground import RunProgress
from foveate.reports.audit.page import cards_of, page
from foveate.reports.sections.write import AUDIT, check_place, write_files

PAGE = "index.html"
TOP = 200


@dataclass(frozen=True)
class Text:
    """How the text of photos is read: by how many processes, and where it is kept."""

    workers: int = 1
    cache: Path | None = None


def audit_data(
    data: Dataset,
    runs: Sequence[Path | str] = (),
    *,
    text: Text | None = None,
    top: int = TOP,
    out: Path | None = None,
    progress: RunProgress | None = None,
) -> tuple[Audit, dict[str, bytes]]:
    """Returns the labels of a data set that look wrong, and the files that show them.

    Args:
        data: The data set.
        runs: Runs or files of predictions on it; none is needed.
        text: Read the text of the photos that are at hand.
        top: How many labels are on the page, at most.
        out: The folder that they will lie in, as it is to be typed.
        progress: Is told how far that is.

    Raises:
        InputError: The data set or a run is broken, or they do not fit each other.
    """
    labels = labels_of(data)
    place = DataPlace(data.name, data.root, data.questions, settings=data.settings)
    results = all_results(runs, place) if runs else []
    more = text_signs(data, workers=text.workers, cache=text.cache, progress=progress) if text else None
    found = audit(labels, results, more=more)
    images = {query.id: query.image for query in labels.queries if query.image is not None}
    looking = [run for run in results if run.name in found.methods]
    cards = cards_of(found, labels, looking, images, top)
    files = {
        PAGE: page(found, cards, notes_of(found, top), fingerprint(list(labels.queries)), drawn_anew(out)),
        TABLE: audit_csv(found),
        ORIGIN: origin_text(data),
    }
    return found, {name: content.encode("utf-8", "backslashreplace") for name, content in files.items()}


def drawn_anew(out: Path | None) -> str:
    """Returns the command that has the suspicious labels of a folder drawn anew, exactly as it is to be typed."""
    return f"foveate annotate new fixes --audit {shlex.quote(str(out or 'AUDIT'))}"


def write_audit(out: Path, files: Mapping[str, bytes]) -> None:
    """Writes the folder of an audit; an earlier one is replaced, unless people wrote verdicts into its table.

    Raises:
        OutputError: The folder holds something else, or verdicts, or cannot be written.
    """
    check_out(out)
    write_files(out, files, AUDIT)


def check_out(out: Path) -> None:
    """Refuses a folder that the audit could not be written to, before any work is done.

    Raises:
        OutputError: There is something else, or a table with verdicts.
    """
    check_place(out, kind=AUDIT)
    table = out / TABLE
    try:
        judged = len(read_verdicts(table)) if table.is_file() else 0
    except InputError as error:
        raise OutputError(str(table), error.problem, "Move it away, or choose another --out.") from error
    if judged:
        raise OutputError(
            str(table), f"it holds {counted(judged, 'verdict')}, which would be lost", "Choose another --out."
        )


def notes_of(found: Audit, top: int) -> list[str]:
    """Returns what must be known beside the list."""
    notes = []
    if found.priors:
        notes.append(f"{', '.join(found.priors)}: the same few places for all photos, so no evidence about a label")
    if not found.methods:
        notes.append("no method's regions are beside the labels; only faults that a label shows by itself are found")
    elif len(found.methods) == 1:
        notes.append("with one method nothing can agree against a label; a second one finds more")
    if found.refused:
        shown = found.refused[0]
        notes.append(f"{counted(len(found.refused), 'row')} could not be taken at all, the first: {shown}")
    if len(found.suspects) > top:
        notes.append(f"the first {top:,} of {len(found.suspects):,} are shown; the table has all")
    return [*notes, *found.notes]


def audit_csv(found: Audit) -> str:
    """Returns one line a suspicious label; the column `verdict` is for people: wrong, right or unsure."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["rank", "id", "suspicion", "verdict", *SIGNS, "why"])
    for suspect in found.suspects:
        strengths = {sign.name: f"{sign.strength:.4f}" for sign in suspect.signs}
        told = [strengths.get(name, "") for name in SIGNS]
        writer.writerow([suspect.rank, suspect.id, f"{suspect.suspicion:.4f}", "", *told, suspect.why])
    return table.getvalue()
