"""The rules of a screening: which, in what order, with what settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from foveate import plugins
from foveate.core.cards import RuleCard
from foveate.core.option_texts import option_value, options_of
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._verdicts import Verdict
from foveate.errors import UsageError, did_you_mean

# The order of the paper: what cannot be kept first, then the wording, then what people should look at.
USUAL = (
    "unanswerable",
    "few_agree",
    "several_questions",
    "repeated_question",
    "several_regions",
    "not_groundable",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its settings.

    Attributes:
        card: What it says of itself.
        judge: Its verdict on a sample.
        settings: What was set, by name.
    """

    card: RuleCard
    judge: Callable[[Query, Truth], Verdict | None]
    settings: Mapping[str, Any]


def rules(names: Sequence[str] = USUAL, settings: Sequence[str] = ()) -> list[Rule]:
    """Returns rules in the order in which they are named.

    Args:
        names: Of the plugins.
        settings: Each `rule.option=value`.

    Raises:
        UsageError: There is no such rule, option or value, or a rule is named twice.
    """
    twice = next((name for name in names if list(names).count(name) > 1), None)
    if twice:
        raise UsageError(f"screening rule {twice}", "it is named twice", "Name each rule once.")
    texts = _by_rule(names, settings)
    return [_rule(plugins.load("curation", name), texts[name]) for name in names]


def _by_rule(names: Sequence[str], settings: Sequence[str]) -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = {name: {} for name in names}
    for setting in settings:
        option, equals, value = setting.partition("=")
        name, dot, option = option.partition(".")
        if not equals or not dot:
            raise UsageError(setting, "this is no setting", "Write it as rule.option=value: few_agree.fewest=5.")
        if name not in texts:
            raise UsageError(setting, f"no rule {name} takes part", did_you_mean(name, names))
        if option in texts[name]:
            raise UsageError(setting, f"{name}.{option} is set twice", "Set it once.")
        texts[name][option] = value
    return texts


def _rule(module: ModuleType, texts: Mapping[str, str]) -> Rule:
    card: RuleCard = module.CARD
    hints = options_of(module.judge)
    for option in texts:
        if option not in hints:
            raise UsageError(f"{card.name}.{option}", "the rule has no such option", did_you_mean(option, hints))
    values = {option: option_value(f"{card.name}.{option}", text, hints[option]) for option, text in texts.items()}

    def judge(query: Query, truth: Truth) -> Verdict | None:
        found: Verdict | None = module.judge(query, truth, **values)
        return found

    return Rule(card, judge, values)
