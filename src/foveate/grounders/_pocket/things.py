"""Things that a question names or describes: which are meant, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from foveate.core.boxes import box_area
from foveate.core.regions import Box, Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.seen import Seen
from foveate.perception.matching import match_kinds
from foveate.perception.phrase_book import display_name
from foveate.perception.propose import Proposals, kinds
from foveate.perception.questions import Asked

MOST_CANDIDATES = 5
THRESHOLD = 0.01
# The detector's score from which a thing may answer "What is this?".
SURE = 0.25
# A kind that fits worse than this share of the best is looked for too, but to name it would only puzzle.
_WORTH_NAMING = 0.7
_NO_KIND = "None of the 80 kinds of thing that pocket knows fits this question; it understands English."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the thing that a question asks for by its name or use, with its name, or why there is none."""
    regions, reason = sought(seen, asked.text)
    return Finding(regions[0].label, regions, answer_score=regions[0].score) if regions else Finding(reason=reason)


def sought(seen: Seen, words: str) -> tuple[tuple[Region, ...], str]:
    """Returns where the things are that a question or a phrase is about, best first, labelled; and why, if nowhere."""
    strengths = match_kinds(words)
    if not strengths:
        return (), _NO_KIND
    return _matching(seen, strengths), _missing(strengths)


def main_things(seen: Seen) -> tuple[Region, ...]:
    """Returns what the detector is sure of, larger things before smaller ones: "this" is seldom on the shelf."""
    things = seen.things
    sure = things.take(np.flatnonzero(things.score >= SURE))
    share = box_area(sure.xyxy) / (seen.size_hw[0] * seen.size_hw[1])
    return _regions(replace(sure, score=sure.score * share**0.25), 0.0)


def each_of(seen: Seen, kind: str) -> tuple[Region, ...]:
    """Returns every thing of one of the 80 kinds that is there, best first, for counting."""
    things = seen.things
    rows = np.flatnonzero((things.kind == kinds().index(kind)) & (things.score >= SURE))
    return _regions(things.take(rows), 0.0, most=len(rows))


def _matching(seen: Seen, strengths: Mapping[str, float]) -> tuple[Region, ...]:
    things = seen.things
    best = max(strengths.values())
    # A kind that fits half as well as the best counts an eighth, lest a large second-best thing win by its looks.
    fit = np.array([strengths.get(kind, 0.0) ** 3 / best**2 for kind in kinds()])[things.kind]
    return _regions(replace(things, score=things.score * fit), THRESHOLD)


def _regions(things: Proposals, least: float, most: int = MOST_CANDIDATES) -> tuple[Region, ...]:
    """Returns the best things of at least a score, as regions; equal scores keep their order."""
    order = np.argsort(-things.score, kind="stable")[:most]
    names = kinds()
    return tuple(
        Region(Box(tuple(things.xyxy[row].tolist())), float(things.score[row]), display_name(names[things.kind[row]]))
        for row in order
        if things.score[row] >= least
    )


def _missing(strengths: Mapping[str, float]) -> str:
    """Returns which things were looked for in vain, those that fit about as well as the best, best first."""
    least = _WORTH_NAMING * max(strengths.values())
    ordered = sorted((kind for kind in strengths if strengths[kind] >= least), key=lambda kind: -strengths[kind])
    names = [display_name(kind) for kind in ordered[:3]]
    looked = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
    if len(ordered) > 3:
        return f"pocket looked for {', '.join(names)} and {len(ordered) - 3} other kinds of thing and did not find any."
    return f"pocket looked for {looked} and did not find {'one' if len(names) == 1 else 'any'}."
