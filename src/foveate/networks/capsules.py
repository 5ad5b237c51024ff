"""Capsules at each place of a photo: a pose of 4 x 4 and how sure it is there, routed by expectation-maximisation.

References:
    Hinton, Sabour, Frosst: Matrix Capsules with EM Routing, ICLR 2018; Urooj and others: Found a Reason for me?
    Weakly-supervised Grounded Visual Question Answering using Capsules, CVPR 2021, and its official code.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from foveate.networks._parts import linear, single

POSE = 16
# How steep an activation is at first, and how much steeper each round makes it.
_FIRST_STEEPNESS, _STEEPER = 0.5, 0.1
_ROUNDS = 2
_SMALL = 1e-7
# Numbers of votes that are routed at once; more of them leave the processor's cache, and take longer.
_VOTES = 2**18


class PrimaryCapsules(nn.Module):
    """Capsules from a grid: a linear layer of each cell for poses and one for activations.

    Args:
        width: Of a cell.
        capsules: How many at each place.
    """

    def __init__(self, width: int, capsules: int) -> None:
        super().__init__()
        self.pose, self.activation = linear(width, capsules * POSE), linear(width, capsules)

    def forward(self, grid: Tensor) -> tuple[Tensor, Tensor]:
        """Returns poses ``(…, C, 16)`` and activations ``(…, C)``, 0 to 1, of cells ``(…, width)``."""
        pose: Tensor = self.pose(grid)
        return pose.reshape(*pose.shape[:-1], -1, POSE), torch.sigmoid(self.activation(grid))


class VisualCapsules(nn.Module):
    """Capsules that those of the same place vote for.

    Args:
        inputs: How many vote.
        outputs: How many are voted for.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.transform = nn.Parameter(torch.randn(inputs, outputs, 4, 4) * 0.1)
        self.beta_v = nn.Parameter(torch.randn(outputs, POSE) * 0.1)
        self.beta_a = nn.Parameter(torch.randn(outputs) * 0.1)

    def forward(self, pose: Tensor, activation: Tensor) -> tuple[Tensor, Tensor]:
        """Returns poses ``(…, outputs, 16)`` and activations ``(…, outputs)``, never in half precision.

        Places are routed a few at a time, and in training once more on the way back, so that their votes, a thousand
        numbers and more for each place, are never held all at once.

        Args:
            pose: ``(…, inputs, 16)``.
            activation: ``(…, inputs)``.
        """
        lead = activation.shape[:-1]
        inputs, outputs = self.transform.shape[:2]
        at_once = max(1, _VOTES // (inputs * outputs * POSE))
        with torch.autocast(pose.device.type, enabled=False):
            parts = zip(
                torch.split(single(pose).reshape(-1, inputs, POSE), at_once),
                torch.split(single(activation).reshape(-1, inputs), at_once),
                strict=True,
            )
            routed = [self._part(*part) for part in parts]
        poses, activations = (torch.cat(each) for each in zip(*routed, strict=True))
        return poses.reshape(*lead, outputs, POSE), activations.reshape(*lead, outputs)

    def _part(self, pose: Tensor, activation: Tensor) -> tuple[Tensor, Tensor]:
        numbers = (pose, activation, self.transform, self.beta_v, self.beta_a)
        if not torch.is_grad_enabled():
            return _voted(*numbers)
        found: tuple[Tensor, Tensor] = checkpoint(_voted, *numbers, use_reentrant=False, preserve_rng_state=False)
        return found


def _voted(
    pose: Tensor, activation: Tensor, transform: Tensor, beta_v: Tensor, beta_a: Tensor
) -> tuple[Tensor, Tensor]:
    """Returns the capsules ``(N, J, 16)``, ``(N, J)`` that those of the same places vote for.

    Inside, places are the last axis: what is done to all of them lies side by side in memory then.
    """
    inputs, outputs = transform.shape[:2]
    # (I, 4 J, 4) @ (I, 4, 4 N): each capsule's matrices on its poses, of all places at once.
    poses = pose.reshape(-1, inputs, 4, 4).permute(1, 2, 3, 0).reshape(inputs, 4, -1)
    votes = torch.bmm(transform.reshape(inputs, outputs * 4, 4), poses).reshape(inputs, outputs, POSE, -1)
    mean, found = route(votes, activation.t(), beta_v, beta_a)
    return mean.permute(2, 0, 1), found.t()


def route(votes: Tensor, activation: Tensor, beta_v: Tensor, beta_a: Tensor) -> tuple[Tensor, Tensor]:
    """Returns poses ``(J, 16, N)`` and activations ``(J, N)`` of capsules that others vote for, at N places.

    Votes are first shared out evenly; then, twice, by how likely each is under the capsule that it votes for.

    Args:
        votes: ``(I, J, 16, N)``.
        activation: Of those who vote ``(I, N)``.
        beta_v: The cost of a capsule's numbers ``(J, 16)``.
        beta_a: What a capsule is worth ``(J,)``.
    """
    inputs, outputs, _, places = votes.shape
    shares = (activation / outputs).unsqueeze(1).expand(inputs, outputs, places)
    mean, spread, found = _fit(votes, shares, beta_v, beta_a, _FIRST_STEEPNESS)
    for number in range(1, _ROUNDS + 1):
        shares = _shared(votes, activation, mean, spread, found)
        mean, spread, found = _fit(votes, shares, beta_v, beta_a, _FIRST_STEEPNESS + _STEEPER * number)
    return mean, found


def _fit(
    votes: Tensor, shares: Tensor, beta_v: Tensor, beta_a: Tensor, steepness: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns mean and variance ``(J, 16, N)`` of the votes for each capsule, and its activation (M-step)."""
    total = shares.sum(dim=0)
    weights = (shares / (total + _SMALL)).unsqueeze(2)
    mean = (weights * votes).sum(dim=0)
    spread = (weights * (votes - mean).square()).sum(dim=0) + _SMALL
    cost = ((beta_v.unsqueeze(-1) + 0.5 * spread.log()) * total.unsqueeze(1)).sum(dim=1)
    off = cost.mean(dim=0) - cost
    deviation = (off.square().mean(dim=0) + _SMALL).sqrt()
    return mean, spread, torch.sigmoid(steepness * (beta_a.unsqueeze(-1) + off / deviation))


def _shared(votes: Tensor, activation: Tensor, mean: Tensor, spread: Tensor, found: Tensor) -> Tensor:
    """Returns how each vote is shared out ``(I, J, N)`` (E-step)."""
    far = ((votes - mean).square() / (2 * spread)).sum(dim=2)
    likely = (found + _SMALL).log() - 0.5 * spread.log().sum(dim=1)
    return torch.softmax(likely - far, dim=1) * activation.unsqueeze(1)
