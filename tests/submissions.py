"""Submissions for tests: made by hand, and random ones for Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import shapely
from hypothesis import assume
from hypothesis import strategies as st

from foveate.annotation.outlines import plain
from foveate.annotation.problems import problems
from foveate.annotation.reasons import REASONS
from foveate.annotation.submissions import Submission
from foveate.annotation.work import AskWork, BoxWork, GroundingWork, PolygonWork, VerifyWork, Work
from tests.sample_strategies import SIZE_HW, across, down, points, said, texts

START = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
SQUARE = [(2.0, 2.0), (12.0, 2.0), (12.0, 12.0), (2.0, 12.0)]


def drawn(polygon: Sequence[tuple[float, float]] = SQUARE, **more: Any) -> GroundingWork:
    """Returns the three steps with a polygon."""
    values = {"several_questions": False, "several_regions": False, "outcome": "polygon", "closed": True}
    return GroundingWork.model_validate({**values, "polygon": polygon, **more})


def boxed(*box: float) -> BoxWork:
    """Returns a drawn box."""
    return BoxWork.model_validate({"outcome": "box", "box": box})


def sent(work: Work, annotator: str = "ann", task: str = "a.jpg", minute: int | None = 0, **more: Any) -> Submission:
    """Returns a submission of a project that goes with its work."""
    kinds = {"grounding": "grounding", "ask": "box_collection", "verify": "box_collection"}
    values: dict[str, Any] = {
        "project": "p",
        "kind": kinds.get(work.stage, "reannotation"),
        "task": task,
        "image_name": task.partition("#")[0],
        "size_hw": SIZE_HW,
        "question": "What is this?",
        "annotator": annotator,
        "sent": None if minute is None else START + timedelta(minutes=minute),
        "work": work,
    }
    return Submission(**(values | more))


@st.composite
def simple_polygons(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Returns an outline that may be sent, on a photo of `SIZE_HW`."""
    outline = draw(st.lists(points, min_size=3, max_size=8, unique=True))
    ring = shapely.Polygon(outline)
    if not ring.is_valid:
        around = shapely.get_coordinates(shapely.convex_hull(shapely.MultiPoint(outline)))
        outline = [(x, y) for x, y in around[:-1].tolist()]
    assume(not problems(drawn(outline), SIZE_HW))
    return outline


def random_outlines(seed: int, count: int = 60) -> list[list[tuple[float, float]]]:
    """Returns outlines that may be sent, many at once: stars around a point, on eighths of a pixel."""
    rng = np.random.default_rng(seed)
    found: list[list[tuple[float, float]]] = []
    while len(found) < count:
        angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 14)))
        reach = rng.uniform(1, 12, len(angles))
        centre = rng.uniform(2, 22, 2)
        corners = centre + reach[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        kept = plain(np.round(np.clip(corners, 0, SIZE_HW[::-1]) * 8) / 8, SIZE_HW)
        outline = [(x, y) for x, y in kept.tolist()]
        if not problems(drawn(outline), SIZE_HW):
            found.append(outline)
    return found


@st.composite
def sides(draw: st.DrawFn) -> tuple[float, float, float, float]:
    """Returns a box that may be sent."""
    left, right = sorted(draw(st.lists(across, min_size=2, max_size=2)))
    top, bottom = sorted(draw(st.lists(down, min_size=2, max_size=2)))
    assume(right - left >= 1 and bottom - top >= 1)
    return left, top, right, bottom


cannot = st.fixed_dictionaries(
    {
        "outcome": st.just("cannot_draw"),
        "reason": st.sampled_from([*REASONS]),
        "reason_text": said.filter(lambda text: "\0" not in text),
    }
)
whole = st.just({"outcome": "whole_image"})
outlined = simple_polygons().map(lambda outline: {"outcome": "polygon", "polygon": outline, "closed": True})
no = {"several_questions": False, "several_regions": False}
# PostgreSQL holds no character of value 0, so that no work has one.
written = texts.map(lambda text: text.replace("\0", ""))
common = st.fixed_dictionaries({"seconds": st.floats(0, 1e6), "comment": written})


def works(*stages: str) -> st.SearchStrategy[Work]:
    """Returns works of some stages that may be sent."""
    steps = st.sampled_from([{"several_questions": True}, {"several_questions": False, "several_regions": True}])
    made: dict[str, tuple[type, st.SearchStrategy[dict[str, Any]]]] = {
        "grounding": (GroundingWork, steps | (cannot | whole | outlined).map(lambda values: no | values)),
        "box": (BoxWork, cannot | whole | sides().map(lambda box: {"outcome": "box", "box": box})),
        "polygon": (PolygonWork, cannot | whole | outlined),
        "ask": (
            AskWork,
            st.just({"outcome": "nothing"})
            | said.filter(lambda text: "\0" not in text).map(lambda text: {"outcome": "asked", "question": text}),
        ),
        "verify": (
            VerifyWork,
            st.sampled_from(["right", "box_wrong", "several_answers", "no_answer", "question_wrong"]).map(
                lambda outcome: {"outcome": outcome}
            ),
        ),
    }
    return st.sampled_from(stages).flatmap(
        lambda stage: st.tuples(made[stage][1], common).map(lambda two: made[stage][0](**two[0], **two[1]))
    )
