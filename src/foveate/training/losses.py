"""What a training makes small."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from foveate.training.recipe import Loss


def loss_of(logits: Tensor, targets: Tensor, loss: Loss) -> Tensor:
    """Returns the mean loss of questions.

    `bce` is the sum over answers of the cross-entropy of each one's sigmoid (the mean times their number, as the VQA
    recipes have it); `softmax` the cross-entropy of one choice among all, where several answers share the target by
    their values.

    Args:
        logits: ``float32 (B, A)``.
        targets: ``float32 (B, A)``, 0 to 1; of `softmax` each row has a value above 0.
        loss: Which.

    References:
        Anderson and others: Bottom-Up and Top-Down Attention, CVPR 2018, section 4.2 (soft targets).
    """
    if loss == "bce":
        return functional.binary_cross_entropy_with_logits(logits, targets, reduction="sum") / len(logits)
    shares = targets / targets.sum(dim=1, keepdim=True)
    return -(shares * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()
