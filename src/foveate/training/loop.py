"""The loop: epochs of batches, validation after each, the best kept; killed and gone on with, the same digits."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from foveate.errors import InputError
from foveate.networks._batches import GridBatch, Output, RegionBatch
from foveate.training.batches import Reader, Rows, in_order, read, shuffled
from foveate.training.examples import Examples
from foveate.training.losses import loss_of
from foveate.training.recipe import Recipe
from foveate.training.schedules import lr_at
from foveate.training.state import State, read_state, write_state
from foveate.training.told import Told

End = Literal["epochs", "patience", "minutes"]
# A kill costs at most so many seconds of work.
SAVE_SECONDS = 60.0
# What a validation adds to an epoch's line, from the network as it is then.
Validated = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Material:
    """What a network is trained on.

    Attributes:
        examples: The questions of the training split.
        reader: Reads the features of its photos.
        answers: How many classes there are.
    """

    examples: Examples
    reader: Reader
    answers: int


class Loop:
    """Trains a network.

    Args:
        network: What `networks.build` made.
        material: What it learns from.
        recipe: How.
        folder: Where its state is kept.
        validate: Scores a network; its `accuracy` decides which is the best.
        keep: Is called with the network, all lines so far, and whether it is the best; then and at the end.
        device: Where it runs.
        minutes: After so many in all it ends; None for never.
        told: Is told how far it is.
    """

    def __init__(
        self,
        network: nn.Module,
        material: Material,
        recipe: Recipe,
        folder: Path,
        *,
        validate: Callable[[nn.Module], Validated],
        keep: Callable[[nn.Module, list[dict[str, Any]], bool], None],
        device: str = "cpu",
        minutes: float | None = None,
        told: Told | None = None,
    ) -> None:
        self._network = network.to(device)
        self._material, self._recipe, self._folder, self._device = material, recipe, folder, device
        self._validate, self._keep, self._minutes, self._told = validate, keep, minutes, told or Told()
        self._optimiser = _optimiser(network, recipe)
        self._average = (
            AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(recipe.ema), use_buffers=True)  # type: ignore[no-untyped-call]
            if recipe.ema
            else None
        )
        self._rows = np.flatnonzero(material.examples.answered)
        self._steps = recipe.epochs * math.ceil(len(self._batches(0)) / recipe.accumulate)
        self._state = State()
        self._clock = time.monotonic()
        self._saved = time.monotonic()

    def run(self) -> End:
        """Trains to the end and returns why it ended; goes on where the folder's state is.

        Raises:
            InputError: The loss is no number any more, or features or the state cannot be read.
        """
        self._go_on()
        while True:
            ended = self._ended()
            if ended:
                self._keep(self._best_now(), self._state.history, False)
                return ended
            if not self._epoch():
                # Without any epoch behind it, what there is is the best there is.
                self._keep(self._best_now(), self._state.history, not self._state.history)
                return "minutes"
            self._after_epoch()

    @property
    def history(self) -> list[dict[str, Any]]:
        """A line an epoch."""
        return self._state.history

    def _epoch(self) -> bool:
        """Does what is left of an epoch; returns whether it came to its end before the time was over."""
        recipe, state = self._recipe, self._state
        batches = self._batches(state.epoch)
        self._network.train()
        left = read(self._material.examples, batches[state.batch :], self._material.reader, self._material.answers)
        with contextlib.closing(left):
            for asked in left:
                loss = self._backward(asked.batch.to(self._device), asked.targets.to(self._device))
                state.loss += loss * len(asked.rows)
                state.asked += len(asked.rows)
                state.batch += 1
                if state.batch % recipe.accumulate and state.batch < len(batches):
                    continue
                self._step()
                self._told.step(state.step, self._steps, loss)
                if state.batch < len(batches) and self._pause():
                    return False
        return True

    def _backward(self, batch: GridBatch | RegionBatch, targets: Tensor) -> float:
        with torch.autocast(self._device.partition(":")[0], torch.bfloat16, enabled=self._recipe.half):
            output: Output = self._network(batch)
        loss = loss_of(output.logits.float(), targets, self._recipe.loss)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise InputError(
                f"step {self._state.step + 1}", f"the loss is {value}", "Take a lower lr, or clip gradients."
            )
        (loss / self._recipe.accumulate).backward()  # type: ignore[no-untyped-call]
        return value

    def _step(self) -> None:
        recipe, state = self._recipe, self._state
        for group in self._optimiser.param_groups:
            group["lr"] = self._lr()
        if recipe.clip is not None:
            nn.utils.clip_grad_norm_(self._network.parameters(), recipe.clip)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        if self._average is not None:
            self._average.update_parameters(self._network)
        state.step += 1

    def _lr(self) -> float:
        return lr_at(self._recipe, self._state.step, self._steps, [line["accuracy"] for line in self._state.history])

    def _after_epoch(self) -> None:
        state, best = self._state, max((line["accuracy"] for line in self._state.history), default=-1.0)
        lr, seconds = self._lr(), self._seconds()
        found = self._validate(self._best_now())
        line = {
            "epoch": state.epoch + 1,
            "step": state.step,
            "lr": lr,
            "loss": state.loss / max(1, state.asked),
            **found,
            "seconds": round(seconds, 1),
        }
        state.history.append(line)
        if found["accuracy"] > best:
            self._keep(self._best_now(), state.history, True)
        state.next_epoch()
        self._save()
        self._told.epoch(line)

    def _best_now(self) -> nn.Module:
        """Returns the network that counts: the average where there is one."""
        return self._average.module if self._average is not None and self._state.step else self._network

    def _ended(self) -> End | None:
        state, recipe = self._state, self._recipe
        if state.epoch >= recipe.epochs:
            return "epochs"
        accuracies = [line["accuracy"] for line in state.history]
        if recipe.patience and accuracies and len(accuracies) - 1 - int(np.argmax(accuracies)) >= recipe.patience:
            return "patience"
        return "minutes" if self._over() else None

    def _pause(self) -> bool:
        """Returns whether the time is over, and saves where it is then and every now and then."""
        over = self._over()
        if over or time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        return over

    def _over(self) -> bool:
        return self._minutes is not None and self._seconds() >= 60 * self._minutes

    def _seconds(self) -> float:
        return self._state.seconds + time.monotonic() - self._clock

    def _batches(self, epoch: int) -> list[Rows]:
        recipe = self._recipe
        return shuffled(self._material.examples, self._rows, recipe.photos, recipe.questions, recipe.seed, epoch)

    def _save(self) -> None:
        self._state.seconds, self._clock = self._seconds(), time.monotonic()
        write_state(self._folder, self._state, {name: part.state_dict() for name, part in self._parts()})
        self._saved = time.monotonic()

    def _go_on(self) -> None:
        found = read_state(self._folder, self._device)
        if found is None:
            torch.manual_seed(self._recipe.seed)
            return
        self._state, parts = found
        for name, part in self._parts():
            part.load_state_dict(parts[name])

    def _parts(self) -> Iterator[tuple[str, Any]]:
        yield "network", self._network
        yield "optimiser", self._optimiser
        if self._average is not None:
            yield "average", self._average


def accuracy_of(network: nn.Module, material: Material, rows: Rows, photos: int, device: str) -> float:
    """Returns how right the answers are on average; a question whose answers are beyond the vocabulary counts 0."""
    total = 0.0
    batches = in_order(material.examples, rows, photos)
    was_training = network.training
    network.eval()
    with torch.no_grad():
        for asked in read(material.examples, batches, material.reader, material.answers):
            chosen = network(asked.batch.to(device)).logits.argmax(dim=1).cpu()
            total += float(asked.targets.gather(1, chosen.unsqueeze(1)).sum())
    network.train(was_training)
    return total / max(1, len(rows))


def _optimiser(network: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    kind = torch.optim.Adam if recipe.optimiser == "adam" else torch.optim.AdamW
    return kind(network.parameters(), lr=recipe.lr, weight_decay=recipe.weight_decay)
