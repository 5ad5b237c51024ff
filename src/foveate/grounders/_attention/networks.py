"""The network of a checkpoint, in evaluation mode, one of each in a process."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from foveate.errors import InputError, UnavailableError, UsageError
from foveate.formats._optional import needed
from foveate.formats.checkpoints import Checkpoint

if TYPE_CHECKING:
    from torch import nn


@lru_cache(maxsize=4)
def network_of(checkpoint: Checkpoint, device: str) -> nn.Module:
    """Returns the network with the checkpoint's numbers.

    How many threads it takes is PyTorch's own setting (`OMP_NUM_THREADS`).

    Raises:
        InputError: The numbers are of another network, or of none that there is.
        UnavailableError: PyTorch or the device is not here.
        UsageError: There is no such device.
    """
    where = str(checkpoint.path)
    needed("torch", where, "torch")
    _check_device(device)
    from foveate.networks._states import set_arrays
    from foveate.networks.build import build

    try:
        network = build(checkpoint.card.config)
    except UsageError as error:
        raise InputError(where, error.fault, "Take the version of Foveate that it was trained with.") from error
    set_arrays(network, checkpoint.arrays, where)
    return network.eval().to(device)


def _check_device(device: str) -> None:
    import torch

    try:
        kind = torch.device(device).type
    except RuntimeError as error:
        raise UsageError("device", f"there is none called {device}", "Say cpu, cuda or cuda:0.") from error
    if kind not in {"cpu", "cuda", "mps"}:
        raise UsageError("device", f"{device} runs nothing here", "Say cpu, cuda or cuda:0.")
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}[kind]
    if not there:
        raise UnavailableError("device", f"{device} is not here, or this PyTorch cannot use it", "Say device=cpu.")
