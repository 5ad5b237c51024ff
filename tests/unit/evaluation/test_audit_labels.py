"""Signs that a label gives by itself or beside other labels, each on a case worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.evaluation._audit_labels import Labels, Sign, label_signs
from tests.unit.evaluation.made import SIZE, asked

BOW_TIE = Polygon((((0, 0), (40, 40), (40, 0), (0, 40)),))


def labels(
    truths: Sequence[Truth], questions: Sequence[str] = (), photos: Sequence[str] = (), **more: object
) -> Labels:
    queries = [
        Query(
            truth.id,
            photos[n] if photos else f"{truth.id}.jpg",
            None,
            questions[n] if questions else f"What is {truth.id}?",
            truth.size_hw,
        )
        for n, truth in enumerate(truths)
    ]
    return Labels("made:val", truths, queries, **more)  # type: ignore[arg-type]


def signs(*truths: Truth, **more: object) -> dict[str, Sign]:
    """Returns the signs of the first of some truths, by name."""
    return {sign.name: sign for sign in label_signs(labels(truths, **more))[0]}  # type: ignore[arg-type]


def test_a_plain_label_has_no_sign() -> None:
    assert signs(asked("a", Box((10, 10, 60, 60)), answers=["cup"])) == {}
    assert signs(Truth("a", answerable=False, size_hw=SIZE)) == {}
    # Nothing tells the photo's size.
    assert signs(Truth("a", targets=(Target(Box((0, 0, 1, 1))),))) == {}


def test_corners_beside_the_photo() -> None:
    corners = np.array([(-5.0, 10.0), (50.0, 10.0), (50.0, 103.0), (10.0, 100.0)])
    found = signs(asked("a", Box((0, 10, 50, 100))), drawn={"a": corners})["off_image"]
    assert found.strength == 0.25  # 5 of the 10 pixels that readers tolerate, at most one half.
    assert found.why == "2 of 4 corners lie outside the photo, by up to 5 pixels"
    inside = np.array([(0.0, 10.0), (100.0, 10.0), (50.0, 100.0)])
    assert signs(asked("a", Box((0, 10, 50, 100))), drawn={"a": inside}) == {}


@pytest.mark.parametrize(
    ("box", "strength", "why"),
    [
        ((10, 10, 13, 13), 0.22, "the target is 9 pixels, 0.090 % of the photo"),
        ((10, 10, 11, 11), 0.38, "the target is 1 pixel, 0.010 % of the photo"),
        ((10.1, 10.1, 10.3, 10.3), 1.0, "the target covers the middle of no pixel, so that no region could hit it"),
    ],
)
def test_tiny_targets(box: tuple[float, float, float, float], strength: float, why: str) -> None:
    found = signs(asked("a", Box(box)))["tiny"]
    assert found.strength == pytest.approx(strength)
    assert found.why == why


def test_ten_pixels_of_ten_thousand_are_not_tiny() -> None:
    assert signs(asked("a", Box((10, 10, 20, 11)))) == {}


def test_an_outline_that_crosses_itself() -> None:
    # The two wings turn against each other, so that they enclose nothing together.
    found = signs(asked("a", BOW_TIE))["crossing"]
    assert found.strength == 1.0
    assert "100 % of its" in found.why
    # A notch is no crossing; nor is an outline that comes back to a corner.
    notch = Polygon((((0, 0), (40, 0), (40, 40), (20, 10), (0, 40)),))
    assert signs(asked("a", notch)) == {}
    touching = Polygon((((0, 0), (20, 20), (40, 0), (40, 40), (20, 20), (0, 40)),))
    assert "crossing" not in signs(asked("a", touching))
    # A slip of the hand: one pixel of a thousand.
    slip = Polygon((((0, 0), (60, 0), (60, 60), (0, 60), (0, 1), (1, 0)),))
    assert "crossing" not in signs(asked("a", slip))


def test_the_outline_of_a_mask_is_looked_at_where_it_is_known() -> None:
    mask = Mask(encode(np.pad(np.ones((40, 40), dtype=bool), ((0, 60), (0, 60)))))
    truth = Truth("a", targets=(Target(mask, outline=BOW_TIE),), size_hw=SIZE)
    assert signs(truth)["crossing"].strength == 1.0
    assert signs(Truth("a", targets=(Target(mask),), size_hw=SIZE)) == {}


def test_a_photo_of_another_size() -> None:
    truth = Truth("a", targets=(Target(Box((0, 0, 40, 40))),), size_hw=(50, 80))
    assert label_signs(labels([truth])) == [[]]
    turned = label_signs(Labels("made", [truth], labels([truth]).queries, photos={"a": (80, 50)}))[0][0]
    assert (turned.name, turned.strength) == ("photo_size", 0.95)
    assert "transposed" in turned.why
    other = label_signs(Labels("made", [truth], labels([truth]).queries, photos={"a": (100, 160)}))[0][0]
    assert other.strength == 0.8
    assert label_signs(Labels("made", [truth], labels([truth]).queries, photos={"a": (50, 80)})) == [[]]


def test_two_targets_nearly_the_same() -> None:
    twice = asked("a", Box((0, 0, 50, 50)), Box((0, 0, 50, 49)), match="any")
    assert signs(twice)["same_target"].why == "two of its targets are nearly the same (IoU 0.98)"
    assert signs(asked("a", Box((0, 0, 50, 50)), Box((0, 0, 50, 40)), match="any")) == {}


def test_an_answer_that_nobody_gave() -> None:
    def stated(answer: str | None, *answers: str) -> dict[str, Sign]:
        return signs(Truth("a", answers, (Target(Box((0, 0, 40, 40)), answer),), size_hw=SIZE))

    found = stated("dog", "cat", "cat", "a kitten")["answer_not_given"]
    assert found.why == 'the answer of its target, "dog", is none of its 2 answers'
    # The same in the words of the official normalisation; nothing stated; nothing to compare with.
    assert stated("The Cat.", "cat") == stated(None, "cat") == stated("dog") == {}


def test_a_whole_photo_where_others_with_its_answer_or_question_are_smaller() -> None:
    whole = asked("w", Box((0, 0, 100, 96)), answers=["cup"])
    others = [asked(f"o{n}", Box((0, 0, 10 * n, 50)), answers=["cup"]) for n in range(1, 6)]
    found = signs(whole, *others)["whole_image"]
    # Half of 5 … 25 % cover under 15 %.
    assert found.strength == pytest.approx(0.4 * 0.85)
    assert (
        found.why == 'the target covers 96 % of the photo; of the 5 others with the answer "cup" half cover under 15 %'
    )
    assert signs(whole, *others[:4]) == {}
    large = [asked(f"o{n}", Box((0, 0, 100, 60)), answers=["cup"]) for n in range(5)]
    assert signs(whole, *large) == {}
    by_question = ["What  IS this?", *["what is this?"] * 5]
    plain = [asked(f"o{n}", Box((0, 0, 50, 50))) for n in range(5)]
    assert "whole_image" in signs(asked("w", Box((0, 0, 100, 100))), *plain, questions=by_question)
    # Not whole enough.
    assert signs(asked("w", Box((0, 0, 100, 95)), answers=["cup"]), *others) == {}


def test_the_same_question_of_the_same_photo_with_another_target() -> None:
    truths = [asked("a", Box((0, 0, 40, 40))), asked("b", Box((20, 0, 60, 40)))]
    same = {"questions": ["What is it?", "what is it"], "photos": ["x.jpg", "x.jpg"]}
    one, other = label_signs(labels(truths, **same))
    # 800 shared of 2,400.
    assert [sign.name for sign in one] == ["duplicate"]
    assert one[0].strength == pytest.approx(1 / 3)
    assert one[0].why == "b asks the same of the same photo and has another target (IoU 0.33)"
    assert other[0].why.startswith("a asks")
    for changed in ({"questions": ["What is it?", "Where?"], "photos": ["x.jpg"] * 2}, {"questions": ["What?"] * 2}):
        assert label_signs(labels(truths, **changed)) == [[], []]
    alike = [truths[0], asked("b", Box((0, 0, 40, 44)))]
    assert label_signs(labels(alike, **same)) == [[], []]
