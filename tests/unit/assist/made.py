"""Made answers for the tests of what is said."""

from __future__ import annotations

from dataclasses import replace

from foveate.assist.answers import Answered
from foveate.core.explanations import Evidence, Explanation, Refusal
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region, Shape
from foveate.perception.photo_quality import PhotoQuality

GOOD = PhotoQuality(median=0.5, light=0.8, blown_out=0.0, sharpness=0.9, tilted_degrees=None, grey=False)
DARK = replace(GOOD, median=0.05, light=0.2, sharpness=0.0)
BLURRED = replace(GOOD, sharpness=0.2)
SIZE_HW = (100, 100)
JAR = Box((30, 60, 70, 90))


def answered(
    answer: str | None = "creamy tomato basil",
    shape: Shape | None = JAR,
    question: str = "What is this?",
    *,
    evidence: Evidence | None = None,
    refusal: Refusal | None = None,
    quality: PhotoQuality = GOOD,
    reason: str | None = None,
    notes: tuple[str, ...] = (),
) -> Answered:
    """Returns what a method said: an answer with its region, without one, or a refusal."""
    region = Region(shape, 0.8, answer) if shape else None
    told = Prediction(
        "jar.jpg",
        "ok" if region else "no_region",
        answer,
        final=region,
        candidates=(region,) if region else (),
        size_hw=SIZE_HW,
        reason=reason or (None if region else "it is not there"),
    )
    rests_on = (evidence,) if evidence else (Evidence("thing", answer or "it", 0.8, region),) if region else ()
    return Answered(question, "made", told, Explanation(rests_on, (), refusal), quality, notes)
