"""Values of typed tables as those of the canonical form: facts from their JSON text, answers from lists of objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any


def plain_row(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a row with its facts unpacked and its answers plain texts.

    Lists of answers as Hugging Face's copies of VQA sets hold them, `[{"answer": "cup", …}, …]`, become their texts.
    """
    row = dict(values)
    if isinstance(row.get("facts"), str):
        with suppress(ValueError, RecursionError):  # What is no JSON is refused as the text that it is.
            row["facts"] = json.loads(row["facts"])
    answers = row.get("answers")
    if isinstance(answers, list) and answers and all(isinstance(a, dict) and "answer" in a for a in answers):
        row["answers"] = [answer["answer"] for answer in answers]
    return row


def unnamed(number: int) -> str:
    """Returns what the photo of a row is called where the row has its bytes only.

    The suffix is a habit of file systems; what the bytes are is told by themselves.
    """
    return f"row-{number}.png"
