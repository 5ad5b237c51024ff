"""The three rounds in which people look at what the rules left."""

from __future__ import annotations

from dataclasses import dataclass

# What steps of people are called, so that a rule and a round may share a name.
PREFIX = "review."
REVIEWERS = ("reviewer1", "reviewer2")


@dataclass(frozen=True, slots=True)
class Round:
    """One round.

    Attributes:
        name: As its files are called.
        title: In prose.
        question: What reviewers say yes or no to; a yes of either removes the sample.
        rule: The rule whose flags come first in the list.
    """

    name: str
    title: str
    question: str
    rule: str

    @property
    def step(self) -> str:
        """The name of the step in tables."""
        return PREFIX + self.name


ROUNDS = (
    Round(
        "several_questions",
        "People: several questions",
        "Does it ask more than one question?",
        "several_questions",
    ),
    Round(
        "several_regions",
        "People: several regions",
        "Does the answer need more than one region?",
        "several_regions",
    ),
    Round(
        "answer_not_shown",
        "People: answer not shown",
        "Is the answer not shown in the image?",
        "not_groundable",
    ),
)
