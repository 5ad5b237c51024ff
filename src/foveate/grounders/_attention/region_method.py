"""What the methods do that read a photo as regions and attend to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Evidence, Explanation
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Box, Region
from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError, UsageError
from foveate.grounders._attention.answering import Said, ranked, score_of
from foveate.grounders._attention.explained import BELOW, EVERYWHERE, explanation, words_attended
from foveate.grounders._attention.networks import network_of
from foveate.grounders._attention.region_inputs import region_batch
from foveate.grounders._attention.region_sources import region_source_of
from foveate.grounders._attention.region_texts import Asked, OwnWords, Texts, names_of
from foveate.grounders._attention.rules import rule_of
from foveate.grounders._attention.trained import checkpoint_of, trained_on
from foveate.perception.attention import Cut, Normalise, Paint, box_map, region_of
from foveate.perception.region_features import RegionFeatures
from foveate.perception.vocabulary import Words

if TYPE_CHECKING:
    from foveate.formats.checkpoints import Checkpoint
    from foveate.networks._batches import RegionBatch

# Boxes that are told as considered.
_MOST_BOXES = 5


@dataclass(frozen=True)
class Weighed:
    """What a method makes of its network's attention.

    Attributes:
        regions: The weight of each region ``(R,)``.
        words: That of each word ``(W,)``; None where words have no part in it.
        when: Of which attention it is, in words.
    """

    regions: NDArray[np.float64]
    words: NDArray[np.float64] | None
    when: str


@dataclass(frozen=True)
class _Last:
    """What the last question got."""

    words: tuple[str, ...]
    when: str
    said: list[Said]
    region: Region | None
    boxes: tuple[Region, ...]
    soft: SoftMap | None


class RegionMethod(ABC):
    """Answers by a network over regions and points to those that it attended to.

    Args:
        name: The method's, which is its network's.
        model: An official checkpoint with its texts; None to read `file`.
        file: The checkpoint that `foveate train` wrote; empty for the one that comes with the package.
        regions: A source or a path of stored regions instead of what the checkpoint tells.
        slots: How many regions of a photo are looked at, and how many places the text has.
        device: Where the network runs.
        rule: The options of `AttentionRule` that boxes have; None leaves one to the checkpoint, and that to the paper.
        place: How many numbers more a stored feature may have, which tell the region's place.

    Raises:
        UsageError: An option is none that there is.
        InputError: The checkpoint or the regions are not there, broken, or do not fit each other.
    """

    shares_weights = True
    # Whether rows of padding have a say, and a question is padded as in the paper.
    pads = False

    def __init__(
        self,
        name: str,
        *,
        model: tuple[Checkpoint, Texts] | None,
        file: str,
        regions: str,
        slots: tuple[int, int],
        device: str,
        rule: Mapping[str, Any],
        place: int = 0,
    ) -> None:
        self._name, self._device = name, device
        self._checkpoint = checkpoint_of(name, file) if model is None else model[0]
        card = self._checkpoint.card
        self._texts: Texts = OwnWords(Words(card.words), card.longest) if model is None else model[1]
        self._rule = rule_of(card.rule, str(self._checkpoint.path), **rule)
        self._slots, longest = slots[0], int(card.config.get("longest_text", slots[1]))
        self._text_slots = min(slots[1], longest)
        self._source = region_source_of(self._checkpoint, regions, self._slots, place)
        self._photo: tuple[str, RegionFeatures] | None = None
        self._last: _Last | None = None

    @abstractmethod
    def _weighed(self, network: Any, batch: RegionBatch, asked: Asked) -> tuple[NDArray[Any], Weighed]:
        """Returns the answers' values ``(A,)`` and the weights of a question's regions and words."""

    @property
    def needs_image(self) -> bool:
        """Whether it looks at photos; stored regions are found by name."""
        return self._source.needs_image

    @property
    def weights(self) -> tuple[str, ...]:
        """Names of the weights that its regions need, beside the checkpoint."""
        return ("yolov3_tiny", "vit_s_focus") if self._source.name == "offline" else ()

    @property
    def trained_on(self) -> dict[str, Any]:
        """What a run records: the samples that the network was trained on, and the file."""
        return trained_on(self._checkpoint)

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes a photo and makes or finds its regions.

        Raises:
            InputError: There is no photo, it cannot be read, or nothing is stored of it.
        """
        self.prepare_named(image.name if image is not None else "a photo without a name", image, size_hw)

    def prepare_named(self, name: str, image: Image | None, size_hw: SizeHW) -> None:
        """Takes a photo as `prepare` does; stored regions are found by its name.

        Raises:
            InputError: As for `prepare`.
        """
        self._photo = self._last = None
        self._photo = name, self._source.regions(name, image, size_hw)

    def ground(self, question: str) -> Prediction:
        """Returns the likeliest answer, and the boxes attended to, painted, as a region and as a map.

        Attention that is the same everywhere points nowhere: `no_region`, with the answer.

        Raises:
            InputError: No photo was prepared.
            UnavailableError: PyTorch, transformers or the device is not here.
        """
        if self._photo is None:
            raise InputError(self._name, "no photo was prepared", "Call prepare before ground.")
        found, card = self._photo[1], self._checkpoint.card
        xyxy, size_hw = found.xyxy[: self._slots], found.size_hw
        logits, weighed, words = self._answered(found, question)
        soft = box_map(xyxy, weighed.regions, size_hw, self._rule)
        region = region_of(soft, size_hw, self._rule)
        said = ranked(logits, card.answers, score_of(card.recipe))
        boxes = _most_attended(xyxy, weighed.regions) if region is not None else ()
        self._last = _Last(words, weighed.when, said, region, boxes, soft)
        return Prediction(
            "",
            "ok" if region is not None else "no_region",
            said[0].text,
            said[0].score,
            region,
            () if region is None else (region, *boxes),
            size_hw,
            reason=None if region is not None else (EVERYWHERE if soft is None else BELOW),
            map=soft,
        )

    def explain(self) -> Explanation:
        """Returns the place that was attended to, the words that did so, the boxes with the most, and other answers.

        Raises:
            InputError: Nothing was asked yet.
        """
        last = self._asked_last()
        told = explanation(last.when, last.words, last.region, last.said)
        boxes = tuple(
            Evidence("photo", f"a box with {round(100 * (box.score or 0.0))} % of the attention", box.score, box)
            for box in last.boxes
        )
        return replace(told, others=(*boxes, *told.others))

    def explain_map(self) -> Explanation:
        """Returns the same with the attention over the photo, where it points anywhere.

        Raises:
            InputError: Nothing was asked yet.
        """
        told, last = self.explain(), self._asked_last()
        if last.soft is None:
            return told
        return replace(told, map=last.soft, map_means=f"how much {last.when} attended to the boxes of each place")

    def _asked_last(self) -> _Last:
        if self._last is None:
            raise InputError(self._name, "nothing was asked yet", "Call ground before explain.")
        return self._last

    def _answered(self, found: RegionFeatures, question: str) -> tuple[NDArray[Any], Weighed, tuple[str, ...]]:
        network: Any = network_of(self._checkpoint, self._device)
        import torch

        asked = self._texts.asked(question, names_of(found.labels), self._text_slots)
        width = asked.width if self.pads else None
        batch = region_batch([found], [asked.ids], [0], tags=[asked.tags], slots=self._slots, width=width)
        with torch.inference_mode():
            logits, weighed = self._weighed(network, batch.to(self._device), asked)
        words = () if weighed.words is None else words_attended(asked.words, weighed.words)
        return logits, weighed, words


def _most_attended(xyxy: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[Region, ...]:
    """Returns the boxes with the most attention, each with its share of all."""
    shares = weights / weights.sum()
    best = np.argsort(-shares, kind="stable")[:_MOST_BOXES]
    return tuple(Region(Box(tuple(xyxy[number].tolist())), min(1.0, float(shares[number]))) for number in best)


def checked_layer(name: str, layer: int | None, there: int) -> int:
    """Returns the place of a layer from 0 on; the last where none is said.

    Raises:
        UsageError: There is none of this number.
    """
    if layer is not None and not 1 <= layer <= there:
        raise UsageError(f"grounder {name}", f"layer is {layer}, of {there} layers", f"Say 1 to {there}.")
    return (there if layer is None else layer) - 1


def box_rule(
    normalise: Normalise | None, threshold: float | None, region: Cut | None, paint: Paint | None
) -> dict[str, Any]:
    """Returns the options of attention to region that boxes have; how a grid is read has no say with them."""
    return {"normalise": normalise, "threshold": threshold, "region": region, "paint": paint}
