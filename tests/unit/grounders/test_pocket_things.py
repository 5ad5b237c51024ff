from __future__ import annotations

import pytest

from foveate.core.predictions import Prediction
from foveate.grounders import pocket
from foveate.grounders._pocket import things
from foveate.grounders._pocket.seen import THRESHOLD, Seen, Settings
from foveate.perception.meaning import stored_phrases
from foveate.perception.questions import understand
from tests.unit.grounders.eyes import SIZE, Eyes, Photo, ask, chance_of, score_of


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
    assert found.answer_score == pytest.approx(score_of(chance_of(eyes, "dog")))


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
    assert (found.status, found.reason) == ("no_region", "pocket looked for a bowl and did not find one.")


@pytest.mark.parametrize(
    "question",
    [
        "Where is the dog in the car?",
        "Where's the dog?",
        "Can you tell me where the dog is?",
        "Please find the dog.",
        "Could you show me the dog?",
        "Point to the dog near the car.",
        "Locate my dog.",
    ],
)
def test_who_wants_to_be_shown_a_thing_means_no_other(question: str) -> None:
    assert things.wanted(understand(question)[0], None) == {"dog": 1.0}


def test_an_absent_thing_is_named_in_the_reason(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 50, 50)), ("oven", 0.001, (0, 0, 9, 9))]
    found = ask("Where is the oven?")
    assert (found.status, found.final, found.answer) == ("no_region", None, None)
    assert found.reason == "pocket looked for an oven and did not find one."


@pytest.mark.parametrize(
    ("likely", "reason"),
    [
        ({"cat": 0.8, "dog": 0.1}, "pocket looked for a cat and did not find one."),
        ({"chair": 0.4, "bench": 0.35, "cat": 0.01}, "pocket looked for a chair and a bench and did not find any."),
        (
            {"cup": 0.3, "fork": 0.3, "knife": 0.3, "spoon": 0.3},
            "pocket looked for a cup, a fork and a knife and did not find any.",
        ),
        ({"ladder": 0.9}, "This asks for a ladder, which is not among the 80 kinds of thing that pocket knows."),
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

    # It is compared with the detector's score, which the certainty of a named thing leaves as it is.
    assert THRESHOLD < 0.3
    assert asked(0.3).status == "ok"
    assert asked(0.3 + 1e-6).status == "no_region"


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


def test_which_animal_is_never_a_person(eyes: Eyes) -> None:
    eyes.things = [("person", 0.9, (0, 0, 150, 190))]
    found = ask("Which animal do people ride?")
    assert found.status == "no_region"
    eyes.things = [("person", 0.9, (0, 0, 150, 190)), ("horse", 0.3, (100, 0, 250, 190))]
    assert ask("Which animal do people ride?").answer == "horse"


def test_a_kind_that_fits_much_worse_does_not_answer_however_plain_it_is(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(things, "things_of", lambda *_: {"cell phone": 0.9, "laptop": 0.08})
    eyes.things = [("laptop", 0.9, (0, 0, 150, 190))]
    found = ask("What fits into a pocket?")
    assert (found.status, found.reason) == ("no_region", "pocket looked for a cell phone and did not find one.")
    monkeypatch.setattr(things, "things_of", lambda *_: {"cell phone": 0.8, "laptop": 0.09})
    assert ask("What fits into a pocket?").answer == "laptop"


LOOK = "pocket cannot tell this; this is where one would look."


@pytest.mark.parametrize(
    "question",
    [
        "What is the dog doing?",
        "What is behind the dog?",
        "What is on the dog?",
        "the dog's name?",
        "Can you tell me what my dog is doing?",
    ],
)
def test_what_a_question_only_mentions_is_shown_and_is_no_answer(eyes: Eyes, question: str) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 150, 150)), ("chair", 0.8, (160, 0, 290, 190))]
    found = ask(question)
    assert (found.answer, found.reason) == (None, LOOK)
    assert found.final is not None
    assert found.final.label == "dog"


def test_where_the_mentioned_thing_is_not_there_the_reason_says_so(eyes: Eyes) -> None:
    eyes.things = [("chair", 0.8, (160, 0, 290, 190))]
    found = ask("What is the dog doing?")
    assert (found.status, found.reason) == ("no_region", "pocket looked for a dog and did not find one.")


def test_what_is_said_of_the_mentioned_thing_may_tell_another(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(things, "things_of", lambda *_: {"person": 0.5, "cup": 0.35, "bottle": 0.15})
    eyes.things = [("person", 0.9, (0, 0, 150, 150)), ("cup", 0.6, (160, 0, 290, 190))]
    assert ask("What is the person drinking from?").answer == "cup"
    monkeypatch.setattr(things, "things_of", lambda *_: {"person": 0.6, "cup": 0.25, "bottle": 0.15})
    assert ask("What is the person drinking from?").reason == LOOK


@pytest.mark.parametrize("question", ["dog", "a dog", "my dog", "the dog please", "Dogs"])
def test_a_name_alone_asks_where_it_is(question: str) -> None:
    assert things.wanted(understand(question)[0], None) == {"dog": 1.0}
