"""An aggregator by its name, with its options: the one way in which a rule for several drawings is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from foveate import plugins
from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.option_texts import option_value, options_of
from foveate.core.regions import Shape
from foveate.errors import UsageError, did_you_mean
from foveate.quality.drawings import Drawing, all_boxes


@dataclass(frozen=True, slots=True)
class Aggregator:
    """A rule that makes one region of several, with its options.

    Attributes:
        card: What it says of itself.
        settings: What was set, by name.
        module: The plugin.
    """

    card: AggregatorCard
    settings: Mapping[str, Any]
    module: ModuleType

    @property
    def told(self) -> str:
        """Its name, with what was set: `majority(ties=in)`."""
        options = ", ".join(f"{name}={value}" for name, value in sorted(self.settings.items()))
        return f"{self.card.name}({options})" if options else self.card.name

    def region(self, drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
        """Returns the region that drawings give, in the order of sending; None where they leave none.

        A rule that chooses one of the drawings returns its very shape, so that who drew it is known.

        Raises:
            UsageError: The rule does not take what was drawn.
            UnavailableError: What it needs is not installed.
        """
        if "mask" not in self.card.takes and not all_boxes([one.shape for one in drawings]):
            problem = "it is for boxes, and people drew polygons"
            raise UsageError(f"rule {self.card.name}", problem, "Take a rule that takes masks.")
        found: Shape | None = self.module.aggregate(drawings, size_hw, **self.settings) if drawings else None
        return found


def aggregator(name: str, settings: Mapping[str, str] | None = None) -> Aggregator:
    """Returns an aggregator by its name.

    Args:
        name: Of the plugin.
        settings: Its options as they are typed, by name.

    Raises:
        UsageError: There is no such aggregator, option or value.
        UnavailableError: The plugin is not whole.
    """
    module = plugins.load("aggregators", name)
    hints = options_of(module.aggregate)
    for option in settings or {}:
        if option not in hints:
            remedy = did_you_mean(option, hints) if hints else "It has none."
            raise UsageError(f"{name}.{option}", "the rule has no such option", remedy)
    values = {
        option: option_value(f"{name}.{option}", text, hints[option]) for option, text in (settings or {}).items()
    }
    return Aggregator(module.CARD, values, module)
