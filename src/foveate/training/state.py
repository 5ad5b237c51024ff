"""Where a training is, on disk, wholly or not at all: killed at any moment, it goes on from the last state."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from foveate.errors import InputError
from foveate.replaced_files import replace_file

FILE = "state.pt"


@dataclass
class State:
    """How far a training is.

    Attributes:
        epoch: The epoch that is on its way, from 0.
        batch: The next batch of it.
        step: Steps done.
        loss: The sum of the losses of this epoch's questions so far.
        asked: How many questions that were.
        seconds: Spent so far, by all who had a part in it.
        history: A line an epoch.
    """

    epoch: int = 0
    batch: int = 0
    step: int = 0
    loss: float = 0.0
    asked: int = 0
    seconds: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)

    def next_epoch(self) -> None:
        """Goes to the beginning of the next epoch."""
        self.epoch, self.batch, self.loss, self.asked = self.epoch + 1, 0, 0.0, 0


def write_state(folder: Path, state: State, parts: Mapping[str, Any]) -> None:
    """Writes a state with the states of network, average and optimiser, and of what is drawn next."""
    kept = {"state": asdict(state), "random": torch.get_rng_state(), "parts": dict(parts)}
    if torch.cuda.is_available():
        kept["random_cuda"] = torch.cuda.get_rng_state_all()
    data = io.BytesIO()
    torch.save(kept, data)
    replace_file(folder / FILE, data.getvalue())


def read_state(folder: Path, device: str) -> tuple[State, dict[str, Any]] | None:
    """Returns what was written last, and has drawing go on from there; None where nothing was.

    Raises:
        InputError: It cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        # Numbers and plain values only: nothing in the file can run.
        kept = torch.load(path, map_location="cpu", weights_only=True)
        state, parts, random = State(**kept["state"]), kept["parts"], kept["random"]
        torch.set_rng_state(random)
    except Exception as error:
        problem = f"the state of the training cannot be read ({type(error).__name__}: {error})"
        raise InputError(str(path), problem, "Begin anew in another folder.") from error
    if device.startswith("cuda") and "random_cuda" in kept:
        torch.cuda.set_rng_state_all(kept["random_cuda"])
    return state, parts
