from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from contextlib import suppress

import numpy as np
import pytest

from foveate.scenes._families import FAMILIES
from foveate.scenes.draws import Draws
from foveate.scenes.graph import ATTRIBUTES, OPPOSITE, VALUES, Graph
from foveate.scenes.layout import portion_of
from foveate.scenes.placing import arrange
from foveate.scenes.programs import Step, answer_of, evidence_of, is_degenerate, run
from foveate.scenes.questions import Question
from foveate.scenes.recipe import standard
from foveate.scenes.scene import Scene, plan_scene
from foveate.scenes.sight import masks
from tests.unit.scenes.interpreter import Json, NotUniqueError, evidence, give

SCENES = 60
WORDS = {
    "sphere": "sphere|ball",
    "cube": "cube|block",
    "large": "large|big",
    "small": "small|tiny",
    "metal": "metal|metallic|shiny",
    "rubber": "rubber|matte",
}


@pytest.fixture(scope="module")
def planned() -> list[tuple[Graph, tuple[Question, ...], Json, list[Json]]]:
    found = []
    for index in range(SCENES):
        arrangement, graph, questions = plan_scene(standard(), 9, index)
        seen = masks(arrangement.sight, len(arrangement.solids))
        rows = portion_of(Scene(arrangement, graph, None, seen, questions), "mine", index)  # type: ignore[arg-type]
        found.append((graph, questions, json.loads(rows["scenes"][0]), [json.loads(row) for row in rows["questions"]]))
    return found


Planned = list[tuple[Graph, tuple[Question, ...], Json, list[Json]]]


def test_programs_give_the_answers_and_the_evidence(planned: Planned) -> None:
    kinds = set()
    for _, questions, scene, rows in planned:
        assert len(rows) == 10
        for question, row in zip(questions, rows, strict=True):
            assert give(row["program"], scene) == row["answer"] == question.answer
            assert tuple(evidence(row["program"], scene)) == question.evidence
            assert FAMILIES[row["question_family_index"]][0] == question.family
            kinds.add(row["question_family_index"])
    assert kinds == set(range(len(FAMILIES)))


def test_relations_in_the_files_have_a_margin(planned: Planned) -> None:
    for _, _, scene, _ in planned:
        for way, other in OPPOSITE.items():
            x, y, _ = scene["directions"][way]
            for n, beside in enumerate(scene["relationships"][way]):
                assert n not in beside
                # Who is not on one side is on the other.
                rest = set(scene["relationships"][other][n])
                assert set(beside) | rest | {n} == set(range(len(scene["objects"])))
                assert not set(beside) & rest
                a = scene["objects"][n]["3d_coords"]
                for one in beside:
                    b = scene["objects"][one]["3d_coords"]
                    assert x * (b[0] - a[0]) + y * (b[1] - a[1]) >= standard().solids.margin - 1e-4


def test_no_question_can_be_answered_without_its_relations(planned: Planned) -> None:
    checked = 0
    for _, questions, scene, rows in planned:
        for question, row in zip(questions, rows, strict=True):
            for n, step in enumerate(row["program"]):
                if step["function"] != "relate" and not step["function"].startswith("same_"):
                    continue
                checked += 1
                if question.family == "exist":
                    # All things would always give yes; the opposite side gives the other answer.
                    turned = {**step, "value_inputs": [OPPOSITE[step["value_inputs"][0]]]}
                    other = row["program"][:n] + [turned] + row["program"][n + 1 :]
                else:
                    everything = {"function": "scene", "inputs": [], "value_inputs": []}
                    other = row["program"][:n] + [everything] + row["program"][n + 1 :]
                with suppress(NotUniqueError):
                    assert give(other, scene) != row["answer"]
    assert checked > 300


def test_what_is_asked_is_not_said(planned: Planned) -> None:
    checked = 0
    for graph, questions, _, _ in planned:
        for question in questions:
            function, _, asked = question.program[-1].function.partition("_")
            if function != "query":
                continue
            checked += 1
            said = {step.function for step in _last_filters(question)}
            assert f"filter_{asked}" not in said
            attribute = next(one for one in ATTRIBUTES if one == asked)
            assert [graph.attributes[one][attribute] for one in question.evidence] == [question.answer]
    assert checked > SCENES * 5


def _last_filters(question: Question) -> list[Step]:
    """The filters between the last relation and the end."""
    found = []
    for step in reversed(question.program):
        if step.function == "relate" or step.function.startswith("same_"):
            break
        found.append(step)
    return found


def test_the_words_say_all_that_the_program_looks_for(planned: Planned) -> None:
    texts = set()
    for _, questions, _, _ in planned:
        assert len({question.text for question in questions}) == 10
        for question in questions:
            texts.add(question.text)
            assert re.fullmatch(r"[A-Z][a-z ]+(; [a-z ]+)?\?", question.text), question.text
            assert not re.search(r"\ba object|things? (thing|object)", question.text)
            wanted = Counter(step.value for step in question.program if step.function.startswith("filter"))
            for value, times in wanted.items():
                assert value is not None
                pattern = rf"\b({WORDS.get(value, value)})s?\b"
                assert len(re.findall(pattern, question.text)) >= times, question.text
            for step in question.program:
                if step.function == "relate":
                    assert str(step.value) in question.text
    assert len(texts) > 0.97 * SCENES * 10


