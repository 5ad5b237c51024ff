"""What every screening rule promises: a whole card, settings that it explains, verdicts that fit its action."""

from __future__ import annotations

import inspect

import pytest

from foveate import plugins
from foveate.core.cards import RuleCard
from foveate.curation._rules import USUAL, rules
from foveate.curation._verdicts import Verdict
from tests.unit.curation.made import sample

NAMES = list(plugins.modules("curation"))
# Each usual rule finds something in one of these, and each finds nothing in another.
SAMPLES = [
    sample(),
    sample(kind="unanswerable"),
    sample(kind=None, answerable=False),
    sample(answers=["red"] * 4 + ["blue"] * 3 + ["green"] * 3),
    sample("What brand is this and what does it cost?"),
    sample("What is this? What is this?"),
    sample("How many cups are there?"),
    sample("Is there a cup?", ["no"] * 10),
    sample("Qu'est-ce que c'est?", answers=[]),
    sample("?", ["?"] * 10),
]


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name: str) -> None:
    card: RuleCard = plugins.load("curation", name).CARD
    assert card.name == name
    assert all((card.title, card.summary, card.reference, card.limits))
    assert card.action in {"remove", "trim", "flag"}


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_by_name_has_a_default_and_is_explained(name: str) -> None:
    module = plugins.load("curation", name)
    first, second, *others = inspect.signature(module.judge).parameters.values()
    assert (first.name, second.name) == ("query", "truth")
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in others)
    assert [p.name for p in others] == list(module.CARD.settings)
    assert all(module.CARD.settings.values())


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_fit_the_card_and_say_why(name: str) -> None:
    module = plugins.load("curation", name)
    found = [(query, module.judge(query, truth)) for query, truth in SAMPLES]
    verdicts = [(query, verdict) for query, verdict in found if verdict is not None]
    assert 0 < len(verdicts) < len(SAMPLES)
    for query, verdict in verdicts:
        assert isinstance(verdict, Verdict)
        assert verdict.why.strip()
        assert (verdict.question is not None) == ((verdict.action or module.CARD.action) == "trim")
        assert verdict.question is None or (verdict.question.strip() and verdict.question != query.question)


@pytest.mark.parametrize("name", NAMES)
def test_a_trimmed_question_needs_no_more_trimming(name: str) -> None:
    module = plugins.load("curation", name)
    for query, truth in SAMPLES:
        verdict = module.judge(query, truth)
        if verdict and verdict.question:
            trimmed, _ = sample(verdict.question)
            assert module.judge(trimmed, truth) is None


def test_the_usual_rules_are_the_ones_there_are() -> None:
    built_in = {name for name, module in plugins.modules("curation").items() if module.startswith("foveate.")}
    assert set(USUAL) == built_in
    assert [rule.card.name for rule in rules()] == list(USUAL)
