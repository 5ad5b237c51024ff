"""Questions for participants, written anew from queries: no column of targets can slip along."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from foveate.challenges.definition import Phase
from foveate.challenges.phases import when
from foveate.core.queries import Query
from foveate.formats.toloka_csv import QUESTION_COLUMNS
from foveate.sources.new_files import new_file

Form = Literal["toloka", "vizwiz", "jsonl"]
# The file of each form.
NAMES: dict[Form, str] = {"toloka": "questions.csv", "vizwiz": "questions.json", "jsonl": "questions.jsonl"}


def may_be_had(phase: Phase, now: datetime) -> bool:
    """Returns whether participants may have the questions of a phase: those of a container never leave the server."""
    return phase.kind != "reproduction" and when(phase, now) != "before"


def targets_may_be_had(phase: Phase, now: datetime) -> bool:
    """Returns whether participants may have the targets too."""
    return phase.kind == "practice" and phase.targets == "open" and may_be_had(phase, now)


def form_for(phase: Phase, queries: Sequence[Query]) -> Form:
    """Returns the form in which a phase's questions are written: that of the official data where it holds them all.

    The cup's table and VizWiz's JSON name a sample by its photo; what they cannot hold becomes JSON lines.
    """
    by_photo = all(query.id == query.image_name and query.given_answer is None for query in queries)
    sized = all(query.size_hw is not None for query in queries)
    if by_photo and sized and "toloka" in phase.forms:
        return "toloka"
    if by_photo and sized and "vizwiz" in phase.forms:
        return "vizwiz"
    return "jsonl"


def write_questions(queries: Sequence[Query], form: Form, out: Path) -> None:
    """Writes questions to a new file.

    Raises:
        OutputError: It is there already, or cannot be written.
    """
    with new_file(out) as file:
        file.write(text_of(queries, form).encode())


def text_of(queries: Sequence[Query], form: Form) -> str:
    """Returns the text of such a file."""
    return {"toloka": _csv, "vizwiz": _json, "jsonl": _jsonl}[form](queries)


def _csv(queries: Sequence[Query]) -> str:
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(QUESTION_COLUMNS)
    for query in queries:
        height, width = query.size_hw or (0, 0)
        table.writerow([query.image_name, width, height, query.question])
    return out.getvalue()


def _json(queries: Sequence[Query]) -> str:
    records = {}
    for query in queries:
        height, width = query.size_hw or (0, 0)
        records[query.image_name] = {"question": query.question, "height": height, "width": width}
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _jsonl(queries: Sequence[Query]) -> str:
    lines = []
    for query in queries:
        height, width = query.size_hw or (None, None)
        given = {
            "id": query.id,
            "image": query.image_name,
            "width": width,
            "height": height,
            "question": query.question,
            "given_answer": query.given_answer,
        }
        lines.append(json.dumps({key: value for key, value in given.items() if value is not None}, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)
