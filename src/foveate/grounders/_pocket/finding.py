"""What one part of `pocket` finds for one question."""

from __future__ import annotations

from dataclasses import dataclass

from foveate.core.explanations import Evidence, Refusal
from foveate.core.regions import Region
from foveate.grounders._pocket.reasons import Reason

# The tables of what was measured (design/assist.md, "What pocket's scores were measured as"): of a thing that is asked
# for; of yes and no to "Is there a dog?"; of a number, and of none, to "How many dogs are there?".
MEASURED_THING, MEASURED_YES, MEASURED_NO = "pocket.thing", "pocket.yes", "pocket.no"
MEASURED_COUNT, MEASURED_NONE = "pocket.count", "pocket.none"
_STANDS_OUT = "what stands out most"


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer with its regions, or why there is none.

    Attributes:
        answer: In words; None where only the place is known.
        regions: Best first, at most five (but every thing that is counted); the first is the evidence. None where there
            is none.
        reason: Why there is no region; or, beside a region, what the person should know about it.
        answer_score: How likely the answer is right, 0 to 1; None where nothing was measured.
        rests_on: What it rests on, the first at the first region; where none is given, that region by its label.
        others: What else was considered; where nothing is given, and nothing to rest on either, the other regions.
        measure: The table under which the score of the first region was measured, or None.
    """

    answer: str | None = None
    regions: tuple[Region, ...] = ()
    reason: str | None = None
    answer_score: float | None = None
    rests_on: tuple[Evidence, ...] = ()
    others: tuple[Evidence, ...] = ()
    measure: str | None = None

    def __post_init__(self) -> None:
        if not (self.regions or self.reason):
            raise ValueError("a finding without a region says why")

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the answer rests on, the weightiest first; at least one where there is a region."""
        return self.rests_on or tuple(as_evidence(region, self.measure) for region in self.regions[:1])

    @property
    def considered(self) -> tuple[Evidence, ...]:
        """What else was considered, best first."""
        if self.others or self.rests_on:
            return self.others
        return tuple(as_evidence(region) for region in self.regions[1:])

    @property
    def refusal(self) -> Refusal | None:
        """Why there is neither an answer nor a region; None where there is one."""
        if self.answer is not None or self.regions:
            return None
        reason = self.reason
        return Refusal(reason.kind, reason.looked_for) if isinstance(reason, Reason) else Refusal("not_measured")


def of_the_photo(region: Region, said: str = "the whole photo") -> Evidence:
    """Returns the photo itself as what an answer rests on."""
    return Evidence("photo", said, None, region)


def as_evidence(region: Region, measure: str | None = None) -> Evidence:
    """Returns a thing that was found, or what only stands out, whose score says nothing."""
    if not region.label:
        return Evidence("salient", _STANDS_OUT, None, region)
    return Evidence("thing", region.label, region.score, region, measure)
