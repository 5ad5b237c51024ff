"""Whether a thing is there, for the answers yes, no and a number."""

from __future__ import annotations

from foveate.core.regions import Region

# Right answers on dev photos of COCO: flat from .0075 to .03, best at .03 (design/pocket-closed-answers.md). The
# stricter end, since a wrong yes costs the person more.
PRESENT = 0.03


def present(region: Region) -> bool:
    """Returns whether a thing that the detector proposes is taken to be there."""
    return (region.score or 0.0) >= PRESENT
