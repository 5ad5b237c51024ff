"""Questions about a scene: of seven families, each with a program, only where the answer rests on all of it.

Whoever answers by the most usual answer of a family should not get far: the answer is drawn first, each as likely as
the others of its kind, and then a question that has it. Nothing is counted over scenes: a scene's questions depend on
nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from foveate.scenes._building import Builder, Built
from foveate.scenes._families import FAMILIES, MAKERS, goal
from foveate.scenes._words import worded
from foveate.scenes.draws import Draws
from foveate.scenes.graph import Graph
from foveate.scenes.programs import Program, answer_of, evidence_of, is_degenerate
from foveate.scenes.recipe import Family, QuestionsPlan

# How often a question of one kind and answer is tried, and how many kinds and answers.
_TRIES, _GOALS = 12, 25


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a scene.

    Attributes:
        text: What is asked.
        answer: Its answer in a word.
        program: How it is answered.
        family: Its family.
        kind: The number of its kind, of all families together (`FAMILIES`).
        evidence: The solids that the answer rests on.
    """

    text: str
    answer: str
    program: Program
    family: Family
    kind: int
    evidence: tuple[int, ...]


def questions_of(graph: Graph, plan: QuestionsPlan, draws: Draws) -> tuple[Question, ...] | None:
    """Returns as many questions about a scene as the plan wants, no two alike; None where it has too few."""
    found: list[Question] = []
    said: set[str] = set()
    for family in plan.wanted:
        question = next(
            (one for name in (family, *plan.instead) if (one := _one(graph, name, draws, said)) is not None), None
        )
        if question is None:
            return None
        said.add(question.text)
        found.append(question)
    return tuple(found)


def _one(graph: Graph, family: Family, draws: Draws, said: set[str]) -> Question | None:
    for _ in range(_GOALS):
        kind, wanted = goal(family, draws)
        for _ in range(_TRIES):
            built = MAKERS[family](Builder(graph, draws), kind, wanted)
            if built is None or not _sound(built, graph, wanted):
                continue
            text = worded(built, family, draws)
            if text not in said:
                evidence = evidence_of(built.program, graph)
                return Question(text, wanted, built.program, family, FAMILIES.index((family, kind)), evidence)
    return None


def _sound(built: Built, graph: Graph, wanted: str) -> bool:
    if answer_of(built.program, graph) != wanted:
        return False
    return not (built.official_rule and is_degenerate(built.program, graph))
