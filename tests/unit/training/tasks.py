"""A task that a tiny network learns in no time, and the loop over it; run as a program, it trains in a folder."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from foveate.formats.checkpoints import CheckpointCard
from foveate.networks._batches import GridBatch, Output
from foveate.training import loop as loops
from foveate.training.batches import Rows
from foveate.training.examples import Examples
from foveate.training.judge import Judge
from foveate.training.loop import Loop, Material
from foveate.training.processes import Processes, processes
from foveate.training.recipe import Recipe
from foveate.training.told import Told

PHOTOS, WORDS, ANSWERS = 12, 2, 4
CARD = CheckpointCard(config={}, words=("a", "b"), longest=1, answers=("0", "1", "2", "3"), source={}, trained_on={})


class Look(nn.Module):
    """Says what a photo's mean and a question's first word are together."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.word = nn.Embedding(WORDS + 2, 8)
        self.hidden, self.answers = nn.Linear(10, 24), nn.Linear(24, ANSWERS)
        self.drop = nn.Dropout(dropout)

    def forward(self, batch: GridBatch) -> Output:
        seen = batch.grid.mean(dim=(1, 2))[batch.photo]
        hidden: Tensor = torch.relu(self.hidden(torch.cat([self.word(batch.words[:, 0]), seen], dim=1)))
        return Output(self.answers(self.drop(hidden)), {})


class Painted:
    """Photos are painted wholly with one of two colours, every other one with the same."""

    width = 2

    def batch(self, names: Sequence[str], words: Rows, there: Any, photo: Rows) -> GridBatch:
        grid = np.zeros((len(names), 2, 2, 2), dtype=np.float32)
        for row, name in enumerate(names):
            grid[row, :, :, int(name) % 2] = 1
        return GridBatch(*(torch.from_numpy(part) for part in (words, there, grid, photo)))


def examples() -> Examples:
    """Returns two questions about each photo; the answer is the colour and the question together."""
    photo = np.repeat(np.arange(PHOTOS), WORDS)
    asked = np.tile(np.arange(WORDS), PHOTOS)
    n = len(photo)
    return Examples(
        tuple(str(number) for number in range(PHOTOS)),
        (None,) * PHOTOS,
        photo.astype(np.int64),
        (asked + 2)[:, None].astype(np.int64),
        np.ones((n, 1), dtype=np.bool_),
        np.arange(n + 1, dtype=np.int64),
        (photo % 2 * 2 + asked).astype(np.int64),
        np.ones(n, dtype=np.float32),
    )


def recipe(**changes: Any) -> Recipe:
    """Returns a recipe of a few quick steps."""
    usual = {"about": "", "network": {"network": "look"}, "source": {}, "lr": 0.02, "epochs": 4, "photos": 3}
    return Recipe.model_validate({**usual, **changes})


def loop(
    folder: Path,
    how: Recipe,
    *,
    dropout: float = 0.0,
    network: nn.Module | None = None,
    these: Processes | None = None,
    **options: Any,
) -> Loop:
    """Returns the loop over the task."""
    torch.manual_seed(how.seed)
    material = Material(examples(), Painted(), ANSWERS)
    judge = Judge(how, material, [], {}, folder, CARD, these or Processes())
    return Loop(network or Look(dropout), material, how, folder, judge=judge, processes=these, **options)


class _Counted(Told):
    """Writes each step's loss; kills its own process in the midst of one."""

    def __init__(self, last: int) -> None:
        self._last = last

    def step(self, step: int, steps: int, loss: float) -> None:
        sys.stdout.write(f"step {step} {loss}\n")
        sys.stdout.flush()
        if step == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


def main(folder: str, dropout: str, photos: str, last: str = "0") -> None:
    """Trains in a folder, saving at every step, until it is killed in one."""
    loops.SAVE_SECONDS = 0.0
    how = recipe(photos=int(photos), ema=0.9)
    with processes("cpu") as these:
        told = _Counted(int(last)) if these.first else Told()
        loop(Path(folder), how, dropout=float(dropout), these=these, told=told).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
