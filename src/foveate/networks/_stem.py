"""A grid of features as a network's own: one or two small convolutions."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional


class Stem(nn.Module):
    """Convolutions of 3 x 3 with ELU.

    Args:
        features: The width of what comes in.
        width: That of what goes out.
        layers: How many convolutions.
        dropout: The share of numbers that is dropped before each in training.
        normalise: Whether each cell's features are first made of unit length (`stemNormalize` of the official code).
        coordinates: Whether each cell is told its place, x and y from -1 to 1, as two features more.
    """

    def __init__(
        self, features: int, width: int, *, layers: int, dropout: float, normalise: bool, coordinates: bool
    ) -> None:
        super().__init__()
        widths = [features + 2 * coordinates, *[width] * layers]
        self.layers = nn.ModuleList(_convolution(before, after) for before, after in pairwise(widths))
        self.drop, self._normalise, self._coordinates = nn.Dropout(dropout), normalise, coordinates

    def forward(self, grid: Tensor) -> Tensor:
        """Returns ``(I, h, w, width)`` for ``(I, h, w, features)``."""
        if self._normalise:
            grid = functional.normalize(grid, dim=-1)
        if self._coordinates:
            grid = torch.cat([grid, _places(grid)], dim=-1)
        planes = grid.permute(0, 3, 1, 2)
        for layer in self.layers:
            planes = functional.elu(layer(self.drop(planes)))
        return planes.permute(0, 2, 3, 1)


def _convolution(before: int, after: int) -> nn.Conv2d:
    layer = nn.Conv2d(before, after, 3, padding=1)
    nn.init.xavier_uniform_(layer.weight)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer


def _places(grid: Tensor) -> Tensor:
    """Returns x and y of each cell's middle, ``(I, h, w, 2)``."""
    photos, rows, columns, _ = grid.shape
    y, x = ((torch.arange(n, device=grid.device, dtype=grid.dtype) + 0.5) * 2 / n - 1 for n in (rows, columns))
    at = torch.stack([x.expand(rows, columns), y[:, None].expand(rows, columns)], dim=-1)
    return at.expand(photos, rows, columns, 2)
