"""The loop: epochs of batches, validation after each, the best kept; killed and gone on with, the same digits."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from foveate.errors import InputError
from foveate.networks._batches import Output
from foveate.training.batches import Asked, Reader, Rows, in_order, read, shuffled
from foveate.training.examples import Examples
from foveate.training.losses import loss_of
from foveate.training.processes import Processes
from foveate.training.recipe import Recipe
from foveate.training.schedules import lr_at
from foveate.training.state import State, read_state, write_state
from foveate.training.told import Told

End = Literal["epochs", "patience", "minutes"]
# A kill costs at most so many seconds of work.
SAVE_SECONDS = 60.0
_HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}


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


class Judging(Protocol):
    """Scores a network between epochs, and keeps it."""

    def validate(self, network: nn.Module) -> Mapping[str, float]:
        """Returns what is added to an epoch's line; its `accuracy` decides which epoch is the best."""

    def keep(self, network: nn.Module, history: list[dict[str, Any]], best: bool) -> None:
        """Writes a network, with a line of each epoch so far, as the best or as the last."""

    def log(self, history: list[dict[str, Any]]) -> None:
        """Writes a line of each epoch so far."""


class Loop:
    """Trains a network.

    Args:
        network: What `networks.build` made.
        material: What it learns from.
        recipe: How.
        folder: Where its state is kept.
        judge: Scores the network after each epoch, and keeps it.
        processes: Those that share the work, and where this one runs.
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
        judge: Judging,
        processes: Processes | None = None,
        minutes: float | None = None,
        told: Told | None = None,
    ) -> None:
        self._processes = processes or Processes()
        self._device = self._processes.device
        self._kind = torch.device(self._device).type
        self._network = network.to(self._device)
        self._material, self._recipe, self._folder = material, recipe, folder
        self._judge, self._minutes, self._told = judge, minutes, told or Told()
        self._optimiser = optimiser_of(network, recipe)
        self._scaler = torch.amp.GradScaler(self._kind, enabled=recipe.precision == "fp16")
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
            if not ended and self._epoch():
                self._after_epoch()
                continue
            if self._processes.first:
                self._judge.keep(self._best_now(), self._state.history, False)
                if not self._state.history:
                    # Without any epoch behind it, what there is is the best there is.
                    self._judge.keep(self._best_now(), self._state.history, True)
            return ended or "minutes"

    @property
    def history(self) -> list[dict[str, Any]]:
        """A line an epoch."""
        return self._state.history

    def _epoch(self) -> bool:
        """Does what is left of an epoch; returns whether it came to its end before the time was over."""
        state, many = self._state, self._recipe.accumulate
        batches = self._batches(state.epoch)
        steps = [batches[at : at + many] for at in range(state.batch, len(batches), many)]
        shares = [self._processes.share(rows) for rows in batches[state.batch :]]
        counts = iter([count for _, count in shares])
        material = self._material
        self._network.train()
        left = read(material.examples, [rows for rows, _ in shares], material.reader, material.answers)
        with contextlib.closing(left):
            for step in steps:
                n = sum(len(rows) for rows in step)
                loss, over = self._step([(next(left), next(counts) / n) for _ in step])
                state.loss += loss * n
                state.asked += n
                state.batch += len(step)
                self._told.step(state.step, self._steps, loss)
                if state.batch < len(batches) and self._pause(over):
                    return False
        return True

    def _step(self, asked: list[tuple[Asked, float]]) -> tuple[float, bool]:
        """Does a step of all processes; returns the mean loss of its questions and whether the time is over."""
        recipe, state = self._recipe, self._state
        own = sum(self._backward(one, weight) for one, weight in asked)
        loss, over = self._processes.add_up((own, float(self._over())), self._network)
        if not math.isfinite(loss):
            raise InputError(f"step {state.step + 1}", f"the loss is {loss}", "Take a lower lr, or clip gradients.")
        for group in self._optimiser.param_groups:
            group["lr"] = self._lr()
        if recipe.clip is not None:
            self._scaler.unscale_(self._optimiser)
            nn.utils.clip_grad_norm_(self._network.parameters(), recipe.clip)
        self._scaler.step(self._optimiser)
        self._scaler.update()
        self._optimiser.zero_grad(set_to_none=True)
        if self._average is not None:
            self._average.update_parameters(self._network)
        state.step += 1
        return loss, over > 0

    def _backward(self, asked: Asked, weight: float) -> float:
        """Adds to the gradients those of some of a step's questions, which are so large a share of it."""
        half = _HALF.get(self._recipe.precision)
        with torch.autocast(self._kind, half or torch.bfloat16, enabled=half is not None):
            output: Output = self._network(asked.batch.to(self._device))
        loss = weight * loss_of(output.logits.float(), asked.targets.to(self._device), self._recipe.loss)
        self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def _lr(self) -> float:
        return lr_at(self._recipe, self._state.step, self._steps, [line["accuracy"] for line in self._state.history])

    def _after_epoch(self) -> None:
        state, best = self._state, max((line["accuracy"] for line in self._state.history), default=-1.0)
        lr, seconds = self._lr(), self._seconds()
        found = self._judge.validate(self._best_now())
        line = {
            "epoch": state.epoch + 1,
            "step": state.step,
            "lr": lr,
            "loss": state.loss / max(1, state.asked),
            **found,
            "seconds": round(seconds, 1),
        }
        state.history.append(line)
        if found["accuracy"] > best and self._processes.first:
            self._judge.keep(self._best_now(), state.history, True)
        if self._processes.first:
            self._judge.log(state.history)
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
        return "minutes" if self._processes.add_up((float(self._over()),))[0] else None

    def _pause(self, over: bool) -> bool:
        """Returns whether the time is over, and saves where it is then and every now and then."""
        if over or time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        return over

    def _over(self) -> bool:
        """Returns whether the time is over; the first process decides for all."""
        return self._processes.first and self._minutes is not None and self._seconds() >= 60 * self._minutes

    def _seconds(self) -> float:
        return self._state.seconds + time.monotonic() - self._clock

    def _batches(self, epoch: int) -> list[Rows]:
        recipe = self._recipe
        return shuffled(self._material.examples, self._rows, recipe.photos, recipe.questions, recipe.seed, epoch)

    def _save(self) -> None:
        if not self._processes.first:
            return
        self._state.seconds, self._clock = self._seconds(), time.monotonic()
        write_state(self._folder, self._state, {name: part.state_dict() for name, part in self._parts()})
        self._saved = time.monotonic()

    def _go_on(self) -> None:
        found = read_state(self._folder, self._device)
        if found is None:
            torch.manual_seed(self._recipe.seed + self._processes.number)
            return
        self._state, parts = found
        if not self._processes.first:
            # What is drawn next is kept of the first alone; the others draw anew.
            torch.manual_seed(self._recipe.seed + self._processes.number + self._processes.count * self._state.step)
        for name, part in self._parts():
            part.load_state_dict(parts[name])

    def _parts(self) -> Iterator[tuple[str, Any]]:
        yield "network", self._network
        yield "optimiser", self._optimiser
        if self._average is not None:
            yield "average", self._average
        if self._scaler.is_enabled():
            yield "scaler", self._scaler


def right_of(network: nn.Module, material: Material, rows: Rows, photos: int, device: str) -> float:
    """Returns how right answers are, summed up; a question whose answers are beyond the vocabulary counts 0."""
    total = 0.0
    batches = in_order(material.examples, rows, photos)
    was_training = network.training
    network.eval()
    with torch.no_grad():
        for asked in read(material.examples, batches, material.reader, material.answers):
            chosen = network(asked.batch.to(device)).logits.argmax(dim=1).cpu()
            total += float(asked.targets.gather(1, chosen.unsqueeze(1)).sum())
    network.train(was_training)
    return total


def optimiser_of(network: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """Returns what changes the numbers; biases and scales of normalisation never decay, as in BERT's own training."""
    kind = torch.optim.Adam if recipe.optimiser == "adam" else torch.optim.AdamW
    numbers = [one for one in network.parameters() if one.requires_grad]
    groups = [
        {"params": [one for one in numbers if one.ndim > 1], "weight_decay": recipe.weight_decay},
        {"params": [one for one in numbers if one.ndim <= 1], "weight_decay": 0.0},
    ]
    return kind([group for group in groups if group["params"]], lr=recipe.lr)
