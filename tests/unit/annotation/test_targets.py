from __future__ import annotations

import pytest

from foveate.annotation.submissions import Submission
from foveate.annotation.targets import Flags, Rule, samples_of, shape_of, target_rule
from foveate.annotation.work import AskWork, BoxWork, GroundingWork, PolygonWork, VerifyWork, Work
from foveate.core.regions import Box, Polygon
from foveate.core.truths import Truth
from foveate.errors import InputError, UsageError
from tests.submissions import SQUARE, boxed, drawn, sent

SMALL = [(2.0, 2.0), (8.0, 2.0), (8.0, 8.0)]
TWICE = GroundingWork(several_questions=True)
REGIONS = GroundingWork(several_questions=False, several_regions=True)
CANNOT = GroundingWork(
    several_questions=False, several_regions=False, outcome="cannot_draw", reason="blurred", reason_text=" by motion "
)


def truth(*works: Work, rule: Rule | None = None, flags: Flags = "any", backwards: bool = False) -> Truth:
    """Returns the truth of one task, whose works were sent one minute after the other."""
    submissions = [sent(work, f"ann{n}", minute=n, answer="cup") for n, work in enumerate(works)]
    (sample,) = samples_of(submissions[::-1] if backwards else submissions, rule, flags).samples
    return sample.truth


def areas(found: Truth) -> list[tuple[float, ...]]:
    return [target.shape.xyxy for target in found.targets]


def test_of_two_the_larger_is_the_target() -> None:
    found = truth(drawn(SMALL), drawn())
    assert areas(found) == [(2, 2, 12, 12)]
    assert (found.targets[0].annotator, found.targets[0].answer, found.answers) == ("ann1", "cup", ("cup",))
    assert (found.match, found.answerable, found.polled) == ("single", True, False)
    assert found.facts == {"submissions": 2, "drawn": 2}


def test_of_equals_the_earlier_whatever_the_order_of_the_file() -> None:
    for backwards in (False, True):
        assert truth(drawn(), drawn(), backwards=backwards).targets[0].annotator == "ann0"
        assert truth(drawn(SMALL), drawn(), rule="first", backwards=backwards).targets[0].annotator == "ann0"


def test_all_are_targets_of_which_any_counts() -> None:
    found = truth(drawn(SMALL), drawn(), rule="all")
    assert (areas(found), found.match) == ([(2, 2, 8, 8), (2, 2, 12, 12)], "any")
    assert truth(drawn(), rule="all").match == "single"


@pytest.mark.parametrize(
    ("works", "why", "flags"),
    [
        ((TWICE, TWICE), "several_questions", ("several_questions", "several_questions")),
        ((drawn(), REGIONS), "several_regions", ("several_regions",)),
        ((TWICE, CANNOT, CANNOT), "cannot_draw", ("several_questions", "cannot_draw", "cannot_draw")),
        ((GroundingWork(),), "unfinished", ("unfinished",)),
    ],
)
def test_samples_without_a_target_say_why(works: tuple[Work, ...], why: str, flags: tuple[str, ...]) -> None:
    found = truth(*works)
    assert (found.targets, found.answerable) == ((), False)
    assert (found.facts["no_target"], found.facts["flags"]) == (why, flags)


def test_reasons_are_facts() -> None:
    assert truth(CANNOT).facts["reasons"] == ("blurred: by motion",)


def test_one_flag_is_enough_or_all_are_needed() -> None:
    assert truth(drawn(), CANNOT).targets == ()
    kept = truth(drawn(), CANNOT, flags="all")
    assert (len(kept.targets), kept.facts["flags"]) == (1, ("cannot_draw",))
    assert truth(CANNOT, CANNOT, flags="all").facts["no_target"] == "cannot_draw"


def test_a_work_of_another_kind_gives_nothing() -> None:
    (sample,) = samples_of([sent(VerifyWork(outcome="right"), kind="grounding")]).samples
    assert sample.truth.facts["no_target"] == "unfinished"


