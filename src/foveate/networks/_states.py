"""A network's numbers as arrays by name, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from foveate.errors import InputError, some


def arrays_of(network: nn.Module) -> dict[str, NDArray[Any]]:
    """Returns the numbers of a network by name, as `formats/checkpoints.py` writes them."""
    return {name: value.detach().cpu().numpy().copy() for name, value in network.state_dict().items()}


def set_arrays(network: nn.Module, arrays: Mapping[str, NDArray[Any]], where: str) -> None:
    """Gives a network its numbers; those of half precision become what the network computes in.

    Args:
        network: It is changed only if all of them fit.
        arrays: By name.
        where: The file that they come from, for messages.

    Raises:
        InputError: A name is lacking or unknown, a shape is another, or a number is none.
    """
    own = network.state_dict()
    lacking, unknown = sorted(own.keys() - arrays.keys()), sorted(arrays.keys() - own.keys())
    problems = [f"it lacks {some(lacking)}"] * bool(lacking) + [f"it has {some(unknown)} beyond"] * bool(unknown)
    for name in sorted(own.keys() & arrays.keys()):
        if tuple(own[name].shape) != arrays[name].shape:
            problems.append(f"{name} has the shape {arrays[name].shape}, not {tuple(own[name].shape)}")
        elif not np.isfinite(arrays[name]).all():
            problems.append(f"{name} has a value that is no number")
    if problems:
        raise InputError(where, f"it is of another network: {'; '.join(problems[:3])}", "Take the file of this one.")
    # What was read from a file cannot be written to, which PyTorch warns of; hence copies.
    fitting = {name: torch.from_numpy(np.array(arrays[name])).to(value.dtype) for name, value in own.items()}
    network.load_state_dict(fitting)
