"""Whether a thing is there, for the answers yes, no and a number."""

from __future__ import annotations

from foveate.core.regions import Region

# On dev photos of COCO flat from .0075 to .03 (design/pocket-closed-answers.md).
PRESENT = 0.02


def present(region: Region) -> bool:
    """Returns whether a thing that the detector proposes is taken to be there."""
    return (region.score or 0.0) >= PRESENT
