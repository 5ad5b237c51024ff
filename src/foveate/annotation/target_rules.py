"""The rules by which what several people drew becomes targets, or the final regions of a run: one function for both.

They are the aggregators (`foveate.quality.aggregators`, and those of other packages), and two that are none: `all`
keeps every region, `verified` is the box of a collection that somebody found right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from foveate import plugins
from foveate.errors import UsageError, did_you_mean
from foveate.quality.aggregation import Aggregator, aggregator

ALL, VERIFIED = "all", "verified"
# What a data set is made by, where nobody says otherwise: the first paper's.
USUAL = "larger"


@dataclass(frozen=True, slots=True)
class TargetRule:
    """A rule, chosen by name.

    Attributes:
        name: As it was chosen.
        aggregator: What makes one region of several; None for `all` and `verified`.
    """

    name: str
    aggregator: Aggregator | None = None

    @property
    def told(self) -> str:
        """Its name, with what was set."""
        return self.aggregator.told if self.aggregator else self.name

    @property
    def remedy(self) -> str:
        """Which other rules there are, where this one does not do."""
        names = list(plugins.modules("aggregators"))
        known = {ALL: names, VERIFIED: [*names, ALL]}.get(self.name, [VERIFIED])
        return f"Its rules: {', '.join(known)}."


def rule_names() -> tuple[str, ...]:
    """Returns the names of all rules: the aggregators' as they are listed, `all` and `verified`."""
    return (*plugins.modules("aggregators"), ALL, VERIFIED)


def target_rule(name: str, settings: Mapping[str, str] | None = None) -> TargetRule:
    """Returns a rule by its name.

    Args:
        name: One of `rule_names`.
        settings: Its options as they are typed, by name.

    Raises:
        UsageError: There is no such rule, option or value.
        UnavailableError: The plugin is not whole.
    """
    if name in (ALL, VERIFIED):
        for option in settings or {}:
            raise UsageError(f"{name}.{option}", "the rule has no such option", "It has none.")
        return TargetRule(name)
    if name not in plugins.modules("aggregators"):
        raise UsageError(f"rule {name}", "there is none of this name", did_you_mean(name, rule_names()))
    return TargetRule(name, aggregator(name, settings))