def test_shapes() -> None:
    assert shape_of(sent(BoxWork(outcome="whole_image"))) == Box((0, 0, 32, 24))
    assert shape_of(sent(boxed(1, 2, 3, 4))) == Box((1, 2, 3, 4))
    assert shape_of(sent(BoxWork(outcome="cannot_draw"))) is None
    assert shape_of(sent(PolygonWork(outcome="whole_image"))) == Polygon((((0, 0), (32, 0), (32, 24), (0, 24)),))
    assert shape_of(sent(drawn())) == Polygon((tuple(SQUARE),))
    assert shape_of(sent(AskWork())) is None


ASKED = AskWork(outcome="asked", question="Where is the cup?", answer="there")


def collected(*works: Work) -> list[Submission]:
    return [
        sent(work, f"ann{n}", minute=n, kind="box_collection", question="", answer=None) for n, work in enumerate(works)
    ]


def test_a_verified_box_is_the_target() -> None:
    wrong, right = VerifyWork(outcome="box_wrong"), VerifyWork(outcome="right")
    (sample,) = samples_of(collected(ASKED, boxed(0, 0, 5, 5), wrong, boxed(1, 1, 9, 9), right)).samples
    assert (sample.query.question, sample.truth.answers) == ("Where is the cup?", ("there",))
    assert areas(sample.truth) == [(1, 1, 9, 9)]
    assert (sample.truth.targets[0].annotator, sample.truth.facts["boxes_wrong"]) == ("ann3", 1)


@pytest.mark.parametrize(
    ("works", "why"),
    [
        ((), "not_verified"),
        ((boxed(0, 0, 5, 5),), "not_verified"),
        ((boxed(0, 0, 5, 5), VerifyWork(outcome="box_wrong")), "box_wrong"),
        ((boxed(0, 0, 5, 5), VerifyWork(outcome="several_answers")), "several_answers"),
        ((BoxWork(outcome="cannot_draw", reason="blurred"),), "cannot_draw"),
    ],
)
def test_a_box_that_nobody_found_right_is_none(works: tuple[Work, ...], why: str) -> None:
    made = samples_of(collected(ASKED, *works))
    assert made.samples[0].truth.facts["no_target"] == why
    assert made.why == {why: 1}


def test_photos_without_a_question_are_no_samples_and_told() -> None:
    made = samples_of(collected(AskWork(outcome="nothing")))
    assert (made.samples, made.without_question) == ([], ["a.jpg"])
    no_answer = AskWork(outcome="asked", question="Where?")
    assert samples_of(collected(no_answer)).samples[0].truth.answers == ()


def test_rules_go_with_kinds() -> None:
    with pytest.raises(UsageError, match="rule verified: the project is of the kind grounding"):
        truth(drawn(), rule="verified")
    with pytest.raises(UsageError, match="rule larger: the project is of the kind box_collection"):
        samples_of(collected(ASKED), "larger")
    assert target_rule("all") == "all"
    with pytest.raises(UsageError, match="rule median_box: it is none for targets"):
        target_rule("median_box")


def test_contradictions_are_told() -> None:
    with pytest.raises(InputError, match=r"a.jpg: its photo is b.jpg, 32 x 24 for one submission and a.jpg, 32 x 24"):
        samples_of([sent(drawn()), sent(drawn(), "b", image_name="b.jpg")])
    with pytest.raises(InputError, match="two people saw other questions or answers: 'What is this.' and 'Where.'"):
        samples_of([sent(drawn()), sent(drawn(), "b", question="Where?")])
    with pytest.raises(InputError, match="reaches 68 pixels outside the image"):
        samples_of([sent(drawn([(0, 0), (100, 0), (5, 5)]))])


def test_the_order_of_a_file_holds_where_times_are_not_known() -> None:
    given = [sent(drawn(), "b", minute=None), sent(drawn(), "a", minute=0)]
    assert samples_of(given).samples[0].truth.targets[0].annotator == "b"