def test_the_answers_of_each_kind_are_balanced(planned: Planned) -> None:
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for _, questions, _, _ in planned:
        for question in questions:
            answers[question.program[-1].function].update([question.answer])
    for attribute, values in VALUES.items():
        told = answers[f"query_{attribute}"]
        assert set(told) == set(values)
        assert max(told.values()) < 2.0 / len(values) * told.total()
    assert 0.35 < answers["exist"]["yes"] / answers["exist"].total() < 0.65
    assert set(answers["count"]) == {"0", "1", "2", "3", "4"}
    assert max(answers["count"].values()) < 0.45 * answers["count"].total()


def graph(*objects: str, left: tuple[tuple[int, ...], ...] = ((), (0,), (0, 1))) -> Graph:
    """Three solids in a row, the first the leftmost, unless told otherwise."""
    attributes = tuple(dict(zip(ATTRIBUTES, one.split(), strict=True)) for one in objects)
    right = tuple(tuple(n for n, row in enumerate(left) if one in row) for one in range(len(objects)))
    return Graph(attributes, {"left": left, "right": right, "front": left, "behind": right})


THREE = graph("large red metal cube", "small red rubber sphere", "large blue rubber cube")


def steps(*words: str) -> tuple[Step, ...]:
    """A program in a line, `filter_color:red`; each step takes the one before."""
    parted = [word.partition(":") for word in words]
    return tuple(Step(name, (n - 1,) if n else (), value or None) for n, (name, _, value) in enumerate(parted))


@pytest.mark.parametrize(
    ("program", "answer", "rests_on"),
    [
        (steps("scene", "filter_color:blue", "unique", "query_size"), "large", (2,)),
        (steps("scene", "filter_color:red", "count"), "2", (0, 1)),
        (steps("scene", "filter_shape:cylinder", "exist"), "no", ()),
        (steps("scene", "filter_shape:sphere", "unique", "relate:left", "unique", "query_material"), "metal", (0,)),
        (steps("scene", "filter_color:blue", "unique", "same_shape", "unique", "query_color"), "red", (0,)),
        (steps("scene", "filter_color:red", "unique", "query_size"), None, ()),
        (steps("scene", "filter_color:green", "unique", "query_size"), None, ()),
    ],
)
def test_programs_by_hand(program: tuple[Step, ...], answer: str | None, rests_on: tuple[int, ...]) -> None:
    assert answer_of(program, THREE) == answer
    assert evidence_of(program, THREE) == rests_on
    assert (run(program, THREE) is None) == (answer is None)


def test_comparing_rests_on_both() -> None:
    program = (
        *steps("scene", "filter_color:blue", "unique", "query_shape"),
        Step("scene"),
        Step("filter_material", (4,), "metal"),
        Step("unique", (5,)),
        Step("query_shape", (6,)),
        Step("equal_shape", (3, 7)),
    )
    assert answer_of(program, THREE) == "yes"
    assert evidence_of(program, THREE) == (0, 2)


def test_degenerate_by_hand() -> None:
    # Only one thing is a sphere: whether it is right of the metal one does not matter.
    beside = ("scene", "filter_material:metal", "unique", "relate:right")
    assert is_degenerate(steps(*beside, "filter_shape:sphere", "unique", "query_size"), THREE)
    # Without the relation there are two cubes.
    assert not is_degenerate(steps(*beside, "filter_shape:cube", "unique", "query_color"), THREE)
    assert not is_degenerate(steps("scene", "filter_color:blue", "unique", "query_size"), THREE)
    with pytest.raises(ValueError, match="there is no function guess"):
        run(steps("scene", "guess"), THREE)


def test_arrangements_keep_to_the_recipe() -> None:
    recipe = standard()
    counts: Counter[int] = Counter()
    for index in range(80):
        found = arrange(recipe, Draws(11, index))
        seen = masks(found.sight, len(found.solids))
        counts[len(found.solids)] += 1
        for solid, mask in zip(found.solids, seen, strict=True):
            assert mask.sum() >= recipe.picture.least_pixels
            rows = np.nonzero(mask)[0]
            high = (rows.max() - rows.min() + 1) / recipe.picture.height
            least, most = (0.10, 0.25) if solid.size == "large" else (0.06, 0.16)
            assert least < high < most
            # Nothing is cut off at the edge.
            assert not mask[0].any()
            assert not mask[-1].any()
            assert not mask[:, 0].any()
            assert not mask[:, -1].any()
    assert set(counts) == {3, 4, 5, 6}
