from __future__ import annotations

from foveate.evaluation.origins import origin_notes, seen_in_training
from foveate.runs.header import Header


def test_equal_questions_are_what_it_was_trained_on() -> None:
    said = seen_in_training({"dataset": "made:all", "fingerprint": "ab"}, "renamed:all", "ab")
    assert said is not None
    assert said.startswith("trained on the samples it is tested on")


def test_the_same_split_with_other_questions_may_have_been_seen() -> None:
    said = seen_in_training({"dataset": "made:all", "fingerprint": "ab"}, "made:all", "cd")
    assert said is not None
    assert "fingerprint ab, tested on cd" in said


def test_another_split_or_nothing_is_no_news() -> None:
    assert seen_in_training({"dataset": "made:train", "fingerprint": "ab"}, "made:val", "cd") is None
    assert seen_in_training({}, "made:val", "cd") is None


def test_notes_name_the_control_and_how_it_was_made() -> None:
    header = Header("made:all", "ab", "pocket", {}, 1, 1, control={"name": "question_shuffled", "seed": 3})
    assert origin_notes(header) == [
        "a control, question_shuffled (seed 3): the method was not asked what the data set asks"
    ]
    assert origin_notes(Header("made:all", "ab", "pocket", {}, 1, 1)) == []
