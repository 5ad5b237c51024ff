"""A tiny network that learnt nothing, written as a checkpoint, for the tests of all methods."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foveate.formats.checkpoints import CheckpointCard, write_checkpoint
from foveate.perception.vocabulary import Words

QUESTIONS = ("What is this?", "What color is the small cube left of the sphere?", "How many are there?")
ANSWERS = ("yes", "no", "red", "cube", "2")


def write_tiny_checkpoint(folder: Path, config: Mapping[str, Any], source: Mapping[str, Any]) -> dict[str, Any]:
    """Writes a checkpoint with numbers by chance, always the same; returns the options that name it.

    Args:
        folder: Where it is written.
        config: Of the network, without `vocabulary` and `answers`.
        source: Of its features.
    """
    import torch

    from foveate.networks._states import arrays_of
    from foveate.networks.build import build

    words = Words.of(QUESTIONS)
    whole = {"vocabulary": len(words), "answers": len(ANSWERS), **config}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network: Any = build(whole)
    arrays, whole = arrays_of(network), network.config
    card = CheckpointCard(
        config=whole,
        words=words.words,
        longest=12,
        answers=ANSWERS,
        source=dict(source),
        trained_on={"dataset": "made:train", "fingerprint": "0" * 64, "n": len(QUESTIONS)},
    )
    path = folder / f"{config['network']}.safetensors"
    write_checkpoint(path, arrays, card)
    return {"file": str(path)}
