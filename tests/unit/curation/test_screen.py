from __future__ import annotations

from pathlib import Path

import pytest

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._funnel import funnel, funnel_csv
from foveate.curation._published import published
from foveate.curation._reviews import Mark, Review
from foveate.curation._rounds import ROUNDS
from foveate.curation._rules import Rule, rules
from foveate.curation._screen import Flag, listed, reasons, review, screen
from foveate.curation._verdicts import Verdict
from foveate.errors import InputError
from tests.unit.curation.made import sample

SAMPLES = [
    sample("What is this?", name="plain"),
    sample("What is this?", name="type", kind="unanswerable"),
    sample("How many cups are there? How many cups are there?", name="twice"),
    sample("What brand and item is this?", name="and"),
    sample("Is there a cup?", ["no"] * 10, name="none"),
    sample("What is it?", ["x"] * 4 + list("abcdef"), name="few"),
]


def marks(of: str, reviewer: str, **flags: bool) -> Review:
    return Review(of, reviewer, Path(f"{of}.{reviewer}.csv"), {name: Mark(flag) for name, flag in flags.items()})


def test_every_sample_keeps_its_story() -> None:
    story = {o.query.id: o for o in screen(SAMPLES, rules())}
    assert {name: o.step for name, o in story.items()} == {
        "plain": None,
        "type": "unanswerable",
        "twice": None,
        "and": "several_questions",
        "none": None,
        "few": "few_agree",
    }
    twice = story["twice"]
    assert (twice.asked, twice.query.question) == (SAMPLES[2][0].question, "How many cups are there?")
    # The rule of regions saw the trimmed question.
    assert twice.flags == (Flag("several_regions", "it says “how many”, “cups”"),)
    assert [trim.rule for trim in twice.trims] == ["repeated_question"]
    assert story["none"].flags == (Flag("not_groundable", "the answer is “no”, and it asks “is there …”"),)


def test_rules_run_in_the_order_they_are_named() -> None:
    one = sample("Is this it and that? Is this it and that?", kind="unanswerable")
    removed_first = screen([one], rules(["several_questions", "unanswerable", "repeated_question"]))
    assert removed_first[0].step == "several_questions"
    trimmed_first = screen([one], rules(["repeated_question", "several_questions"]))
    assert trimmed_first[0].step is None  # five words are left
    assert trimmed_first[0].query.question == "Is this it and that?"


def test_the_funnel_counts_every_step() -> None:
    used = rules()
    steps = funnel(screen(SAMPLES, used), used, {}, None)
    assert [(s.before, s.removed, s.trimmed, s.flagged, s.left) for s in steps] == [
        (6, 1, 0, 0, 5),
        (5, 1, 0, 0, 4),
        (4, 1, 0, 0, 3),
        (3, 0, 1, 0, 3),
        (3, 0, 0, 1, 3),
        (3, 0, 0, 1, 3),
        (3, 0, 0, 0, 3),
        (3, 0, 0, 0, 3),
        (3, 0, 0, 0, 3),
    ]
    assert all(later.before == earlier.left for earlier, later in zip(steps, steps[1:], strict=False))
    assert all(step.published.removed is None for step in steps)


def test_lists_begin_with_what_their_rule_flagged() -> None:
    outcomes = screen(SAMPLES, rules())
    assert [[o.query.id for o in listed(outcomes, one)] for one in ROUNDS] == [
        ["plain", "twice", "none"],
        ["twice", "plain", "none"],
        ["none", "plain", "twice"],
    ]


def test_flags_of_a_rule_that_no_round_knows_come_first_in_every_list() -> None:
    card = RuleCard("shouting", "Shouting", "Flags capitals.", "flag", "ours")

    def judge(query: Query, truth: Truth) -> Verdict | None:
        return Verdict("capitals") if query.question.isupper() else None

    outcomes = screen([*SAMPLES[:1], sample("WHAT?", name="loud")], [Rule(card, judge, {})])
    for one in ROUNDS:
        assert [o.query.id for o in listed(outcomes, one)] == ["loud", "plain"]
        assert reasons(outcomes[1], one) == ["capitals"]


def test_a_yes_of_either_reviewer_removes() -> None:
    outcomes = screen(SAMPLES, rules())
    first = marks("several_questions", "ann", plain=True, twice=False, none=False)
    second = marks("several_questions", "bo", plain=False, twice=False, none=False)
    after = {o.query.id: o for o in review(outcomes, ROUNDS[0], [first, second])}
    assert (after["plain"].step, after["plain"].why) == ("review.several_questions", "ann flags it")
    assert after["twice"].passed == ("several_questions",)
    assert after["type"].step == "unanswerable"
    assert after["type"].passed == ()
    later = [o.query.id for o in listed(list(after.values()), ROUNDS[1])]
    assert later == ["twice", "none"]
    # Its own list is what came into the round, so that a filled one still fits.
    assert [o.query.id for o in listed(list(after.values()), ROUNDS[0])] == ["plain", "twice", "none"]


def test_a_sample_that_one_did_not_judge_has_not_passed() -> None:
    outcomes = screen(SAMPLES[:1], rules())
    half = [marks("several_questions", "ann", plain=False), marks("several_questions", "bo")]
    (after,) = review(outcomes, ROUNDS[0], half)
    assert (after.step, after.passed) == (None, ())
    assert review(outcomes, ROUNDS[0], []) == outcomes


def test_rounds_are_steps_with_their_agreement() -> None:
    used = rules()
    read = {
        "several_questions": [
            marks("several_questions", "ann", plain=True, twice=False, none=False),
            marks("several_questions", "bo", plain=True, twice=True, none=False),
        ]
    }
    outcomes = review(screen(SAMPLES, used), ROUNDS[0], read["several_questions"])
    step = funnel(outcomes, used, read, published())[6]
    assert (step.before, step.removed, step.left) == (3, 2, 1)
    assert step.reviews == {"ann": 3, "bo": 3}
    # Observed 2 of 3; by chance (1 * 2 + 2 * 1) / 9: (2/3 - 4/9) / (5/9).
    assert step.agreement is not None
    assert step.agreement.kappa == pytest.approx(0.4)


def test_the_published_counts_are_those_of_the_paper() -> None:
    paper = published()
    assert paper.whole == 32_842
    counts = {name: (c.before, c.removed, c.left) for name, c in paper.steps.items()}
    assert counts == {
        "several_questions": (None, 901, None),
        "review.several_questions": (11_085, 66, 11_019),
        "review.several_regions": (11_019, 183, None),
        "review.answer_not_shown": (None, None, 9_998),
    }
    # The share that the paper prints beside the counts.
    assert round(100 * 183 / 11_019, 2) == 1.66
    assert 11_085 - 66 == 11_019


def test_what_is_not_published_is_empty_in_the_table() -> None:
    used = rules()
    rows = funnel_csv(funnel(screen(SAMPLES, used), used, {}, published())).splitlines()
    assert rows[1] == "unanswerable,rule,6,1,0,0,5,,,,"
    assert rows[7] == "review.several_questions,people,3,0,0,0,3,0,11085,66,11019"


def test_a_rule_that_trims_to_nothing_is_refused() -> None:
    card = RuleCard("cutter", "Cutter", "Cuts all.", "trim", "ours")
    with pytest.raises(InputError, match="cutter, plain: it trims 'What is this\\?' to nothing"):
        screen(SAMPLES[:1], [Rule(card, lambda query, truth: Verdict("why", question=" "), {})])
