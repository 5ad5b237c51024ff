"""Programs put together step by step, with the descriptions that questions say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from foveate.scenes.draws import Draws
from foveate.scenes.graph import ATTRIBUTES, Attribute, Graph, Relation
from foveate.scenes.programs import Program, Step

# What is said of a solid: some of its attributes.
Said = Mapping[Attribute, str]


@dataclass(frozen=True, slots=True)
class Built:
    """A question before it is put into words.

    Attributes:
        kind: Which question of its family: the attribute asked, and what it goes by.
        program: How it is answered.
        said: What is said of each solid, or of those looked for, in the order of the words' places.
        relations: The relations, in that order.
        official_rule: Whether it is judged by CLEVR's rule of degenerate questions, too.
    """

    kind: str
    program: Program
    said: tuple[Said, ...]
    relations: tuple[Relation, ...] = ()
    official_rule: bool = True


@dataclass
class Builder:
    """Puts one program together."""

    graph: Graph
    draws: Draws
    steps: list[Step] = field(default_factory=list)

    def scene(self) -> int:
        """Adds all solids; returns the step's number."""
        return self.add("scene")

    def add(self, function: str, *inputs: int, value: str | None = None) -> int:
        """Adds a step; returns its number."""
        self.steps.append(Step(function, inputs, value))
        return len(self.steps) - 1

    def filtered(self, among: int, said: Said) -> int:
        """Adds the steps that leave what a description fits."""
        for attribute in ATTRIBUTES:
            if attribute in said:
                among = self.add(f"filter_{attribute}", among, value=said[attribute])
        return among

    def unique(self, among: int, said: Said) -> int:
        """Adds the steps that find the one solid of a description."""
        return self.add("unique", self.filtered(among, said))

    def program(self) -> Program:
        """Returns what was put together."""
        return tuple(self.steps)

    def naming(self, solid: int, among: Collection[int], without: Sequence[Attribute] = ()) -> Said | None:
        """Returns a description that fits one solid and no other of those given; None where there is none.

        Args:
            solid: The solid.
            among: Those that it must be told from.
            without: Attributes that must not be said.
        """
        own = self.graph.attributes[solid]
        allowed = [attribute for attribute in ATTRIBUTES if attribute not in without]
        fitting = [
            names
            for length in range(len(allowed) + 1)
            for names in combinations(allowed, length)
            if all(
                other == solid or any(self.graph.attributes[other][name] != own[name] for name in names)
                for other in among
            )
        ]
        if not fitting:
            return None
        # Short ones are what people say; now and then something is said that need not be.
        least = len(fitting[0])
        short = [names for names in fitting if len(names) == max(least, 1)] or fitting
        names = self.draws.pick(short if self.draws.uniform(0, 1) < 0.6 else fitting)
        return {name: own[name] for name in names}

    def some(self, solid: int, least: int = 1, most: int = 2) -> Said:
        """Returns some attributes of a solid: a description that others may fit, too."""
        names = self.draws.shuffled(ATTRIBUTES)[: self.draws.whole(least, most)]
        return {name: self.graph.attributes[solid][name] for name in ATTRIBUTES if name in names}

    def fitting(self, said: Said, among: Collection[int]) -> frozenset[int]:
        """Returns those that a description fits."""
        attributes = self.graph.attributes
        return frozenset(n for n in among if all(attributes[n][name] == value for name, value in said.items()))
