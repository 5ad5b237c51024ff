"""What an earlier run of `foveate ask --jsonl` has answered, so that a run that was stopped can go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from foveate.errors import InputError, reason_of

Done = frozenset[tuple[str, str]]


def done_in(file: Path | None, grounder: str) -> Done:
    """Returns the photos and questions that a method has answered in a file; what failed is to be asked again.

    Args:
        file: Lines as `--jsonl` prints them; None for nothing.
        grounder: The method; what others answered does not count.

    Raises:
        InputError: It cannot be read, or a line is none of these or cut off.
    """
    return frozenset(
        (row["image"], row["question"])
        for row in ([] if file is None else _rows(file))
        # What comes by the standard input may be another photo each time.
        if row["grounder"] == grounder and row["status"] != "error" and row["image"] != "-"
    )


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    number = 0
    try:
        with file.open("rb") as lines:
            for line in lines:
                number += 1
                row = json.loads(line)
                if not line.endswith(b"\n") or not {"image", "question", "grounder", "status"} <= row.keys():
                    raise ValueError("no whole line")
                yield row
    except OSError as error:
        raise InputError(str(file), f"it cannot be read ({reason_of(error)})", "Look at the name of --done.") from error
    except (ValueError, AttributeError, RecursionError) as error:
        problem = "it is no line of `foveate ask --jsonl`, or it is cut off"
        raise InputError(f"{file}, line {number}", problem, "Remove it, then go on.") from error
