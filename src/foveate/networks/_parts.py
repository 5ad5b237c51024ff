"""Small parts of several networks: layers as they begin, attention that is masked."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def linear(inputs: int, outputs: int, *, bias: bool = True) -> nn.Linear:
    """Returns a linear layer that begins as MAC's do: weights by Glorot's rule, bias nought."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.xavier_uniform_(layer.weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def scores(width: int) -> nn.Linear:
    """Returns the layer that scores places ``(…, width)`` before a softmax: ``(…, 1)``.

    It has no bias, which a softmax would take away again.
    """
    return linear(width, 1, bias=False)


def attended(logits: Tensor, there: Tensor | None = None) -> Tensor:
    """Returns shares that sum to one along the last axis, exactly nought where there is nothing.

    Args:
        logits: ``float (…, N)``.
        there: ``bool``, like the logits; at least one of each row.
    """
    if there is not None:
        logits = logits.masked_fill(~there, float("-inf"))
    return torch.softmax(single(logits), dim=-1)


def single(values: Tensor) -> Tensor:
    """Returns values in single precision where they are in half of it; shares and logarithms need the digits."""
    return values if values.dtype == torch.float64 else values.float()


def summed(shares: Tensor, values: Tensor) -> Tensor:
    """Returns the sum of values ``(B, N, D)`` by shares ``(B, N)``: ``(B, D)``."""
    return torch.bmm(shares.unsqueeze(1).to(values.dtype), values).squeeze(1)
