from __future__ import annotations

from typing import Any

import pytest

from foveate.annotation.submissions import Submission
from foveate.annotation.target_rules import TargetRule, rule_names, target_rule
from foveate.annotation.targets import Flags, decision_of, samples_of, shape_of
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


def truth(*works: Work, rule: str | TargetRule | None = None, flags: Flags = "any", backwards: bool = False) -> Truth:
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
    assert found.facts == {"submissions": 2, "drawn": 2, "rule": "larger"}


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
    assert target_rule("all") == TargetRule("all")
    with pytest.raises(UsageError, match="rule median: there is none of this name. Did you mean median_box"):
        target_rule("median")
    with pytest.raises(UsageError, match=r"all.ties: the rule has no such option"):
        target_rule("all", {"ties": "in"})
    assert {"larger", "majority", "smaller", "all", "verified"} <= set(rule_names())


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


THREE = [drawn([(x, 2), (x + 8, 2), (x + 8, 12), (x, 12)]) for x in (2, 4, 6)]


def test_a_region_made_of_all_is_nobodys_and_says_its_rule() -> None:
    found = truth(*THREE, rule="majority")
    # Columns 4 to 11 are marked by two of three.
    assert areas(found) == [(4, 2, 12, 12)]
    assert (found.targets[0].annotator, found.facts) == (None, {"submissions": 3, "drawn": 3, "rule": "majority"})
    assert truth(*THREE, rule="best_agreement").targets[0].annotator == "ann1"
    wide = truth(*THREE[:2], rule=target_rule("majority", {"ties": "in"}))
    assert (areas(wide), wide.facts["rule"]) == ([(2, 2, 12, 12)], "majority(ties=in)")
    assert truth(THREE[0], rule="majority").targets[0].annotator == "ann0"


def test_drawings_that_leave_nothing_give_no_target() -> None:
    found = truth(drawn([(0, 0), (4, 0), (4, 4)]), drawn([(9, 9), (14, 9), (14, 14)]), rule="intersection")
    assert (found.targets, found.facts["no_target"], found.facts["rule"]) == ((), "nothing_in_common", "intersection")


def test_samples_of_fewer_drawings_than_the_rule_is_for_are_counted() -> None:
    given = [sent(THREE[0], "a"), sent(THREE[1], "b"), *(sent(work, str(n), "b.jpg") for n, work in enumerate(THREE))]
    assert samples_of(given, "majority").too_few == 1
    assert samples_of(given, "larger").too_few == 0
    assert samples_of(given, "all").too_few == 0


def decided(work: Work, minute: int | None = 9, **more: Any) -> Submission:
    return sent(work, "boss", minute=minute, adjudicated=True, **more)


@pytest.mark.parametrize("rule", ["larger", "majority", "all"])
def test_a_decision_is_the_target_whatever_the_rule(rule: str) -> None:
    given = [sent(THREE[0], "a"), sent(CANNOT, "b"), decided(drawn(SMALL), 3), decided(THREE[2], 2)]
    made = samples_of(given, rule)
    assert (made.adjudicated, made.too_few) == (1, 0)
    (target,) = made.samples[0].truth.targets
    assert (target.shape.xyxy, target.annotator) == ((2, 2, 8, 8), "boss")
    assert made.samples[0].truth.facts == {"submissions": 2, "drawn": 1, "adjudicated": True}


def test_the_newest_decision_counts_by_time_then_by_order() -> None:
    old, new = decided(drawn(SMALL), 1), decided(THREE[0], 2)
    assert decision_of([new, old]) is new
    assert decision_of([sent(drawn()), old, decided(THREE[1], 1)]) == decided(THREE[1], 1)
    untimed = decided(THREE[1], None)
    assert decision_of([new, untimed, old]) is old
    assert decision_of([sent(drawn())]) is None


@pytest.mark.parametrize(
    ("work", "why", "reasons"),
    [
        (CANNOT, "cannot_draw", ("blurred: by motion",)),
        (REGIONS, "several_regions", None),
        (TWICE, "several_questions", None),
        (VerifyWork(outcome="no_answer"), "rejected", None),
    ],
)
def test_a_rejected_task_has_no_target_and_says_why(work: Work, why: str, reasons: tuple[str, ...] | None) -> None:
    made = samples_of([sent(drawn(), "a", kind="grounding"), decided(work, kind="grounding")])
    found = made.samples[0].truth
    assert (found.targets, found.answerable, made.why) == ((), False, {why: 1})
    assert (found.facts["no_target"], found.facts.get("reasons")) == (why, reasons)
    assert found.facts["adjudicated"] is True


def test_what_is_drawn_of_gold_is_never_the_target() -> None:
    given = [
        sent(drawn(), "a", gold=True),
        sent(drawn(), "a", "b.jpg", gold=True),
        decided(drawn(SMALL), task="b.jpg", gold=True, image_name="b.jpg"),
    ]
    made = samples_of(given)
    assert made.gold_undecided == ["a.jpg"]
    (sample,) = made.samples
    assert areas(sample.truth) == [(2, 2, 8, 8)]
    assert sample.truth.facts == {"submissions": 1, "drawn": 1, "adjudicated": True}


def test_a_decision_on_a_collection_goes_before_what_was_verified() -> None:
    right = VerifyWork(outcome="right")
    given = [
        *collected(ASKED, boxed(0, 0, 5, 5), right),
        decided(boxed(1, 1, 9, 9), kind="box_collection", question="", answer=None),
    ]
    (sample,) = samples_of(given).samples
    assert (areas(sample.truth), sample.query.question) == ([(1, 1, 9, 9)], "Where is the cup?")
    # A given answer to a question that nobody here asked.
    (sample,) = samples_of([decided(boxed(1, 1, 9, 9), kind="box_collection", answer="there", gold=True)]).samples
    assert (sample.query.question, sample.truth.answers) == ("What is this?", ("there",))
    assert samples_of(collected(ASKED, boxed(0, 0, 5, 5), right)).samples[0].truth.facts["rule"] == "verified"
