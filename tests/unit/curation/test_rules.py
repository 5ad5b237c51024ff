from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation import (
    few_agree,
    not_groundable,
    repeated_question,
    several_questions,
    several_regions,
    unanswerable,
)
from foveate.curation._rules import rules
from foveate.curation._verdicts import Verdict
from foveate.errors import UsageError
from tests.unit.curation.made import sample


def why(verdict: Verdict | None) -> str:
    return "" if verdict is None else verdict.why


@pytest.mark.parametrize(
    ("kind", "answerable", "by_type", "by_answerable"),
    [
        ("unanswerable", True, True, False),
        ("other", False, False, True),
        (None, False, True, True),
        (None, True, False, False),
        ("yes/no", True, False, False),
    ],
)
def test_the_answer_type_decides_where_it_is_known(
    kind: str | None, answerable: bool, by_type: bool, by_answerable: bool
) -> None:
    one = sample(kind=kind, answerable=answerable)
    assert (unanswerable.judge(*one) is not None) == by_type
    assert (unanswerable.judge(*one, by="answerable") is not None) == by_answerable


def test_four_of_ten_are_too_few_and_five_are_enough() -> None:
    others = ["a", "b", "c", "d", "e", "f"]
    four = few_agree.judge(*sample(answers=["red"] * 4 + [f"is {o}" for o in others]))
    assert why(four) == "4 of 10 answer “red”, 5 are needed"
    assert few_agree.judge(*sample(answers=["red"] * 5 + [f"is {o}" for o in others[:5]])) is None


def test_answers_are_counted_after_the_official_normalisation() -> None:
    written = ["The red.", "red", "Red", "a red", "red!", "x1", "x2", "x3", "x4", "x5"]
    assert few_agree.judge(*sample(answers=written)) is None
    assert why(few_agree.judge(*sample(answers=written), reading="raw")).startswith("1 of 10 answer “The red.”")


def test_a_spelling_that_nobody_wrote_is_flagged_and_removed_by_the_raw_reading() -> None:
    one = sample(answers=["hes not"] * 7 + ["hes no"] * 3, stated="he’s not")
    flag = few_agree.judge(*one)
    assert flag == Verdict(
        "the data set states “he’s not”, which 0 of 10 wrote so; 7 agree on “hes not” after the official normalisation",
        action="flag",
    )
    assert few_agree.judge(*one, reading="raw") == Verdict("0 of 10 answer “he’s not”, 5 are needed")


@pytest.mark.parametrize("answer", ["unanswerable", "unsuitable", "Unsuitable image."])
def test_people_who_agree_that_there_is_no_answer(answer: str) -> None:
    one = sample(answers=[answer] * 6 + ["red"] * 4)
    removed = few_agree.judge(*one)
    assert removed is not None
    assert removed.action == "remove"
    assert removed.why == f"6 of 10 answer “{answer}”: they agree that there is no answer"
    flagged = few_agree.judge(*one, no_answer="flag")
    assert flagged is not None
    assert flagged.action == "flag"
    assert few_agree.judge(*one, no_answer="keep") is None


def test_answers_that_are_no_votes_are_not_judged() -> None:
    assert few_agree.judge(*sample(answers=["red", "crimson"], polled=False)) is None
    assert few_agree.judge(*sample(answers=[])) is None


@pytest.mark.parametrize(
    ("question", "word", "token"),
    [
        ("What brand and item is this?", True, True),
        ("Is this bag black and white?", True, True),
        ("Is this mac and cheese?", False, False),  # five words
        ("What kind of soda is this? And thank you.", True, False),
        ("What color is the apron on the door and, thank you?", True, False),
        ("Can you see the brand and/or model of this?", True, False),
        ("Is that a candle on the stand over there?", False, False),
    ],
)
def test_the_word_and_is_read_in_two_ways(question: str, word: bool, token: bool) -> None:
    one = sample(question)
    assert (several_questions.judge(*one) is not None) == word
    assert (several_questions.judge(*one, reading="token") is not None) == token


def test_several_questions_are_removed_or_flagged_as_set() -> None:
    one = sample("What brand and item is this?")
    assert several_questions.judge(*one) == Verdict("it has 6 words, more than 5, and “and”", action="remove")
    flagged = several_questions.judge(*one, action="flag")
    assert flagged is not None
    assert flagged.action == "flag"
    assert several_questions.judge(*one, words=6) is None


@pytest.mark.parametrize(
    ("question", "trimmed"),
    [
        ("what is this? what is this?", "what is this?"),
        ("What is this?  WHAT IS THIS.", "What is this?"),
        ("What’s this? What's this? Thank you.", "What’s this? Thank you."),
        ("What is this? Thank you. What is this?", "What is this? Thank you."),
        ("What is this, what is this?", "What is this?"),
        ("how many people how many people ", "how many people"),
        ("what is it what is it what is it?", "what is it?"),
        ("What color are these jeans? Pink or gold?", None),
        ("What is this? Can you tell me what this is?", None),
        ("Is my TV on? Is ", None),
        ("Hello. Hello. What is on the TV? Thank you. Thank you.", None),
        ("no no", None),
        ("What is 2.5? And 2.5 of what?", None),
        (" What is this? ", None),
        ("???", None),
    ],
)
def test_a_repeated_question_is_trimmed_to_one(question: str, trimmed: str | None) -> None:
    verdict = repeated_question.judge(*sample(question))
    assert (verdict and verdict.question) == trimmed


