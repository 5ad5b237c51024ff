"""A truth: the accepted answers and regions of a sample; kept apart from the query on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from foveate.core.boxes import SizeHW, size_problem
from foveate.core.regions import Polygon, Shape
from foveate.core.soft_maps import SoftMap

TargetShape = Shape | SoftMap
Match = Literal["single", "union", "any", "per_answer"]
# What else is known about a sample: one value, or several names (its flaws, say).
Fact = str | int | float | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """One accepted region: its shape, the answer it belongs to and who drew it, where these are known.

    A soft map, which says how many people marked each place, is scored as the pixels of at least one half.

    Attributes:
        shape: The region that is scored.
        answer: The answer that it belongs to.
        annotator: Who drew it.
        outline: The corners as they were drawn, where the shape is a mask that was made of them.
    """

    shape: TargetShape
    answer: str | None = None
    annotator: str | None = None
    outline: Polygon | None = None


@dataclass(frozen=True, slots=True)
class Truth:
    """Answers and targets of one sample.

    Attributes:
        id: The id of the query that it belongs to.
        answers: The accepted answers; may be empty where a data set has none.
        targets: The accepted regions; none means that there is nothing to ground, so that `no_region` is right.
        match: How several targets count: `single` (there is one), `union`, `any`, `per_answer`.
        answerable: False where the data set says that the question cannot be answered from the photo.
        size_hw: Height and width of the upright photo, where known; targets then lie inside it.
        polled: Whether the answers are one a person, to be counted; else each is right, and they are no vote.
        facts: What else the data set knows of the sample, by names that its card explains; what is not known of a
            sample is not in it.
    """

    id: str
    answers: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    match: Match = "single"
    answerable: bool = True
    size_hw: SizeHW | None = None
    polled: bool = True
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a truth needs the id of its query")
        if self.match not in get_args(Match):
            raise ValueError(f"match is one of {', '.join(get_args(Match))}, not {self.match}")
        if self.match == "single" and len(self.targets) > 1:
            raise ValueError(f"there are {len(self.targets)} targets, `single` takes at most one")
        problem = size_problem(self.size_hw) if self.size_hw else None
        if problem:
            raise ValueError(problem)
        for target in self.targets:
            problem = target.shape.problem(self.size_hw) if self.size_hw else None
            if problem:
                raise ValueError(problem)
