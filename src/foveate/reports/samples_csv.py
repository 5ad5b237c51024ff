"""Every sample as a table row, for those who go on in a spreadsheet or a notebook."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from foveate.reports.rows import Row, Said

_OF_SAMPLE = ("id", "image", "question", "answers", "coverage")
_OF_RUN = ("status", "iou", "score", "answer", "correct", "left", "top", "right", "bottom", "reason")


def samples_csv(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Returns one line a sample: what it is, and what each run said; with several runs their name is before the column.

    `answers` are the accepted ones, the most common first, with `|` between; `left` to `bottom` is the box around the
    predicted region. What is not there is empty.
    """
    prefixes = [f"{name}: " for name in names] if len(names) > 1 else [""]
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([*_OF_SAMPLE, *(f"{prefix}{column}" for prefix in prefixes for column in _OF_RUN)])
    for row in rows:
        answers = "|".join(answer for answer, _ in row.answers)
        told = [row.truth.id, row.photo, row.question, answers, row.coverage]
        writer.writerow([*told, *(value for said in row.said for value in _values(said))])
    return table.getvalue()


def _values(said: Said) -> list[Any]:
    final = said.prediction.final if said.prediction else None
    sides = final.shape.xyxy if final else (None,) * 4
    reason = said.prediction.reason if said.prediction else None
    correct = None if said.correct is None else int(said.correct)
    return [said.state, said.iou, said.score, said.answer, correct, *sides, reason]
