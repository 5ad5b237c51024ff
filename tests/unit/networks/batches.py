"""Small batches of questions about grids, and the networks that are asked in several tests."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from foveate.networks._batches import GridBatch
from foveate.networks.build import build

WORDS, ANSWERS, FEATURES = 11, 5, 6
SIZES = {"vocabulary": WORDS, "answers": ANSWERS, "features": FEATURES, "steps": 3, "width": 8, "embedding": 4}


def network(name: str, **options: Any) -> nn.Module:
    """Returns a small network in evaluation mode, always with the same numbers."""
    torch.manual_seed(5)
    few = {"capsules": 3} if name == "mac_caps" else {}
    return build({"network": name, **SIZES, **few, **options}).eval()


def batch(lengths: list[int], photo: list[int], size_hw: tuple[int, int] = (3, 4), seed: int = 3) -> GridBatch:
    """Returns questions of such lengths, each about one of so many photos as are named."""
    made = torch.Generator().manual_seed(seed)
    words = torch.zeros(len(lengths), max(lengths), dtype=torch.int64)
    for row, length in enumerate(lengths):
        words[row, :length] = torch.randint(1, WORDS, (length,), generator=made)
    there = torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]
    grid = torch.randn(max(photo) + 1, *size_hw, FEATURES, generator=made)
    return GridBatch(words, there, grid, torch.tensor(photo))


def back(loss: Any) -> None:
    """Works out gradients."""
    loss.backward()


def tensors(output: Any) -> dict[str, Tensor]:
    """Returns all that a network says, by name."""
    return {"logits": output.logits, **output.attention}
