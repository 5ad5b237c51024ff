"""MAC: a network that answers in steps, each attending to words of the question and then to places of the photo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from torch import Tensor

from foveate.networks._config import config_of
from foveate.networks._mac_config import ReasonerConfig
from foveate.networks._read import KnowledgeQuestion
from foveate.networks._reasoner import Known, Reasoner


class MacConfig(ReasonerConfig):
    """What MAC is built with.

    Attributes:
        knowledge_question: Whether each place is told about the question, by a product (`mul`) or not (`none`).
    """

    network: Literal["mac"] = "mac"
    knowledge_question: Literal["none", "mul"] = "none"


class Mac(Reasoner):
    """MAC over a grid of features.

    Args:
        config: The fields of `MacConfig`.

    Raises:
        UsageError: An option is none, or its value is not one that it can have.

    References:
        Hudson, Manning: Compositional Attention Networks for Machine Reasoning, ICLR 2018; the official code
        stanfordnlp/mac-network for what the paper leaves open.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        checked = config_of(MacConfig, config)
        super().__init__(checked, checked.width)
        tells = checked.knowledge_question == "mul"
        self.knowledge_question = KnowledgeQuestion(checked.width, checked.width) if tells else None

    def see(self, grid: Tensor) -> Tensor:
        """Returns the cells that the stem gives."""
        cells: Tensor = self.stem(grid)
        return cells.flatten(1, 2)

    def look(self, seen: Tensor, photo: Tensor, question: Tensor) -> tuple[Known, dict[str, list[Tensor]]]:
        """Returns the photo, the same at every step; nothing further is attended to."""
        if self.knowledge_question is None:
            knowledge = self.read.look(seen).of(photo)
        else:
            knowledge = self.read.look(self.knowledge_question(seen, photo, question))
        return lambda number, control: knowledge, {}
