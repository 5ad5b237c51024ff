"""What MAC and MAC-Caps share: the question, the steps, the answer; how the photo is known is each one's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from foveate.networks._batches import GridBatch, Output
from foveate.networks._control import ControlUnit
from foveate.networks._head import AnswerHead
from foveate.networks._mac_config import ReasonerConfig
from foveate.networks._questions import QuestionReader
from foveate.networks._read import Knowledge, ReadUnit
from foveate.networks._stem import Stem
from foveate.networks._write import WriteUnit

# What a step knows of the photo, by its number and its control.
Known = Callable[[int, Tensor], Knowledge]


@dataclass
class _Steps:
    """What was there at each step; of the states the first is that before all steps."""

    controls: list[Tensor]
    memories: list[Tensor]
    words: list[Tensor] = field(default_factory=list)
    places: list[Tensor] = field(default_factory=list)


class Reasoner(nn.Module, ABC):
    """Questions about grids of features, answered in steps, each of which attends to words and then to places.

    Args:
        config: What it is built with.
        memory: The width of the memory and of a place that is read.
    """

    def __init__(self, config: ReasonerConfig, memory: int) -> None:
        super().__init__()
        self._config, width = config, config.width
        self.reader = QuestionReader(
            config.vocabulary, config.embedding, width, config.dropout_words, config.dropout_question
        )
        self.stem = Stem(
            config.features,
            width,
            layers=config.stem_layers,
            dropout=config.dropout_stem,
            normalise=config.stem_normalise,
            coordinates=config.coordinates,
        )
        self.control = ControlUnit(width, config.steps, config.control, config.control_input)
        self.read = ReadUnit(width, memory, memory, config.dropout_read)
        self.write = WriteUnit(width, memory, memory, self_attention=config.self_attention, gate=config.gate)
        self.first_memory = nn.Parameter(torch.randn(memory))
        self.head = AnswerHead(
            memory, width, width, config.answers, product=config.answer_product, dropout=config.dropout_answer
        )

    @property
    def config(self) -> dict[str, Any]:
        """What it is built with, as plain values."""
        return self._config.model_dump()

    @abstractmethod
    def see(self, grid: Tensor) -> Tensor:
        """Returns photos ``(I, h, w, D)`` as places ``(I, h * w, K)``; all questions about a photo share that."""

    @abstractmethod
    def look(self, seen: Tensor, photo: Tensor, question: Tensor) -> tuple[Known, dict[str, list[Tensor]]]:
        """Returns what steps know of the photo, and lists that fill with what else they attend to.

        Args:
            seen: What `see` gives.
            photo: ``int64 (B,)``, which photo each question is about.
            question: ``(B, width)``.
        """

    def forward(self, batch: GridBatch, seen: Tensor | None = None) -> Output:
        """Returns the answers' values, and what each step attended to.

        `attention` has ``question (B, steps, L)`` and ``photo (B, steps, h, w)``.

        Args:
            batch: Questions and photos.
            seen: What `see` gave for these photos before, to spare it.
        """
        question, words = self.reader(batch.words, batch.there)
        known, further = self.look(self.see(batch.grid) if seen is None else seen, batch.photo, question)
        steps = self._reason(question, words, batch.there, known)
        places = torch.stack(steps.places, dim=1)
        return Output(
            self.head(steps.memories[-1], question),
            {
                "question": torch.stack(steps.words, dim=1),
                "photo": places.reshape(*places.shape[:2], *batch.grid.shape[1:3]),
                **{name: torch.stack(each, dim=1) for name, each in further.items()},
            },
        )

    def _reason(self, question: Tensor, words: Tensor, there: Tensor, known: Known) -> _Steps:
        first = self.first_memory.expand(len(question), -1)
        steps, inputs = _Steps([self.control.begin(question)], [first]), self.control.inputs(question)
        for number, mask in enumerate(self._memory_masks(first)):
            told = inputs[number if len(inputs) > 1 else 0]
            control, shares = self.control(told, steps.controls[-1], words, there)
            read, places = self.read(known(number, control), steps.memories[-1] * mask, control)
            memory = self.write(read, control, steps.controls, steps.memories)
            steps.controls.append(control)
            steps.memories.append(memory)
            steps.words.append(shares)
            steps.places.append(places)
        return steps

    def _memory_masks(self, memory: Tensor) -> list[Tensor]:
        """Returns what each step multiplies the memory by before it is read: ones, in training with noughts."""
        config, ones = self._config, torch.ones_like(memory)
        masks = [
            nn.functional.dropout(ones, config.dropout_memory, self.training)
            for _ in range(1 if config.same_memory_dropout else config.steps)
        ]
        return masks * config.steps if config.same_memory_dropout else masks
