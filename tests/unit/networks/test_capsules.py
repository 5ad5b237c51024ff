"""Routing against loops in plain NumPy; in parts and whole; and at its edges."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from foveate.networks import capsules
from foveate.networks.capsules import PrimaryCapsules, VisualCapsules
from tests.unit.networks.batches import back
from tests.unit.networks.plain_mac import route


def made(inputs: int, outputs: int) -> VisualCapsules:
    torch.manual_seed(2)
    return VisualCapsules(inputs, outputs)


def given(places: int, inputs: int) -> tuple[torch.Tensor, torch.Tensor]:
    made = torch.Generator().manual_seed(4)
    return torch.randn(places, inputs, 16, generator=made), torch.rand(places, inputs, generator=made)


@pytest.mark.parametrize(("inputs", "outputs"), [(4, 4), (2, 5), (5, 2)])
def test_it_is_what_loops_make_of_it(inputs: int, outputs: int) -> None:
    layer, (pose, active) = made(inputs, outputs).double(), (part.double() for part in given(6, inputs))
    with torch.no_grad():
        poses, activations = layer(pose.reshape(2, 3, inputs, 16), active.reshape(2, 3, inputs))
    assert poses.shape == (2, 3, outputs, 16)
    assert activations.shape == (2, 3, outputs)
    numbers = [part.detach().numpy() for part in (layer.transform, layer.beta_v, layer.beta_a)]
    for place in range(6):
        wanted, found = route(pose[place].reshape(-1, 4, 4).numpy(), active[place].numpy(), *numbers)
        np.testing.assert_allclose(poses.reshape(6, outputs, 16)[place], wanted, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(activations.reshape(6, outputs)[place], found, rtol=1e-7, atol=1e-9)


def test_by_hand_one_voter_is_followed_wherever_it_points() -> None:
    """With one voter its votes are the poses, whatever is shared out; two alike capsules are alike sure."""
    layer = made(1, 2)
    with torch.no_grad():
        layer.transform[:] = torch.eye(4)
        layer.beta_v[:], layer.beta_a[:] = 0.25, 0.5
        pose, active = given(3, 1)
        poses, activations = layer(pose, active)
    torch.testing.assert_close(poses, pose.expand(3, 2, 16), rtol=1e-4, atol=1e-5)
    # Equal costs leave the worth alone: 1 / (1 + exp(-0.7 * 0.5)).
    torch.testing.assert_close(activations, torch.full((3, 2), 0.586618), rtol=1e-4, atol=1e-5)


def test_parts_give_what_the_whole_gives_and_so_do_their_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for votes in (2**18, 3 * 4 * 16 * 2):
        monkeypatch.setattr(capsules, "_VOTES", votes)
        layer, (pose, active) = made(3, 4).double(), (part.double() for part in given(7, 3))
        pose.requires_grad_()
        poses, activations = layer(pose, active)
        back(poses.square().sum() + activations.sum())
        numbers = [pose.grad, layer.transform.grad, layer.beta_v.grad, layer.beta_a.grad]
        found.append([poses.detach(), activations.detach(), *numbers])
    for one, two in zip(*found, strict=True):
        assert one is not None
        assert two is not None
        torch.testing.assert_close(one, two)


def test_gradients_are_those_of_small_differences() -> None:
    layer, (pose, active) = made(2, 3).double(), (part.double().requires_grad_() for part in given(2, 2))
    assert torch.autograd.gradcheck(layer, (pose, active), rtol=1e-3)


@pytest.mark.parametrize("scale", [0.0, 1e-6, 1e3])
def test_numbers_stay_numbers_at_the_edges(scale: float) -> None:
    layer, (pose, active) = made(4, 4), given(5, 4)
    pose, active = (pose * scale).requires_grad_(), (active * min(scale, 1.0)).requires_grad_()
    poses, activations = layer(pose, active)
    back(poses.sum() + activations.sum())
    assert (activations >= 0).all()
    assert (activations <= 1).all()
    for values in (poses, activations, pose.grad, active.grad, *(number.grad for number in layer.parameters())):
        assert values is not None
        assert torch.isfinite(values).all()


def test_primary_capsules_are_linear_poses_and_shares() -> None:
    torch.manual_seed(1)
    layer, cells = PrimaryCapsules(6, 3), torch.randn(2, 5, 6)
    pose, active = layer(cells)
    assert pose.shape == (2, 5, 3, 16)
    assert active.shape == (2, 5, 3)
    twice, _ = layer(2 * cells)
    torch.testing.assert_close(twice, 2 * pose)  # Biases begin at nought, and nothing bends a pose.
    by_hand = 1 / (1 + np.exp(-(cells[1, 2].numpy() @ layer.activation.weight.detach().numpy().T)))
    np.testing.assert_allclose(active[1, 2].detach(), by_hand, rtol=1e-5)
