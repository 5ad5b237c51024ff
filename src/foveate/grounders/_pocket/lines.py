"""Which of the text in a photo answers a question, as regions with scores.

The score of a region is the reader's certainty of its words (0 to 1, the mean over its characters) times how well they
fit the question (above 0, at most 1; each function says how).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foveate.core.boxes import SizeHW
from foveate.core.polygons import as_corners, clip_corners, is_flat
from foveate.core.regions import Box, Polygon, Region
from foveate.grounders._pocket.values import VALUES, values_in
from foveate.perception.text_blocks import TextBlock, text_blocks
from foveate.perception.text_lines import Point, TextLine, letters
from foveate.perception.text_wishes import TextWish, text_wish, wants_every_word
from foveate.perception.words import content_stems, stem, words


@dataclass(frozen=True, slots=True)
class Reading:
    """Text that answers a question: the words, and where they stand, best first, at least one region.

    Attributes:
        answer: The words.
        regions: Where they stand, best first; the others are other readings.
        sure: Of each region, how sure the reader is of its words, 0 to 1.
        note: What the person should know about it.
        parts: Whether the other regions are the parts of the first, not other readings.
    """

    answer: str
    regions: tuple[Region, ...]
    sure: tuple[float, ...]
    note: str | None = None
    parts: bool = False


_SMALL_PRINT = "There is small print too; ask for all of the text to hear it."
_NO_SIGN = "No word or sign beside it says that this is the {}."
# Letters of less than this share of the largest are small print, where there is more of it than of the large.
_SMALL = 1 / 3
_LEAST_LARGE = 10
# A single short line is seldom a name: "50" in the corner, three letters on a cap.
_STRAY = 4
# A box holds a line as well as its corners do, unless it is tilted by more than this.
_LEVEL = 3.0
# "Where does it say exit?" asks for the exit alone.
_ASKING = content_stems("say said read reads written word words text mention mentions")
# What the question's own words add to a block's size: "what kind of soup" is the block with "soup".
_BY_WORDS = 2.0


def read_out(lines: Sequence[TextLine], question: str, size_hw: SizeHW) -> Reading | None:
    """Returns what the lines say to a question about text, or None where none of them fits its wish."""
    wish = text_wish(question)
    blocks = text_blocks(lines)
    if not blocks:
        return None
    if wish == "all":
        return _everything(blocks, size_hw, every_word=wants_every_word(question))
    if wish in {"main", "longest"}:
        return _main(blocks, question, wish, size_hw)
    return _value(lines, wish, question, size_hw)


def find_words(lines: Sequence[TextLine], question: str, size_hw: SizeHW, *, exact: bool = False) -> Reading | None:
    """Returns the lines in which words of the question stand, or None; they fit by the share of its words.

    Args:
        lines: The text.
        question: The words, or a question with them.
        size_hw: Of the photo.
        exact: Whether the place is only that of the words, not of their whole line.
    """
    asked = {stem for stem in content_stems(question) - _ASKING if len(stem) >= 3}
    rated = [(line, line.score * len(asked & content_stems(line.text)) / len(asked)) for line in lines if asked]
    hits = sorted((hit for hit in rated if hit[1] > 0), key=lambda hit: -hit[1])
    if not hits:
        return None
    cut: Callable[[TextLine], TextLine] = (lambda line: _only(line, asked)) if exact else lambda line: line
    regions = tuple(Region(shape_of([cut(line)], size_hw), score, line.text) for line, score in hits)
    return Reading(hits[0][0].text, regions, tuple(line.score for line, _ in hits))


def shape_of(lines: Sequence[TextLine], size_hw: SizeHW) -> Box | Polygon:
    """Returns the box around some lines; where one of them is tilted, the outlines of all."""
    corners = [clip_corners(as_corners(line.quad), size_hw) for line in lines]
    if any(_is_tilted(line) for line in lines) and not any(is_flat(each) for each in corners):
        return Polygon(tuple(tuple((x, y) for x, y in each.tolist()) for each in corners))
    return Box(TextBlock(tuple(lines)).xyxy)


def _everything(blocks: Sequence[TextBlock], size_hw: SizeHW, *, every_word: bool) -> Reading:
    """Returns all blocks as one, then each, which fits by its share of the letters.

    Where most is small print, the large letters are the answer, unless every word is asked for.
    """
    largest = max(block.size for block in blocks)
    large = [block for block in blocks if block.size >= _SMALL * largest]
    count, total = (sum(block.letters for block in some) for some in (large, blocks))
    short = not every_word and _LEAST_LARGE <= count < total - count
    told = large if short else list(blocks)
    whole = TextBlock(tuple(line for block in told for line in block.lines))
    regions, sure = [Region(shape_of(whole.lines, size_hw), whole.score, whole.text)], [whole.score]
    if len(told) > 1:
        shares = {block: block.score * block.letters / max(whole.letters, 1) for block in told}
        for block in sorted(told, key=lambda block: -shares[block]):
            regions.append(Region(shape_of(block.lines, size_hw), shares[block], block.text))
            sure.append(block.score)
    return Reading(whole.text, tuple(regions), tuple(sure), _SMALL_PRINT if short else None, parts=True)


def _main(blocks: Sequence[TextBlock], question: str, wish: TextWish, size_hw: SizeHW) -> Reading:
    """Returns the block with the largest letters, or the most; the others fit by their share of that.

    A block with words of the question goes before those of less than twice its size.
    """
    asked = content_stems(question)
    named = [block for block in blocks if sum(map(str.isalpha, block.text)) >= _STRAY]
    weights = [
        (block, block.letters if wish == "longest" else block.size * (_BY_WORDS if asked & _stems(block) else 1.0))
        for block in named or blocks
    ]
    most = max(weight for _, weight in weights)
    ordered = sorted(weights, key=lambda pair: -pair[0].score * pair[1])
    regions = tuple(
        Region(shape_of(block.lines, size_hw), block.score * weight / most, block.text) for block, weight in ordered
    )
    return Reading(ordered[0][0].text, regions, tuple(block.score for block, _ in ordered))


def _value(lines: Sequence[TextLine], wish: TextWish, question: str, size_hw: SizeHW) -> Reading | None:
    """Returns the value as it is written, at its line; lines that fit as well as the best share its fit."""
    hits = values_in(lines, wish, question)
    if not hits:
        return None
    alike = sum(hit.fit == hits[0].fit for hit in hits)
    ordered = sorted(hits, key=lambda hit: (-hit.fit, -hit.line.score))
    regions = [
        Region(shape_of([hit.line], size_hw), hit.line.score * hit.fit / alike, hit.line.text) for hit in ordered
    ]
    note = None if hits[0].told else _NO_SIGN.format(VALUES[wish].noun)
    return Reading(ordered[0].value, tuple(regions), tuple(hit.line.score for hit in ordered), note)


def _stems(block: TextBlock) -> frozenset[str]:
    return content_stems(block.text)


def _is_tilted(line: TextLine) -> bool:
    off = line.orientation % 90.0
    return letters(line.text) > 1 and min(off, 90.0 - off) > _LEVEL


def _only(line: TextLine, asked: set[str]) -> TextLine:
    """Returns the part of a line from the first to the last of some words, as if all letters were equally wide."""
    said = words(line.text)
    plain, starts, at = line.text.lower(), [], 0
    for word in said:
        at = max(plain.find(word, at), at)
        starts.append((at, at + len(word)))
        at += len(word)
    hit = [span for word, span in zip(said, starts, strict=True) if stem(word) in asked]
    if not hit or len(hit) == len(said):
        return line
    first, last = hit[0][0] / len(plain), min(hit[-1][1] / len(plain), 1.0)
    a, b, c, d = line.quad
    quad = (_at(a, b, first), _at(a, b, last), _at(d, c, last), _at(d, c, first))
    return TextLine(line.text[hit[0][0] : hit[-1][1]], line.score, quad, _box(quad, line.xyxy))


def _at(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _box(quad: Sequence[Point], within: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y = zip(*quad, strict=True)
    x0, y0, x1, y1 = max(min(x), within[0]), max(min(y), within[1]), min(max(x), within[2]), min(max(y), within[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else within
