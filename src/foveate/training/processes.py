"""The processes of a training: one alone, or several that `torchrun` started, which share the questions of each batch.

Each has a part of the questions; gradients are added up before a step, weighted by how many questions they are of, so
that a step is the same whether one process takes it or several (but for what dropout draws, and rounding).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import torch
from numpy.typing import NDArray
from torch import distributed, nn

from foveate.errors import UsageError

Rows = NDArray[np.int64]
# The first makes features and scores regions while the others wait.
_PATIENCE = timedelta(hours=12)


@dataclass(frozen=True)
class Processes:
    """Those of a training, as one of them sees it.

    Attributes:
        number: Which this one is, from 0.
        count: How many there are.
        device: Where this one runs.
    """

    number: int = 0
    count: int = 1
    device: str = "cpu"

    @property
    def first(self) -> bool:
        """Whether this is the one that writes files and tells how far it is."""
        return self.number == 0

    def share(self, rows: Rows) -> tuple[Rows, int]:
        """Returns this one's questions of a batch, and how many of them count.

        A batch of fewer questions than there are processes leaves some without; these ask one that does not count, so
        that all have gradients of the same parts.
        """
        if self.count == 1:
            return rows, len(rows)
        own = np.array_split(rows, self.count)[self.number]
        return (own, len(own)) if len(own) else (rows[:1], 0)

    def add_up(self, values: Sequence[float], network: nn.Module | None = None) -> list[float]:
        """Returns the sums of all processes' values; gradients of a network become their sums.

        Args:
            values: As many in each process.
            network: Each process's copy.
        """
        if self.count == 1:
            return list(values)
        grads = [one.grad for one in network.parameters() if one.grad is not None] if network is not None else []
        told = torch.tensor(list(values), dtype=torch.float32, device=self.device)
        whole = torch.cat([*(grad.flatten() for grad in grads), told])
        distributed.all_reduce(whole)
        at = 0
        for grad in grads:
            grad.copy_(whole[at : at + grad.numel()].view_as(grad))
            at += grad.numel()
        return [float(value) for value in whole[at:].tolist()]

    def wait(self) -> None:
        """Returns when all processes have come here."""
        if self.count > 1:
            distributed.barrier()


@contextmanager
def processes(device: str) -> Iterator[Processes]:
    """Gives the processes of this training: those of `torchrun` where it started this one, else this one alone.

    Args:
        device: `cpu`, `cuda` or `cuda:0`; of several processes with `cuda` each takes the card of its number.

    Raises:
        UsageError: There is no such device, or several processes would share a card.
    """
    count = int(os.environ.get("WORLD_SIZE", "1"))
    checked(device)
    if count == 1:
        yield Processes(device=device)
        return
    cards = device.startswith("cuda")
    if device.startswith("cuda:"):
        raise UsageError("device", f"{device} cannot be that of {count} processes", "Say --device cuda.")
    own = checked(f"cuda:{os.environ['LOCAL_RANK']}") if cards else device
    if cards:
        torch.cuda.set_device(own)
    distributed.init_process_group("nccl" if cards else "gloo", timeout=_PATIENCE)
    try:
        yield Processes(distributed.get_rank(), count, own)
    finally:
        distributed.destroy_process_group()


def checked(device: str) -> str:
    """Returns the name of a device that is here.

    Raises:
        UsageError: It is none, or not here.
    """
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        told = str(error).partition("\n")[0]
        raise UsageError("device", f"{device} cannot be used ({told})", "Say cpu, cuda or cuda:0.") from error
    return device
