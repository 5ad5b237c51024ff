"""Checkpoints of methods that were trained: numbers and a card in one safetensors file; nothing in it can run.

The card is JSON in the file's metadata, under `foveate` (design/attention-baselines.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from foveate.errors import InputError, UnavailableError
from foveate.formats.safetensors import read_metadata, read_safetensors
from foveate.replaced_files import replace_file

_KEY = "foveate"


class CheckpointCard(BaseModel):
    """What a checkpoint says of itself.

    Attributes:
        form: The number of this form.
        config: What the network is built with; `network` is its name.
        words: The words of questions, in the order of their ids from 2 on.
        longest: How many words of a question are read.
        answers: The answers, in the order of the network's classes.
        source: Which features it was trained on; `name` and the source's options.
        rule: The options of attention to region that it is meant to be read with, where they are not the usual ones.
        trained_on: The data set, its fingerprint, and how many questions.
        recipe: What it was trained with.
        history: A line an epoch.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Literal[1] = 1
    config: dict[str, Any]
    words: tuple[str, ...]
    longest: int = Field(ge=1)
    answers: tuple[str, ...] = Field(min_length=1)
    source: dict[str, Any]
    rule: dict[str, Any] = {}
    trained_on: dict[str, Any]
    recipe: dict[str, Any] = {}
    history: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A network that was trained.

    Attributes:
        path: Its file.
        arrays: Its numbers by name.
        card: What it says of itself.
        sha256: Of the file.
    """

    path: Path
    arrays: Mapping[str, NDArray[Any]]
    card: CheckpointCard
    sha256: str


def read_checkpoint(path: Path) -> Checkpoint:
    """Returns a checkpoint; numbers of half precision come as they are.

    Raises:
        InputError: There is no such file, it is broken, or none of ours.
    """
    if not path.is_file():
        raise InputError(str(path), "there is no such file", "Train one: foveate train RECIPE --data ... --out ...")
    told = read_metadata(path).get(_KEY)
    if told is None:
        raise InputError(str(path), "it has no card of Foveate", "Take a file that foveate train wrote.")
    try:
        card = CheckpointCard.model_validate_json(told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(str(path), f"its card is broken ({where}: {first['msg']})", "Train it again.") from error
    return Checkpoint(path, read_safetensors(path), card, hashlib.sha256(path.read_bytes()).hexdigest())


def write_checkpoint(
    path: Path, arrays: Mapping[str, NDArray[Any]], card: CheckpointCard, *, half: bool = False
) -> None:
    """Writes a checkpoint, wholly or not at all, replacing one that is there.

    Args:
        path: The file.
        arrays: Numbers by name.
        card: What it says of itself.
        half: Keep floating numbers in half precision, which takes half of the room.

    Raises:
        UnavailableError: The package safetensors is not installed.
    """
    try:
        from safetensors.numpy import save
    except ModuleNotFoundError as error:
        raise UnavailableError(
            str(path), "writing it needs safetensors, which is not installed", "pip install 'foveate[torch]'"
        ) from error
    kept = {
        name: np.ascontiguousarray(array.astype(np.float16) if half and array.dtype.kind == "f" else array)
        for name, array in sorted(arrays.items())
    }
    data = save(kept, metadata={_KEY: card.model_dump_json()})
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, data)
