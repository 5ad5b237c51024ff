"""A query: all that a grounder ever gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, size_problem


@runtime_checkable
class Image(Protocol):
    """A lazy reference to a photo; the readers of ``foveate.sources`` make them."""

    @property
    def name(self) -> str:
        """The file name, for messages and for grouping the questions of one photo."""

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the upright photo, from its header; pixels are not decoded."""

    def load(self) -> NDArray[np.uint8]:
        """Returns the upright photo: ``uint8 (H, W, 3)``, RGB."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question about a photo, without a trace of its target.

    Attributes:
        id: Unique in its data set and stable.
        image_name: The photo's file name as the data set has it.
        image: The photo, or None where it is absent; methods that need only the size (priors) work without.
        question: The question as it was asked; never blank.
        size_hw: Height and width of the upright photo, or None where nothing tells it.
        given_answer: The answer, only where the data set's card says that methods may see it.
    """

    id: str
    image_name: str
    image: Image | None
    question: str
    size_hw: SizeHW | None
    given_answer: str | None = None

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a query needs an id")
        if not self.question.strip():
            raise ValueError("the question is empty")
        problem = size_problem(self.size_hw) if self.size_hw is not None else None
        if problem:
            raise ValueError(problem)
