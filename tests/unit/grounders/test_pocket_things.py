from __future__ import annotations

import math

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.grounders import pocket
from foveate.grounders._pocket import things
from foveate.grounders._pocket.seen import THRESHOLD, Seen, Settings
from foveate.perception.meaning import stored_phrases
from foveate.perception.propose import Proposals
from foveate.perception.rank_things import chances
from tests.unit.grounders.eyes import KINDS, SIZE, Eyes, Photo, ask


def score_of(chance: float, likely: float) -> float:
    """The score by its definition: a logistic curve of the log of both chances."""
    return 1 / (1 + math.exp(-(things.STEEPNESS * math.log(chance * likely) + things.LEVEL)))


def test_a_thing_is_found_by_its_use(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 50, 50)), ("oven", 0.3, (100, 50, 200, 150))]
    found = ask("What do we bake bread in?")
    assert (found.status, found.answer) == ("ok", "oven")
    assert found.final is not None
    assert found.final.label == "oven"
    assert found.answer_score == found.final.score
    assert found.size_hw == SIZE


def test_the_score_of_a_named_thing_is_the_measured_chance_of_its_box(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.6, (50, 50, 150, 150))]
    found = ask("Where is the dog?")
    seen = Proposals(np.array([[50.0, 50, 150, 150]]), np.array([KINDS.index("dog")]), np.array([0.6]))
    (chance,) = chances(seen, SIZE)
    assert found.answer_score == pytest.approx(score_of(float(chance), 1.0))


def test_the_five_best_places_are_candidates_best_first(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.99 - 0.05 * n, (40 * n, 0, 40 * n + 40, 60)) for n in range(7)]
    found = ask("Where is the dog?")
    assert [c.shape.xyxy[0] for c in found.candidates] == [0, 40, 80, 120, 160]
    assert found.final == found.candidates[0]


def test_a_place_is_shown_once_whatever_it_may_be(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(things, "things_of", lambda *_: {"chair": 0.5, "bench": 0.5})
    eyes.things = [("chair", 0.9, (0, 0, 90, 90)), ("bench", 0.9, (0, 0, 92, 90)), ("bench", 0.8, (150, 0, 280, 90))]
    found = ask("Where can several people sit outdoors?")
    assert sorted(c.shape.xyxy[0] for c in found.candidates) == [0, 150]


def test_the_answer_is_the_name_that_people_use(eyes: Eyes) -> None:
    eyes.things = [("motorbike", 0.5, (0, 0, 150, 150))]
    assert ask("Where is the motorbike?").answer == "motorcycle"


def test_a_kind_that_fits_better_outweighs_a_surer_detection_of_another(eyes: Eyes) -> None:
    eyes.things = [("sports ball", 0.9, (0, 0, 20, 20)), ("tennis racket", 0.2, (30, 0, 90, 90))]
    assert ask("What do we hit the tennis ball with?").answer == "tennis racket"


def test_where_a_thing_is_asks_for_that_thing_and_for_no_other(eyes: Eyes) -> None:
    """Where there is no bowl, the cat is no answer."""
    eyes.things = [("cat", 0.9, (0, 0, 150, 150))]
    found = ask("Where is the cat's bowl?")
    assert (found.status, found.reason) == ("no_region", "pocket looked for bowl and did not find one.")


def test_an_absent_thing_is_named_in_the_reason(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 50, 50)), ("oven", 0.001, (0, 0, 9, 9))]
    found = ask("Where is the oven?")
    assert (found.status, found.final, found.answer) == ("no_region", None, None)
    assert found.reason == "pocket looked for oven and did not find one."


@pytest.mark.parametrize(
    ("likely", "reason"),
    [
        ({"cat": 0.8, "dog": 0.1}, "pocket looked for cat and did not find one."),
        ({"chair": 0.4, "bench": 0.35, "cat": 0.01}, "pocket looked for chair and bench and did not find any."),
        (
            {"cup": 0.3, "fork": 0.3, "knife": 0.3, "spoon": 0.3},
            "pocket looked for cup, fork and knife and did not find any.",
        ),
        ({"flag": 0.9}, "This asks for a flag, which is not among the 80 kinds of thing that pocket knows."),
        ({"umbrella": 0.2}, "pocket is not sure what this asks for; the nearest that it can think of is an umbrella."),
    ],
)
def test_the_reason_names_what_was_looked_for(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch, likely: dict[str, float], reason: str
) -> None:
    monkeypatch.setattr(things, "things_of", lambda *_: likely)
    assert ask("Which one?").reason == reason


def test_the_threshold_is_an_option(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.3, (0, 0, 100, 100))]

    def asked(threshold: float) -> Prediction:
        grounder = pocket.Grounder(threshold=threshold)
        grounder.prepare(Photo(), SIZE)
        return grounder.ground("Where is the dog?")

    score = asked(0.0).answer_score
    assert score is not None
    assert THRESHOLD < score < 0.99
    assert asked(score).status == "ok"
    assert asked(0.99).status == "no_region"


def test_the_phrase_book_is_an_option(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is scored can be left out of the examples."""
    used: list[object] = []

    def things_of(question: str, embed: object, phrases: object) -> dict[str, float]:
        used.append(phrases)
        return {"dog": 1.0}

    monkeypatch.setattr(things, "things_of", things_of)
    fewer = stored_phrases().without(["000000034246.jpg"])
    grounder = pocket.Grounder(phrases=fewer)
    grounder.prepare(Photo(), SIZE)
    grounder.ground("What barks?")
    assert used == [fewer]


def test_things_are_counted_where_each_is_likelier_there_than_not(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 90, 90)), ("dog", 0.8, (100, 0, 190, 90)), ("dog", 0.01, (200, 0, 290, 90))]
    seen = Seen(Photo(), SIZE, Settings())
    assert [region.shape.xyxy[0] for region in things.each_of(seen, "dog")] == [0, 100]
    assert things.each_of(seen, "cat") == ()
