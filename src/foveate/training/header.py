"""What a training is, in its folder: so that another one is never mixed with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from foveate.errors import InputError, OutputError
from foveate.formats.checkpoints import CheckpointCard
from foveate.replaced_files import replace_file
from foveate.runs.provenance import provenance

HEADER = "training.json"
_PARTS = {"config", "source", "trained_on", "recipe"}


def begin(out: Path, card: CheckpointCard, counts: Mapping[str, int], *, resume: bool) -> None:
    """Writes what a training is, or checks that what is there is the same.

    Args:
        out: Its folder; made where it is not there.
        card: What its checkpoints say of themselves.
        counts: How many questions, photos, words and answers there are.
        resume: Whether one may be there.

    Raises:
        InputError: It is another, or cannot be read.
        OutputError: There is one, and `resume` is not said.
    """
    told = card.model_dump(mode="json", include=_PARTS)
    path = out / HEADER
    if not path.exists():
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**told, "counts": dict(counts), "provenance": provenance("torch")}, indent=1)
        replace_file(path, f"{text}\n".encode())
        return
    if not resume:
        raise OutputError(str(out), "there is a training in it", "Go on with --resume, or take another --out.")
    try:
        there = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(str(path), f"it cannot be read ({error})", "Begin anew in another folder.") from error
    other = [key for key in told if there.get(key) != told[key]]
    if other:
        raise InputError(str(path), f"it is another training ({', '.join(other)} differ)", "Take another --out.")
