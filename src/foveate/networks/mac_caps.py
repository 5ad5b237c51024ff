"""MAC-Caps: MAC whose photo is a grid of capsules, of which each step takes those that suit its control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import torch
from pydantic import Field
from torch import Tensor, nn

from foveate.networks._config import config_of
from foveate.networks._mac_config import ReasonerConfig
from foveate.networks._parts import attended, linear
from foveate.networks._read import Knowledge, KnowledgeQuestion
from foveate.networks._reasoner import Known, Reasoner
from foveate.networks.capsules import POSE, PrimaryCapsules, VisualCapsules

# A capsule as the steps read it: its pose and its activation.
_CAPSULE = POSE + 1


class MacCapsConfig(ReasonerConfig):
    """What MAC-Caps is built with.

    Attributes:
        capsules: How many there are at each place; the paper has 16, 24 and 32.
        mask_layer: Whether all steps choose capsules by one layer (`shared`) or by one `each`.
    """

    network: Literal["mac_caps"] = "mac_caps"
    capsules: Annotated[int, Field(ge=2)] = 16
    mask_layer: Literal["shared", "each"] = "shared"


class MacCaps(Reasoner):
    """MAC over capsules.

    Args:
        config: The fields of `MacCapsConfig`.

    Raises:
        UsageError: An option is none, or its value is not one that it can have.

    References:
        Urooj, Kuehne, Duarte, Gan, Lobo, Shah: Found a Reason for me? Weakly-supervised Grounded Visual Question
        Answering using Capsules, CVPR 2021; the official code for what the paper leaves open.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        checked = config_of(MacCapsConfig, config)
        memory = checked.capsules * _CAPSULE
        super().__init__(checked, memory)
        self.primary = PrimaryCapsules(checked.width, checked.capsules)
        self.visual = VisualCapsules(checked.capsules, checked.capsules)
        self.knowledge_question = KnowledgeQuestion(memory, checked.width)
        count = 1 if checked.mask_layer == "shared" else checked.steps
        self.masks = nn.ModuleList(
            nn.Sequential(linear(checked.width, checked.width), linear(checked.width, checked.capsules))
            for _ in range(count)
        )

    def see(self, grid: Tensor) -> Tensor:
        """Returns each cell's capsules, one after another, each its pose and then its activation."""
        pose, activation = self.visual(*self.primary(self.stem(grid).flatten(1, 2)))
        return torch.cat([pose, activation.unsqueeze(-1)], dim=-1).flatten(2)

    def look(self, seen: Tensor, photo: Tensor, question: Tensor) -> tuple[Known, dict[str, list[Tensor]]]:
        """Returns the capsules that each step chooses, and how it does: ``capsules (B, steps, C)``."""
        asked = self.knowledge_question(seen, photo, question)
        chosen: list[Tensor] = []

        def known(number: int, control: Tensor) -> Knowledge:
            layer = self.masks[number if len(self.masks) > 1 else 0]
            chosen.append(attended(layer(control)))
            mask = chosen[-1].to(asked.dtype).repeat_interleave(_CAPSULE, dim=-1)
            return self.read.look(asked * mask.unsqueeze(1))

        return known, {"capsules": chosen}
