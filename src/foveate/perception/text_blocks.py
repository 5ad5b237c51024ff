"""Lines of text that belong together (a paragraph, a sign, a label), and the order in which they are read.

How lines are grouped, and why so: design/pocket-text.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foveate.perception.text_lines import Frame, Quad, Sides, TextLine, letters, turned

# Two lines belong together when they run the same way within so many degrees,
_SAME_WAY = 15.0
# have letters of like size and height: at most so many times as large (the mean width of a few letters is chance),
_LIKE_SIZE = 1.3
_LIKE_SIZE_OF_FEW = 1.5
_FEW = 12
_LIKE_HEIGHT = 1.8
# and either stand above one another (from middle to middle, in heights; readers leave wide margins) and overlap by
# this share of the shorter one,
_ROW_TO_ROW = 1.5
_OVERLAP = 0.3
# or stand in one row (middles nearer than this, in heights) with a gap of no more than so many heights.
_ONE_ROW = 0.5
_GAP = 1.2


@dataclass(frozen=True)
class TextBlock:
    """Lines that belong together, in the order in which they are read; at least one.

    Attributes:
        lines: The lines.
    """

    lines: tuple[TextLine, ...]

    @cached_property
    def text(self) -> str:
        """What it says: its lines, joined."""
        return " ".join(line.text for line in self.lines)

    @cached_property
    def letters(self) -> int:
        """How many letters and digits it has."""
        return letters(self.text)

    @cached_property
    def score(self) -> float:
        """How sure the reader is, 0 to 1: the mean over its characters."""
        weights = [len(line.text) for line in self.lines]
        return float(np.average([line.score for line in self.lines], weights=weights))

    @cached_property
    def size(self) -> float:
        """The size of its letters in pixels: the median of its lines'."""
        return float(np.median([line.letter_size for line in self.lines]))

    @property
    def quads(self) -> tuple[Quad, ...]:
        """The corners of its lines."""
        return tuple(line.quad for line in self.lines)

    @property
    def xyxy(self) -> Sides:
        """The upright box around its lines, in pixels of the upright photo."""
        left, top, right, bottom = zip(*(line.xyxy for line in self.lines), strict=True)
        return min(left), min(top), max(right), max(bottom)


def text_blocks(lines: Sequence[TextLine]) -> tuple[TextBlock, ...]:
    """Returns the blocks in reading order; each line is in one of them, and the order of the lines makes no difference.

    Blocks that run the way of most letters come first, then those that stand sideways or on their heads, each in
    their own order: a block is read before one that stands below it, and a column before the one to its right.
    """
    # The order of the lines must not show, so that equal places are told apart by what they say.
    given = sorted(lines, key=lambda line: (line.quad, line.text, line.score))
    blocks = [_block([given[row] for row in rows]) for rows in _groups(given)]
    turns: dict[int, list[TextBlock]] = {}
    for block in blocks:
        turns.setdefault(_turn(block), []).append(block)
    most = sorted(turns, key=lambda turn: (-sum(block.letters for block in turns[turn]), turn))
    return tuple(block for turn in most for block in _in_order(turns[turn]))


def in_reading_order(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """Returns the lines block by block, in each block row by row."""
    return tuple(line for block in text_blocks(lines) for line in block.lines)


def belong_together(first: TextLine, second: TextLine) -> bool:
    """Returns whether two lines are neighbours in one block: alike in direction and size, and near one another."""
    low, high = sorted((first.height, second.height))
    small, large = sorted((first.letter_size, second.letter_size))
    turn = abs(first.orientation - second.orientation) % 360.0
    few = min(letters(first.text), letters(second.text)) < _FEW
    like = _LIKE_SIZE_OF_FEW if few else _LIKE_SIZE
    if high > _LIKE_HEIGHT * low or large > like * small or min(turn, 360.0 - turn) > _SAME_WAY:
        return False
    longer = max(first, second, key=_length)
    (a0, a1, a_down), (b0, b1, b_down) = (line.span(longer.orientation) for line in (first, second))
    height = (low + high) / 2
    overlap = min(a1, b1) - max(a0, b0)
    apart = abs(a_down - b_down)
    if apart <= _ONE_ROW * height:
        return -overlap <= _GAP * height
    return apart <= _ROW_TO_ROW * height and overlap >= _OVERLAP * min(a1 - a0, b1 - b0)


def _groups(lines: Sequence[TextLine]) -> list[list[int]]:
    """Returns the rows of the lines, group by group: what is connected through neighbours."""
    group = list(range(len(lines)))
    for a in range(len(lines)):
        for b in range(a):
            if group[a] != group[b] and belong_together(lines[a], lines[b]):
                old, new = group[a], group[b]
                group = [new if each == old else each for each in group]
    return [[row for row, each in enumerate(group) if each == one] for one in sorted(set(group))]


def _block(lines: Sequence[TextLine]) -> TextBlock:
    """Returns a block; a line belongs to a row if its middle is nearer than half its height to the row's first line."""
    longest = max(lines, key=lambda line: (len(line.text), line.quad))
    spans = {id(line): line.span(longest.orientation) for line in lines}
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: (spans[id(line)][2], spans[id(line)][0])):
        first = rows[-1][0] if rows else line
        down = spans[id(line)][2] - spans[id(first)][2]
        if rows and down <= _ONE_ROW * min(line.height, first.height):
            rows[-1].append(line)
        else:
            rows.append([line])
    return TextBlock(tuple(line for row in rows for line in sorted(row, key=lambda line: spans[id(line)][0])))


def _turn(block: TextBlock) -> int:
    """Returns by how many quarter turns a block is turned: that of most of its letters."""
    votes = [0, 0, 0, 0]
    for line in block.lines:
        votes[round(line.orientation / 90.0) % 4] += letters(line.text) + 1
    return votes.index(max(votes))


def _in_order(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """Returns blocks that run the same way, each after those that are read before it."""
    orientation = max((line for block in blocks for line in block.lines), key=_length).orientation
    edges = np.array([_edges(block, orientation) for block in blocks])
    before = _before(edges)
    waiting = np.lexsort((edges[:, 0], edges[:, 1])).tolist()
    order: list[int] = []
    while waiting:
        # Where the rules contradict one another, the uppermost is next.
        free = next((row for row in waiting if not before[waiting, row].any()), waiting[0])
        waiting.remove(free)
        order.append(free)
    return [blocks[row] for row in order]


def _before(edges: Frame) -> NDArray[np.bool_]:
    """Returns ``bool (N, N)``: whether the block of the row is read before that of the column.

    It is when it stands above and their widths overlap; or wholly to the left, and no block that spans both lies
    between them from top to bottom.

    Args:
        edges: ``float64 (N, 4)``, left, top, right, bottom, as someone sees them who reads that way.

    References:
        Breuel, High performance document layout analysis, 2003, section 5.
    """
    left, top, right, bottom = edges.T
    middle = (top + bottom) / 2
    over = (left[:, None] < right) & (left < right[:, None])
    before: NDArray[np.bool_] = over & (middle[:, None] < middle)
    for row in range(len(edges)):
        low, high = np.minimum(middle[row], middle), np.maximum(middle[row], middle)
        between = (low[:, None] < middle) & (middle < high[:, None])
        before[row] |= (right[row] <= left) & ~(over & over[row] & between).any(axis=1)
    return before


def _edges(block: TextBlock, orientation: float) -> list[float]:
    corners = turned(np.asarray(block.quads, dtype=np.float64).reshape(-1, 2), orientation)
    return [*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()]


def _length(line: TextLine) -> tuple[int, Quad]:
    return len(line.text), line.quad
