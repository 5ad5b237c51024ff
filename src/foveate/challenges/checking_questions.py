"""Ids and sizes from the questions that participants are given, so that they check an entry at home."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Reading
from foveate.formats.toloka_csv import QUESTION_COLUMNS, read_toloka
from foveate.formats.vizwiz_json import read_vizwiz

_TAKE = "Take the questions of the starter kit, as they are."


def sizes_of(path: Path) -> Mapping[str, SizeHW | None]:
    """Returns height and width by sample id.

    Args:
        path: Questions as the cup's CSV, as VizWiz's JSON, or as JSON lines.

    Raises:
        InputError: They are not of these forms, or a row is broken; there are none.
    """
    suffix = path.suffix.lower()
    found: dict[str, SizeHW | None]
    if suffix == ".json":
        found = {name: record.size_hw for name, record, _ in read_vizwiz(path)}
    elif suffix in {".jsonl", ".ndjson"}:
        found = {sample.query.id: sample.query.size_hw for sample in samples_jsonl.read(path, Reading())}
    else:
        found = {row.sample_id: row.size_hw for row, _ in read_toloka(path, QUESTION_COLUMNS)}
    if not found:
        raise InputError(str(path), "there are no questions in it", _TAKE)
    return found
