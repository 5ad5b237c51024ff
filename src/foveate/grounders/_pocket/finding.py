"""What one part of `pocket` finds for one question."""

from __future__ import annotations

from dataclasses import dataclass

from foveate.core.regions import Region


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer with its regions, or why there is none.

    Attributes:
        answer: In words; None where only the place is known.
        regions: Best first, at most five (but every thing that is counted); the first is the evidence. None where there
            is none.
        reason: Why there is no region; or, beside a region, what the person should know about it.
        answer_score: How likely the answer is right, 0 to 1; None where nothing was measured.
    """

    answer: str | None = None
    regions: tuple[Region, ...] = ()
    reason: str | None = None
    answer_score: float | None = None

    def __post_init__(self) -> None:
        if not (self.regions or self.reason):
            raise ValueError("a finding without a region says why")
