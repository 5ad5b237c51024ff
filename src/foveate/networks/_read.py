"""MAC's read unit: what a step takes from the photo, as attention over the grid."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from foveate.networks._parts import attended, linear, scores, summed


@dataclass(frozen=True)
class Knowledge:
    """A photo as a question's steps read it.

    Attributes:
        values: What is read ``(B, N, K)``.
        projected: What is compared with the memory ``(B, N, width)``.
        shared: The part of the comparison that no memory changes ``(B, N, width)``.
    """

    values: Tensor
    projected: Tensor
    shared: Tensor

    def of(self, photo: Tensor) -> Knowledge:
        """Returns that of each question, from that of each photo."""
        return Knowledge(self.values[photo], self.projected[photo], self.shared[photo])


class ReadUnit(nn.Module):
    """Compares the memory with each place, then the control, and sums what is there.

    Args:
        width: Of the control and of what is compared.
        knowledge: Of a place's vector.
        memory: Of the memory.
        dropout: The share of a place's numbers that is dropped before it is scored, in training.

    References:
        Hudson, Manning, ICLR 2018, section 3.2.2, equations 1 to 3.
    """

    def __init__(self, width: int, knowledge: int, memory: int, dropout: float) -> None:
        super().__init__()
        self.knowledge, self.memory = linear(knowledge, width), linear(memory, width)
        self.merge, self.score, self.drop = linear(2 * width, width), scores(width), nn.Dropout(dropout)

    def look(self, values: Tensor) -> Knowledge:
        """Returns a photo ``(I, N, K)`` as steps read it; what is the same in all of them is done once."""
        projected = self.knowledge(values)
        _, of_projected = self.merge.weight.chunk(2, dim=1)
        return Knowledge(values, projected, nn.functional.linear(projected, of_projected, self.merge.bias))

    def forward(self, seen: Knowledge, memory: Tensor, control: Tensor) -> tuple[Tensor, Tensor]:
        """Returns what was read ``(B, K)`` and what was attended to ``(B, N)``.

        Args:
            seen: The photo of each question.
            memory: ``(B, memory)``.
            control: ``(B, width)``.
        """
        met = seen.projected * self.memory(memory).unsqueeze(1)
        of_met, _ = self.merge.weight.chunk(2, dim=1)
        merged = torch.relu(nn.functional.linear(met, of_met) + seen.shared)
        chosen = torch.relu(merged * control.unsqueeze(1))
        shares = attended(self.score(self.drop(chosen)).squeeze(-1))
        return summed(shares, seen.values), shares


class KnowledgeQuestion(nn.Module):
    """Tells each place of the photo about the question: a linear layer of place, question and their product.

    Args:
        width: Of a place's vector.
        question: Of the question's.

    References:
        The official code of MAC, branch gqa (`initKBwithQ=MUL`).
    """

    def __init__(self, width: int, question: int) -> None:
        super().__init__()
        self.question = None if width == question else linear(question, width)
        self.merge = linear(3 * width, width)

    def forward(self, values: Tensor, photo: Tensor, question: Tensor) -> Tensor:
        """Returns the photo of each question ``(B, N, K)``.

        Args:
            values: Of each photo ``(I, N, K)``.
            photo: ``int64 (B,)``.
            question: ``(B, question)``.
        """
        told = question if self.question is None else self.question(question)
        of_place, of_question, of_both = self.merge.weight.chunk(3, dim=1)
        # The layer of all three in parts, since that of a place alone is the same for all questions about it.
        alone = nn.functional.linear(values, of_place, self.merge.bias)[photo]
        asked = nn.functional.linear(told, of_question).unsqueeze(1)
        return alone + asked + nn.functional.linear(values[photo] * told.unsqueeze(1), of_both)
