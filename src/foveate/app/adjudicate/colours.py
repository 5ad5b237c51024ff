"""The lines of candidates: each has a colour and a pattern of dashes of its own, so that colour alone tells nothing."""

from __future__ import annotations

from collections.abc import Sequence

Colour = tuple[int, int, int]

# Light ones, since each line has a dark one under it: seen on any photo. `adjudicate.css` has the same.
COLOURS: Sequence[Colour] = (
    (255, 225, 77),
    (111, 215, 255),
    (255, 157, 190),
    (157, 245, 160),
    (255, 176, 92),
    (214, 184, 255),
)
TARGET: Colour = (255, 255, 255)
# Lengths of dashes and gaps, in pixels of the screen; none is a whole line.
DASHES: Sequence[tuple[int, ...]] = ((), (12, 6), (3, 6), (14, 5, 3, 5), (7, 4), (18, 6, 3, 4, 3, 6))


def line_of(at: int) -> tuple[Colour, tuple[int, ...]]:
    """Returns the colour and the dashes of a candidate, by its place in the row; pairs differ as long as they can."""
    return COLOURS[at % len(COLOURS)], DASHES[(at + at // len(COLOURS)) % len(DASHES)]
