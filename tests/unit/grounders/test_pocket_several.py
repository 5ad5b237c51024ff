from __future__ import annotations

import pytest

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.several import answer_all
from foveate.perception.questions import understand
from tests.unit.grounders.eyes import Eyes, ask, chance_of, line, score_of
from tests.unit.grounders.painted import BLUE, RED, Painted
from tests.unit.grounders.painted import ask as ask_about

CAT, DOG = (0, 0, 60, 60), (100, 0, 290, 190)


def test_each_question_is_answered_and_the_answers_are_joined(eyes: Eyes) -> None:
    eyes.things = [("cat", 0.9, CAT), ("dog", 0.5, DOG)]
    found = ask_about(Painted({CAT: RED, DOG: BLUE}), "How many cats are there, and what color is the dog?")
    assert (found.answer, found.status) == ("1; blue", "ok")
    assert found.final is not None
    assert found.final.label == "cat"
    assert [region.label for region in found.candidates] == ["dog", "cat"]


def test_one_thing_is_one_candidate_whatever_is_asked_of_it(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.5, DOG)]
    found = ask("What is this, how many dogs are there, and what color is the dog?")
    assert (found.answer or "").startswith("dog; 1")
    assert [region.label for region in found.candidates] == ["dog"]


def test_it_is_what_the_first_question_found(eyes: Eyes) -> None:
    # "This" is the larger dog; the cat is surer.
    eyes.things = [("cat", 0.6, CAT), ("dog", 0.5, DOG)]
    found = ask_about(Painted({CAT: RED, DOG: BLUE}), "What is this and what color is it?")
    assert found.answer == "dog; blue"
    assert ask("What is this and how many are there?").answer == "dog; 1"


def test_what_could_not_be_answered_is_said_with_its_question(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.5, DOG)]
    found = ask("Where is the cat? Is there a dog? Is the dog asleep?")
    assert found.answer == "yes"
    assert found.final is not None
    assert found.final.label == "dog"
    assert found.reason == (
        '"Where is the cat": pocket looked for a cat and did not find one. '
        '"Is the dog asleep": pocket sees this dog, and cannot tell the rest of what is asked.'
    )
    assert found.answer_score == pytest.approx(score_of(chance_of(eyes, "dog")))


def test_nothing_found_for_any_is_no_region(eyes: Eyes) -> None:
    found = ask("Where is the cat, and what does the sign say?")
    assert (found.status, found.answer, found.answer_score) == ("no_region", None, None)


def test_the_first_answers_region_is_final_though_another_is_surer(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.5, DOG)]
    eyes.lines = [line("BEWARE", (0, 150, 90, 180), 0.95)]
    found = ask("Is there a dog, and what does the sign say?")
    assert found.answer == "yes; BEWARE"
    assert found.final is not None
    assert found.final.label == "dog"
    assert [region.label for region in found.candidates] == ["BEWARE", "dog"]
    # Both are right no oftener than the less likely one.
    assert found.answer_score == pytest.approx(score_of(chance_of(eyes, "dog")))


@pytest.mark.parametrize("scores", [(None, 0.5), (0.5, None)])
def test_a_score_that_is_not_known_leaves_none(scores: tuple[float | None, float | None]) -> None:
    findings = iter([Finding("a", (), "why", scores[0]), Finding("b", (), "why", scores[1])])
    asked = understand("Where is the cat, and where is the dog?")
    found = answer_all(None, asked, lambda seen, each: next(findings))  # type: ignore[arg-type]
    assert (found.answer, found.answer_score) == ("a; b", None)
