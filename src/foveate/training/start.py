"""Beginning with a network that was trained before: on other data, or for other answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from foveate.errors import InputError
from foveate.formats.checkpoints import Checkpoint, read_checkpoint
from foveate.training.recipe import Recipe


def read_start(recipe: Recipe) -> Checkpoint:
    """Returns the checkpoint that a recipe begins with.

    Raises:
        InputError: It is not there, broken, or of another kind of network.
    """
    checkpoint = read_checkpoint(Path(str(recipe.start)))
    before, now = checkpoint.card.config.get("network"), recipe.network.get("network")
    if before != now:
        problem = f"it is a checkpoint of {before}, and the recipe trains {now}"
        raise InputError(str(recipe.start), problem, "Begin with one of the same network.")
    return checkpoint


def begin_with(network: nn.Module, checkpoint: Checkpoint) -> list[str]:
    """Gives a network the numbers of a checkpoint; returns the names of those that are of another shape.

    These, as a rule the last layer with its answers, stay as they are.

    Raises:
        InputError: Nothing fits.
    """
    own, others = network.state_dict(), checkpoint.arrays
    fitting = {name: others[name] for name in own if name in others and tuple(own[name].shape) == others[name].shape}
    if not fitting:
        raise InputError(str(checkpoint.path), "nothing in it fits the network", "Build the network as it was built.")
    taken = {name: torch.from_numpy(np.array(array)).to(own[name].dtype) for name, array in fitting.items()}
    network.load_state_dict({**own, **taken})
    return sorted(own.keys() - fitting.keys())
