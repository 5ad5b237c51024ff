"""From the last memory and the question to the answers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from foveate.networks._parts import linear


class AnswerHead(nn.Module):
    """Memory and question, and their product if wanted, through one hidden layer with ELU.

    Args:
        memory: The memory's width; the question is brought to it.
        question: The question's.
        hidden: That of the hidden layer.
        answers: How many there are.
        product: Whether the product of memory and question is told too.
        dropout: The share of numbers that is dropped before each layer in training.

    References:
        Hudson, Manning, ICLR 2018, section 3.3; the product is that of the official code's branch gqa.
    """

    def __init__(self, memory: int, question: int, hidden: int, answers: int, *, product: bool, dropout: float) -> None:
        super().__init__()
        self.question = linear(question, memory)
        self.hidden, self.answers = linear(memory * (3 if product else 2), hidden), linear(hidden, answers)
        self.drop, self._product = nn.Dropout(dropout), product

    def forward(self, memory: Tensor, question: Tensor) -> Tensor:
        """Returns a value of each answer ``(B, answers)``."""
        asked = self.question(question)
        parts = [memory, asked, *([memory * asked] if self._product else [])]
        hidden = nn.functional.elu(self.hidden(self.drop(torch.cat(parts, dim=-1))))
        logits: Tensor = self.answers(self.drop(hidden))
        return logits
