"""Random samples for Hypothesis: every kind of region, texts of any alphabet, and what may be absent absent."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.soft_maps import READINGS, SoftMap
from foveate.core.truths import Match, Target, TargetShape, Truth
from foveate.formats._sample_forms import Sample

SIZE_HW = (24, 32)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
said = texts.filter(str.strip)
facts = st.dictionaries(
    said,
    texts
    | st.integers(-(2**60), 2**60)
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.lists(texts, max_size=3).map(tuple),
    max_size=3,
)
# Eighths of a pixel, which products and sums of floats keep.
across, down = (st.integers(0, side * 8).map(lambda n: n / 8) for side in (SIZE_HW[1], SIZE_HW[0]))


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, right = sorted(draw(st.lists(across, min_size=2, max_size=2, unique=True)))
    top, bottom = sorted(draw(st.lists(down, min_size=2, max_size=2, unique=True)))
    return Box((left, top, right + (right <= 1), bottom + (bottom <= 1)))


def is_polygon(parts: list[list[tuple[float, float]]]) -> bool:
    try:
        return Polygon(tuple(tuple(part) for part in parts)).rle(SIZE_HW) is not None
    except ValueError:
        return False


points = st.tuples(across, down)
polygons = (
    st.lists(st.lists(points, min_size=3, max_size=6), min_size=1, max_size=3)
    .filter(is_polygon)
    .map(lambda parts: Polygon(tuple(tuple(part) for part in parts)))
)
masks = arrays(np.bool_, SIZE_HW).filter(np.any).map(lambda inside: Mask(encode(inside)))
soft_maps = st.tuples(arrays(np.float32, (3, 4), elements=st.floats(0, 1, width=32)), st.sampled_from(READINGS)).map(
    lambda drawn: SoftMap.over(np.maximum(drawn[0], np.eye(3, 4, dtype=np.float32)), SIZE_HW, drawn[1])
)
shapes = boxes() | polygons | masks | soft_maps


@st.composite
def targets(draw: st.DrawFn, of: st.SearchStrategy[TargetShape] = shapes) -> Target:
    outline = draw(st.none() | polygons)
    return Target(draw(of), draw(st.none() | texts), draw(st.none() | texts), outline)


@st.composite
def truths(draw: st.DrawFn, sample_id: str) -> Truth:
    found = tuple(draw(st.lists(targets(), max_size=3)))
    match = draw(st.sampled_from(get_args(Match)[len(found) > 1 :]))
    size_hw = draw(st.sampled_from([SIZE_HW, None]))
    answers = tuple(draw(st.lists(texts, max_size=3)))
    return Truth(sample_id, answers, found, match, draw(st.booleans()), size_hw, draw(st.booleans()), draw(facts))


@st.composite
def samples(draw: st.DrawFn, one: Callable[[str], st.SearchStrategy[Truth]] = truths) -> list[Sample]:
    made = []
    for sample_id in draw(st.lists(said, min_size=1, max_size=4, unique=True)):
        truth = draw(one(sample_id))
        image = draw(said)
        query = Query(sample_id, image, None, draw(said), truth.size_hw, draw(st.none() | texts))
        made.append(Sample(query, truth))
    return made


@st.composite
def plain_truths(draw: st.DrawFn, sample_id: str, of: st.SearchStrategy[TargetShape]) -> Truth:
    """Truths that foreign forms mostly hold: answers of the regions, no votes, no facts."""
    found = draw(st.lists(st.tuples(of, said, st.none() | said), min_size=1, max_size=3))
    made = tuple(Target(shape, answer, annotator) for shape, answer, annotator in found)
    answers = tuple(dict.fromkeys(target.answer for target in made if target.answer is not None))
    match: Match = "single" if len(made) < 2 else "per_answer" if len(answers) > 1 else "union"
    return Truth(sample_id, answers, made, match, True, SIZE_HW, polled=False)