@given(st.text(alphabet="ab ?.!,'’", min_size=1).filter(str.strip))
def test_trimming_twice_is_trimming_once_and_leaves_every_word(question: str) -> None:
    query, truth = sample(question)
    verdict = repeated_question.judge(query, truth)
    if verdict is None:
        return
    trimmed = verdict.question or ""
    assert trimmed.strip()
    assert len(trimmed) < len(question)
    assert set(repeated_question._words(trimmed)) == set(repeated_question._words(question))
    assert repeated_question.judge(Query("a", "a", None, trimmed, None), truth) is None


@given(st.lists(st.sampled_from(["what", "is", "this", "cup"]), min_size=2, max_size=6), st.integers(2, 4))
def test_a_question_asked_several_times_over_becomes_a_part_of_it(words: list[str], times: int) -> None:
    question = " ".join(words) + "?"
    verdict = repeated_question.judge(*sample(" ".join([question] * times)))
    assert verdict is not None
    assert question.startswith((verdict.question or "!").rstrip("?"))


@pytest.mark.parametrize(
    ("question", "signs"),
    [
        ("How  many liters are in this bottle?", "it says “how many”, “liters”"),
        ("What kind of beans are these?", "it says “beans”, “these”"),
        ("What color are these jeans?", ""),
        ("Do both shirts match?", "it says “both”, “shirts”"),
        ("Where are the children?", "it says “children”"),
        ("Is this glass or a bus? What's on this canvas, and whose's is this?", ""),
        ("What does it say? Thanks!", ""),
    ],
)
def test_signs_of_several_regions(question: str, signs: str) -> None:
    assert why(several_regions.judge(*sample(question))) == signs


@pytest.mark.parametrize(
    ("question", "answer", "signs"),
    [
        ("Is this red?", "no", "the answer is “no”"),
        ("How much is left?", "None.", "the answer is “0”"),
        ("What is on the screen?", "nothing", "the answer is “nothing”"),
        ("Hi. Is there a cup?", "yes", "it asks “is there …”"),
        ("Can you see any text?", "no", "the answer is “no”, and it asks “can you see any …”"),
        ("What number is there?", "10", ""),
        ("What can you see?", "cup", ""),
        ("Can you see what this is?", "cup", ""),
    ],
)
def test_signs_that_there_is_nothing_to_point_at(question: str, answer: str, signs: str) -> None:
    assert why(not_groundable.judge(*sample(question, [answer] * 10))) == signs


def test_signs_need_no_answer() -> None:
    assert not_groundable.judge(Query("a", "a", None, "What is it?", None), Truth("a")) is None


def test_settings_are_typed_and_handed_on() -> None:
    (rule,) = rules(["few_agree"], ["few_agree.fewest=10", "few_agree.reading=raw"])
    assert rule.settings == {"fewest": 10, "reading": "raw"}
    assert why(rule.judge(*sample(answers=["red"] * 9 + ["Red"]))) == "9 of 10 answer “red”, 10 are needed"


@pytest.mark.parametrize(
    ("names", "settings", "sentence"),
    [
        (["few_agre"], [], "screening rule few_agre: there is none of this name. Did you mean few_agree?"),
        (["few_agree", "few_agree"], [], "screening rule few_agree: it is named twice. Name each rule once."),
        (
            ["few_agree"],
            ["fewest=3"],
            "fewest=3: this is no setting. Write it as rule.option=value: few_agree.fewest=5.",
        ),
        (["few_agree"], ["unanswerable.by=x"], "unanswerable.by=x: no rule unanswerable takes part."),
        (["few_agree"], ["few_agree.few=3"], "few_agree.few: the rule has no such option. Did you mean fewest?"),
        (["few_agree"], ["few_agree.fewest=x"], "few_agree.fewest: x is no whole number. Write a whole number."),
        (["few_agree"], ["few_agree.fewest=-1"], "few_agree.fewest: -1 is not 0 or more."),
        (
            ["few_agree"],
            ["few_agree.fewest=1", "few_agree.fewest=2"],
            "few_agree.fewest=2: few_agree.fewest is set twice.",
        ),
        (
            ["few_agree"],
            ["few_agree.reading=rw"],
            "few_agree.reading: rw is none of normalised, raw. Did you mean raw?",
        ),
    ],
)
def test_what_cannot_be_set_is_said_in_one_sentence(names: list[str], settings: list[str], sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        rules(names, settings)
    assert str(caught.value).startswith(sentence)
