"""MAC's write unit: the memory after a step."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from foveate.networks._parts import attended, linear, scores, summed

# So that a gate begins by letting most of what is new in.
_GATE_BIAS = 1.0


class WriteUnit(nn.Module):
    """Joins the memory with what was read.

    Args:
        width: Of the control.
        knowledge: Of what was read.
        memory: Of the memory.
        self_attention: Whether memories of all steps before are joined too, by how alike their controls are.
        gate: Whether the control says how much of the memory is new.

    References:
        Hudson, Manning, ICLR 2018, section 3.2.3. That the state before the first step is among those of self-attention
        is the official code's.
    """

    def __init__(self, width: int, knowledge: int, memory: int, *, self_attention: bool, gate: bool) -> None:
        super().__init__()
        self.merge = linear(memory + knowledge + memory * self_attention, memory)
        self.control = linear(width, width) if self_attention else None
        self.score = scores(width) if self_attention else None
        self.gate = linear(width, memory) if gate else None

    def forward(self, read: Tensor, control: Tensor, controls: Sequence[Tensor], memories: Sequence[Tensor]) -> Tensor:
        """Returns the memory ``(B, memory)``.

        Args:
            read: ``(B, knowledge)``.
            control: ``(B, width)``, of this step.
            controls: Those before, from the first on.
            memories: As many; the last is the memory that is to be changed.
        """
        parts = [memories[-1], read]
        if self.control is not None and self.score is not None:
            alike = torch.stack(list(controls), dim=1) * self.control(control).unsqueeze(1)
            shares = attended(self.score(alike).squeeze(-1))
            parts.append(summed(shares, torch.stack(list(memories), dim=1)))
        new: Tensor = self.merge(torch.cat(parts, dim=-1))
        if self.gate is None:
            return new
        share = torch.sigmoid(self.gate(control) + _GATE_BIAS)
        return share * new + (1 - share) * memories[-1]
