"""MAC and MAC-Caps against plain NumPy, and what every network of their kind promises."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from foveate.formats.checkpoints import CheckpointCard, read_checkpoint, write_checkpoint
from foveate.networks._batches import GridBatch
from foveate.networks._states import arrays_of, set_arrays
from foveate.networks.build import build
from tests.unit.networks.batches import ANSWERS, back, batch, network, tensors
from tests.unit.networks.plain_mac import Plain

ALL: dict[str, Any] = {
    "control": "recurrent",
    "self_attention": True,
    "gate": True,
    "answer_product": True,
    "coordinates": True,
    "stem_normalise": True,
    "stem_layers": 1,
    "control_input": "relu",
    "same_memory_dropout": True,
}
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("mac", {}),
    *(("mac", {option: value}) for option, value in ALL.items()),
    ("mac", {"knowledge_question": "mul"}),
    ("mac", {"knowledge_question": "mul", **ALL}),
    ("mac_caps", {}),
    ("mac_caps", {"mask_layer": "each"}),
    ("mac_caps", {"mask_layer": "each", **ALL}),
]
WHOLE = [kind for kind in KINDS if len(kind[1]) != 1]


def told(kind: tuple[str, dict[str, Any]]) -> str:
    return f"{kind[0]}-{'-'.join(kind[1])[:40]}"


@pytest.mark.parametrize("kind", KINDS, ids=told)
def test_it_is_what_plain_numpy_makes_of_its_numbers(kind: tuple[str, dict[str, Any]]) -> None:
    made: Any = network(kind[0], **kind[1]).double()
    asked = batch([5, 2], [0, 1])
    asked = replace(asked, grid=asked.grid.double())
    plain = Plain(arrays_of(made), made.config)
    with torch.no_grad():
        found = tensors(made(asked))
    for row, length in enumerate((5, 2)):
        wanted = plain(asked.words[row, :length].tolist(), asked.grid[row].numpy())
        assert wanted.keys() == found.keys()
        for name, values in wanted.items():
            got = found[name][row].numpy()
            got = got[:, :length] if name == "question" else got
            np.testing.assert_allclose(got, values, rtol=1e-7, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("kind", KINDS, ids=told)
def test_shapes_and_shares(kind: tuple[str, dict[str, Any]]) -> None:
    made = network(kind[0], **kind[1])
    asked = batch([4, 7, 1, 2], [1, 0, 1, 2], (2, 5))
    found = made(asked)
    assert found.logits.shape == (4, ANSWERS)
    assert found.attention["question"].shape == (4, 3, 7)
    assert found.attention["photo"].shape == (4, 3, 2, 5)
    for name, shares in found.attention.items():
        assert (shares >= 0).all()
        sums = shares.flatten(2).sum(dim=2)
        torch.testing.assert_close(sums, torch.ones_like(sums), msg=name)
    assert (found.attention["question"].movedim(1, 2)[~asked.there] == 0).all(), "what is no word gets nothing"


@pytest.mark.parametrize("kind", KINDS, ids=told)
def test_gradients_reach_every_number(kind: tuple[str, dict[str, Any]]) -> None:
    made = network(kind[0], **kind[1]).train()
    asked = batch([4, 7, 5], [0, 1, 1])
    torch.manual_seed(1)
    back(torch.nn.functional.cross_entropy(made(asked).logits, torch.tensor([0, 3, 1])))
    for name, number in made.named_parameters():
        assert number.grad is not None, name
        assert torch.isfinite(number.grad).all(), name
        assert number.grad.abs().max() > 1e-9, name


@pytest.mark.parametrize("kind", WHOLE, ids=told)
def test_one_question_gets_the_same_whatever_else_is_asked(kind: tuple[str, dict[str, Any]]) -> None:
    made = network(kind[0], **kind[1])
    asked = batch([4, 7, 1, 4], [1, 0, 1, 1])
    with torch.no_grad():
        together = tensors(made(asked))
        for row, length in enumerate((4, 7, 1, 4)):
            photo = asked.photo[row : row + 1]
            # Without the others' padding, and with the photo alone.
            words, there = asked.words[row : row + 1, :length], asked.there[row : row + 1, :length]
            alone = tensors(made(GridBatch(words, there, asked.grid[photo], torch.zeros_like(photo))))
            for name, values in alone.items():
                other = together[name][row : row + 1]
                other = other[..., :length] if name == "question" else other
                torch.testing.assert_close(values, other, rtol=1e-4, atol=1e-6, msg=name)


@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_padding_changes_nothing(name: str) -> None:
    made, asked = network(name), batch([4, 7], [0, 0])
    more = torch.zeros(2, 3, dtype=torch.int64)
    longer = GridBatch(
        torch.cat([asked.words, more], 1), torch.cat([asked.there, more.bool()], 1), asked.grid, asked.photo
    )
    with torch.no_grad():
        short, long = tensors(made(asked)), tensors(made(longer))
    assert (long["question"][..., 7:] == 0).all()
    for each, values in short.items():
        torch.testing.assert_close(values, long[each][..., :7] if each == "question" else long[each], msg=each)


@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_a_photo_is_seen_once_for_all_its_questions(name: str) -> None:
    made: Any = network(name)
    asked = batch([4, 7, 2], [0, 1, 1])
    seen_of: list[int] = []
    made.stem.register_forward_hook(lambda module, args, output: seen_of.append(len(args[0])))
    with torch.no_grad():
        whole = tensors(made(asked))
        seen = made.see(asked.grid)
        again = tensors(made(asked, seen))
    assert seen_of == [2, 2], "two photos, and not once more for what was seen before"
    for each, values in whole.items():
        torch.testing.assert_close(values, again[each], msg=each)


@pytest.mark.parametrize("kind", WHOLE, ids=told)
def test_what_is_saved_answers_the_same(kind: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    made: Any = network(kind[0], **kind[1])
    card = CheckpointCard(config=made.config, words=("a",), longest=3, answers=("b",), source={}, trained_on={})
    write_checkpoint(tmp_path / "a.safetensors", arrays_of(made), card)
    found = read_checkpoint(tmp_path / "a.safetensors")
    torch.manual_seed(99)
    other: Any = build(found.card.config)
    set_arrays(other, found.arrays, "a.safetensors")
    assert other.config == made.config
    asked = batch([4, 7], [0, 1])
    with torch.no_grad():
        one, two = tensors(made(asked)), tensors(other.eval()(asked))
    assert all((values == two[name]).all() for name, values in one.items())


def test_training_drops_and_evaluation_does_not() -> None:
    made, asked = network("mac", dropout_memory=0.5, dropout_read=0.5), batch([4], [0])
    with torch.no_grad():
        assert (made(asked).logits == made(asked).logits).all()
        made.train()
        assert (made(asked).logits != made(asked).logits).any()


@pytest.mark.parametrize(("same", "kinds"), [(True, 1), (False, 3)])
def test_steps_drop_the_same_of_the_memory_or_each_its_own(same: bool, kinds: int) -> None:
    made: Any = network("mac", width=64, dropout_memory=0.5, same_memory_dropout=same)
    masks = made.train()._memory_masks(torch.ones(2, 64))
    assert len(masks) == 3
    assert len({mask.numpy().tobytes() for mask in masks}) == kinds
    assert all(set(mask.unique().tolist()) == {0.0, 2.0} for mask in masks)
    assert all((mask == 1).all() for mask in made.eval()._memory_masks(torch.ones(2, 64)))


@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_it_learns_answers_by_looking(name: str) -> None:
    """Which of four cells is lit cannot be told from the question; after some steps every answer is right."""
    made = network(name, answers=4, steps=2, width=16).train()
    grid = torch.zeros(4, 2, 2, 6)
    grid.view(4, 4, 6)[torch.arange(4), torch.arange(4), :3] = 3
    words = torch.full((4, 3), 2)
    asked = GridBatch(words, torch.ones_like(words, dtype=torch.bool), grid, torch.arange(4))
    optimiser = torch.optim.Adam(made.parameters(), lr=0.01)
    torch.manual_seed(0)
    for _ in range(80):
        optimiser.zero_grad()
        back(torch.nn.functional.cross_entropy(made(asked).logits, torch.arange(4)))
        optimiser.step()
    assert made.eval()(asked).logits.argmax(dim=1).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_it_moves_to_a_device(name: str, device: str) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("no CUDA here")
    asked = batch([4, 7], [0, 1])
    made = network(name)
    with torch.no_grad():
        before = tensors(made(asked))
        after = tensors(made.to(device)(asked.to(device)))
    for each, values in before.items():
        assert after[each].device.type == device
        torch.testing.assert_close(values, after[each].cpu(), rtol=1e-3, atol=1e-4, msg=each)


@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_half_of_the_digits_are_enough_for_all_but_capsules(name: str) -> None:
    made, asked = network(name).train(), batch([4, 7], [0, 1])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = made(asked)
        back(found.logits.float().sum())
    assert all(torch.isfinite(values).all() for values in tensors(found).values())
    assert found.attention["photo"].dtype == torch.float32
    assert all(torch.isfinite(number.grad).all() for number in made.parameters() if number.grad is not None)
