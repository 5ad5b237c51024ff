"""The folder of a screening: written anew each time, but never over what a reviewer wrote."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from foveate.core.truths import Fact
from foveate.curation._agreed import shown_answer
from foveate.curation._reviews import Mark, is_filled, review_csv
from foveate.curation._rounds import REVIEWERS, ROUNDS, Round
from foveate.curation._screen import Outcome, listed, reasons
from foveate.errors import OutputError
from foveate.formats._sample_forms import Sample
from foveate.formats.csv_cells import safe_cell
from foveate.formats.samples_jsonl import line
from foveate.replaced_files import replace_file

MARKER = "curation.json"
_ELSEWHERE = "Choose another --out."


def check_folder(out: Path, dataset: str, fingerprint: str) -> None:
    """Refuses a folder that is not a screening of the same data, before any work is done.

    Raises:
        OutputError: It is a file, holds other things, or is a screening of other data.
    """
    marker = out / MARKER
    try:
        if not out.exists() or (out.is_dir() and not any(out.iterdir())):
            return
        if not out.is_dir():
            raise OutputError(str(out), "it is a file, not a folder", _ELSEWHERE)
        if not marker.is_file():
            raise OutputError(str(out), "it holds other things than a screening", _ELSEWHERE)
        held = json.loads(marker.read_text(encoding="utf-8"))
        theirs = str(held["dataset"]), str(held["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OutputError(str(marker), f"it cannot be read as that of a screening ({error})", _ELSEWHERE) from error
    if theirs != (dataset, fingerprint):
        raise OutputError(
            str(out),
            f"it is the screening of {theirs[0]} ({theirs[1][:12]}), not of {dataset} ({fingerprint[:12]})",
            _ELSEWHERE,
        )


def marker_text(dataset: str, fingerprint: str, rules: Mapping[str, Mapping[str, Any]]) -> str:
    """Returns what tells a folder as the screening of some data, and how it was made."""
    return json.dumps({"dataset": dataset, "fingerprint": fingerprint, "rules": rules}, indent=1) + "\n"


def tables(outcomes: Sequence[Outcome], line_of: Callable[[Outcome], str] | None = None) -> dict[str, str]:
    """Returns the tables of a screening by file name.

    Args:
        outcomes: Of all samples.
        line_of: Returns the line of a sample that is kept; made of the outcome itself by default.
    """
    as_line = line_of or kept_line
    removed = [(o.query.id, o.step, o.why) for o in outcomes if o.step is not None]
    flags = [(o.query.id, flag.rule, flag.why, o.query.question) for o in outcomes for flag in o.flags]
    trimmed = [(o.query.id, trim.rule, o.asked, o.query.question) for o in outcomes for trim in o.trims]
    return {
        "kept.jsonl": "".join(as_line(outcome) for outcome in outcomes if outcome.step is None),
        "removed.csv": _csv(("id", "step", "why"), removed),
        "flags.csv": _csv(("id", "rule", "why", "question"), flags),
        "trimmed.csv": _csv(("id", "rule", "asked", "question"), trimmed),
    }


def write_folder(out: Path, files: Mapping[str, str], outcomes: Sequence[Outcome]) -> list[Path]:
    """Writes the files and the lists for people; returns the lists that are filled in already and stay as they are.

    Args:
        out: The folder; it is made.
        files: Their texts by name; the marker comes first, so that a kill leaves a folder that can be gone on with.
        outcomes: Of all samples.

    Raises:
        OutputError: Something cannot be written.
    """
    try:
        (out / "review").mkdir(parents=True, exist_ok=True)
        for name in sorted(files, key=lambda name: name != MARKER):
            replace_file(out / name, files[name].encode())
        return [path for one in ROUNDS for path in _write_lists(out / "review", one, outcomes)]
    except OSError as error:
        raise OutputError(
            str(error.filename or out), f"it cannot be written ({error.strerror or error})", _ELSEWHERE
        ) from error


def list_csv(outcomes: Sequence[Outcome], one: Round, marks: Mapping[str, Mark] | None = None) -> str:
    """Returns the list of a round, with what a reviewer has filled in already.

    Args:
        outcomes: Of all samples.
        one: The round.
        marks: By the id of the sample.
    """
    rows = (
        (o.query.id, o.query.image_name, o.query.question, shown_answer(o.truth), "; ".join(reasons(o, one)))
        for o in listed(outcomes, one)
    )
    return review_csv(rows, marks)


def _write_lists(folder: Path, one: Round, outcomes: Sequence[Outcome]) -> list[Path]:
    text = list_csv(outcomes, one)
    stay = []
    for reviewer in REVIEWERS:
        path = folder / f"{one.name}.{reviewer}.csv"
        if path.exists() and is_filled(path):
            stay.append(path)
        else:
            replace_file(path, text.encode())
    return stay


def kept_line(outcome: Outcome) -> str:
    """Returns a sample in the canonical form: what is kept is a data set, and what screening found are its facts."""
    query, truth = outcome.query, outcome.truth
    found: dict[str, Fact] = {"asked": outcome.asked, "flags": tuple(flag.rule for flag in outcome.flags)}
    found |= {"flag_reasons": tuple(flag.why for flag in outcome.flags), "rounds_passed": tuple(outcome.passed)}
    answer = shown_answer(truth)
    found |= {"most_common_answer": answer} if answer else {}
    return line(Sample(query, replace(truth, facts={**truth.facts, **found}))).decode()


def _csv(head: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(map(safe_cell, row) for row in rows)
    return table.getvalue()
