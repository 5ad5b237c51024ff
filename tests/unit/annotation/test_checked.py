"""Submissions of a file as checks need them."""

from __future__ import annotations

from foveate.annotation.checked import done_by_person
from foveate.annotation.judged import judgements_of
from foveate.annotation.targets import by_task
from foveate.annotation.work import AskWork, GroundingWork
from foveate.quality.done import Done
from tests.submissions import boxed, drawn, sent


def test_people_are_compared_with_gold_and_with_each_other() -> None:
    yes = GroundingWork(several_questions=True)
    lines = [
        sent(drawn(), "ann", "gold.jpg", gold=True),
        sent(drawn(), "ann", "a.jpg", minute=1),
        sent(drawn([(2, 2), (12, 2), (12, 7), (2, 7)]), "bob", "a.jpg", minute=2),
        sent(yes, "bob", "gold.jpg", minute=3, gold=True),
        # An adjudicated line that is not of a gold question is no answer to be judged by.
        sent(drawn(), "org", "a.jpg", minute=4, adjudicated=True),
        sent(yes, "org", "gold.jpg", minute=5, adjudicated=True, gold=True),
        sent(drawn(), "org", "gold.jpg", minute=6, adjudicated=True, gold=True),
        sent(AskWork(outcome="nothing"), "ann", "b.jpg", minute=7),
    ]
    assert done_by_person(lines) == {
        "ann": [Done("gold.jpg", points=4, gold=1.0, gold_same=True), Done("a.jpg", points=4, peers=0.5)],
        "bob": [Done("a.jpg", points=4, peers=0.5), Done("gold.jpg", several_questions=True, gold_same=False)],
    }


def test_nobody_is_compared_with_what_was_set_aside() -> None:
    lines = [
        sent(boxed(0, 0, 10, 10), "ann"),
        sent(boxed(0, 0, 10, 5), "bob", minute=1),
        sent(boxed(0, 0, 5, 5), "cat", minute=2, set_aside=True),
    ]
    found = {name: done[0].peers for name, done in done_by_person(lines).items()}
    assert found == {"ann": 0.5, "bob": 0.5, "cat": (0.25 + 0.5) / 2}
    assert [one.annotator for one in judgements_of(lines)] == ["ann", "bob"]
    assert [one.annotator for one in by_task(lines)["a.jpg"]] == ["ann", "bob"]
