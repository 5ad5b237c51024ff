"""Programs that answer questions about a scene, in CLEVR's catalogue of functions, and what each step gives.

References:
    Johnson, Hariharan, van der Maaten, Fei-Fei, Zitnick, Girshick: CLEVR, a Diagnostic Dataset for Compositional
    Language and Elementary Visual Reasoning, CVPR 2017, section 3 and supplement A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from foveate.scenes.graph import Attribute, Graph, Relation

# A set of solids, one solid, or a value: an attribute's name, a number, yes or no.
Value = frozenset[int] | int | str


@dataclass(frozen=True, slots=True)
class Step:
    """One function of a program.

    Attributes:
        function: Its name in CLEVR's catalogue, such as `filter_color`.
        inputs: The steps before it whose results it takes.
        value: What is filtered for, or the relation; None where the function takes none.
    """

    function: str
    inputs: tuple[int, ...] = ()
    value: str | None = None


Program = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """How many; apart from the number of a solid on purpose."""

    n: int


def run(program: Sequence[Step], graph: Graph) -> list[Value | Number] | None:
    """Returns what each step of a program gives; None where `unique` finds none or several: it means nothing then."""
    results: list[Value | Number] = []
    for step in program:
        result = _result(step, [results[number] for number in step.inputs], graph)
        if result is None:
            return None
        results.append(result)
    return results


def answer_of(program: Sequence[Step], graph: Graph) -> str | None:
    """Returns the answer as a word; None where the program means nothing."""
    results = run(program, graph)
    if results is None:
        return None
    last = results[-1]
    return str(last.n) if isinstance(last, Number) else str(last)


def evidence_of(program: Sequence[Step], graph: Graph) -> tuple[int, ...]:
    """Returns the solids that the answer rests on, in their order.

    That is the solid whose attribute is asked, the solids that were found or counted, both that are compared.
    """
    results = run(program, graph)
    if results is None:
        return ()
    last = program[-1]
    if last.function.startswith("equal_"):
        # Each side asks an attribute of one solid.
        asked = [program[number].inputs[0] for number in last.inputs]
        return tuple(sorted({cast(int, results[number]) for number in asked}))
    before = results[last.inputs[0]]
    return (before,) if isinstance(before, int) else tuple(sorted(cast(frozenset[int], before)))


def is_degenerate(program: Sequence[Step], graph: Graph) -> bool:
    """Returns whether a relation does not matter: the answer is the same with all solids in its place.

    `exist` with a relation would always be so where the answer is yes; there the opposite relation must change it,
    which those who make questions see to.
    """
    answer = answer_of(program, graph)
    return any(
        answer_of(_without(program, number), graph) == answer
        for number, step in enumerate(program)
        if step.function == "relate" or step.function.startswith("same_")
    )


def _without(program: Sequence[Step], number: int) -> Program:
    return tuple(Step("scene") if n == number else step for n, step in enumerate(program))


def _result(step: Step, given: list[Value | Number], graph: Graph) -> Value | Number | None:
    function, _, attribute = step.function.partition("_")
    if function == "scene":
        return graph.everything
    if function in {"query", "same", "relate"}:
        return _of_one(function, cast(Attribute, attribute), cast(int, given[0]), step, graph)
    if function == "equal":
        return "yes" if given[0] == given[1] else "no"
    among = cast(frozenset[int], given[0])
    if function == "filter":
        wanted = cast(Attribute, attribute)
        return frozenset(one for one in among if graph.attributes[one][wanted] == step.value)
    return _of_several(function, among)


def _of_one(function: str, attribute: Attribute, solid: int, step: Step, graph: Graph) -> Value:
    if function == "query":
        return graph.attributes[solid][attribute]
    if function == "relate":
        return frozenset(graph.relationships[cast(Relation, step.value)][solid])
    own = graph.attributes[solid][attribute]
    return frozenset(n for n, one in enumerate(graph.attributes) if one[attribute] == own and n != solid)


def _of_several(function: str, among: frozenset[int]) -> Value | Number | None:
    if function == "unique":
        return next(iter(among)) if len(among) == 1 else None
    if function == "exist":
        return "yes" if among else "no"
    if function == "count":
        return Number(len(among))
    raise ValueError(f"there is no function {function}")
