"""MAC's control unit: what a step is about, as attention over the question's words."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from foveate.networks._parts import attended, linear, scores, summed

Control = Literal["question", "recurrent"]
Activation = Literal["tanh", "relu"]


class ControlUnit(nn.Module):
    """Chooses words of the question for each step.

    Args:
        width: Of the question and its words.
        steps: How many steps there are.
        control: `question`: a step is told by the question alone, by weights of its own; `recurrent`: by the question,
            with weights that all steps share, and by the step before.
        activation: Of the question before a step's weights.

    References:
        Hudson, Manning, ICLR 2018, section 3.2.1; the variant `question` is the default of the official code
        (configs/args.txt), `recurrent` that of the paper (configs/args1.txt).
    """

    def __init__(self, width: int, steps: int, control: Control, activation: Activation) -> None:
        super().__init__()
        self.recurrent, self._activation = control == "recurrent", getattr(torch, activation)
        self.question = linear(width, width)
        self.of_step = nn.ModuleList(linear(width, width) for _ in range(1 if self.recurrent else steps))
        self.first = nn.Parameter(torch.randn(width)) if self.recurrent else None
        self.merge = linear(2 * width, width) if self.recurrent else None
        self.score = scores(width)

    def begin(self, question: Tensor) -> Tensor:
        """Returns the control before the first step ``(B, width)``: learnt, or the question itself."""
        return question if self.first is None else self.first.expand_as(question)

    def inputs(self, question: Tensor) -> list[Tensor]:
        """Returns the question as each set of weights sees it: one for each step, or one for all."""
        seen = self._activation(self.question(question))
        return [layer(seen) for layer in self.of_step]

    def forward(self, told: Tensor, before: Tensor, words: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the control ``(B, width)`` and what was attended to ``(B, L)``.

        Args:
            told: The question as this step sees it ``(B, width)``.
            before: The control of the step before ``(B, width)``.
            words: ``(B, L, width)``.
            there: ``bool (B, L)``.
        """
        if self.merge is not None:
            told = torch.tanh(self.merge(torch.cat([before, told], dim=-1)))
        shares = attended(self.score(told.unsqueeze(1) * words).squeeze(-1), there)
        return summed(shares, words), shares
