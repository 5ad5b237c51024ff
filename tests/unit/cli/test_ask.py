from __future__ import annotations

import pytest

from foveate.cli.ask import prose
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region


@pytest.mark.parametrize("answer", ["no", "0", "neither"])
def test_an_answer_without_a_region_is_printed(answer: str) -> None:
    prediction = Prediction("a", "no_region", answer, reason="pocket looked for dog and did not find one.")
    assert prose(prediction) == [f"Answer  {answer}", "No region. pocket looked for dog and did not find one."]


def test_without_an_answer_there_is_only_the_reason() -> None:
    assert prose(Prediction("a", "no_region", reason="There is\nno text.")) == ["No region. There is no text."]


def test_a_region_is_printed_with_its_answer_score_and_note() -> None:
    region = Region(Box((1, 2, 30, 40)), 0.25)
    prediction = Prediction("a", "ok", None, None, region, (region,), reason="pocket cannot tell.")
    assert prose(prediction) == [
        "Answer  (no answer in words)",
        "Region  1, 2, 30, 40  (left, top, right, bottom in pixels)",
        "Score   0.25  (0 to 1: how sure the method is, on a scale of its own)",
        "Note    pocket cannot tell.",
    ]


def test_what_the_score_means_is_the_methods_to_say() -> None:
    region = Region(Box((1, 2, 30, 40)), 0.25)
    told = prose(Prediction("a", "ok", "cup", None, region, (region,)), "its measured chance")
    assert told[2] == "Score   0.25  (0 to 1: its measured chance)"
