"""Things that a question names or describes: which are meant, and where they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import box_area
from foveate.core.overlap import box_iou
from foveate.core.regions import Box, Region
from foveate.grounders._pocket.finding import MEASURED_THING, Finding
from foveate.grounders._pocket.listing import with_article
from foveate.grounders._pocket.places import SAME_PLACE, sides
from foveate.grounders._pocket.reasons import Reason, beyond, not_found, not_understood
from foveate.grounders._pocket.seen import Seen
from foveate.perception import embed_text
from foveate.perception.matching import (
    group_asked_for,
    is_a_name,
    names_its_thing,
    only_mentioned,
    tells_only_where,
)
from foveate.perception.meaning import Phrases, things_of
from foveate.perception.phrase_book import display_name, phrase_book
from foveate.perception.propose import Proposals, kinds
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped

MOST_CANDIDATES = 5
# What is there more likely than not answers "What is this?"; nobody has asked for it by name, so that
# the chance of its box counts as it is.
SURE = 0.5
# The region's score, from how likely it holds its kind and how likely the question asks for that kind: fitted on dev
# photos, half of whose questions ask for things that are not there (design/pocket.md).
STEEPNESS, LEVEL = 1.219, 2.477
# A candidate that is less likely right than this is not worth a look.
_WORTH_A_LOOK = 0.02
# A kind that fits worse than this share of the best is not looked for.
_MAY_BE_MEANT = 0.1
# A kind that fits worse than this share of the best is looked for, but to name it would only puzzle.
_WORTH_NAMING = 0.7
# Below this, what the question asks for is a guess.
A_GUESS = 0.3
_LOOK = "pocket cannot tell this; this is where one would look."
_FOR_A_USE = re.compile(r"\b(can|could|do|does|should) (i|we|you|people|one|someone) (?!find|see)")
_TELLS_THE_NAME = re.compile(r"^(where|find|show|point|locate|which one)\b")


def find(seen: Seen, likely: Mapping[str, float]) -> Finding:
    """Returns the thing that is asked for, with its name, or why there is none.

    Args:
        seen: The photo.
        likely: How likely each thing of the whole book is asked for, as `wanted` gives it.
    """
    regions, reason = _looked_for(seen, likely)
    if not regions:
        return Finding(reason=reason)
    return Finding(regions[0].label, regions, answer_score=regions[0].score, measure=MEASURED_THING)


def wanted(asked: Asked, phrases: Phrases | None) -> dict[str, float]:
    """Returns how likely a question asks for each thing; of "the cat's bowl" the bowl alone, if it only asks where."""
    plain = unwrapped(asked.text)
    named = names_its_thing(asked.about) if _TELLS_THE_NAME.search(plain) else {}
    if is_a_name(plain):
        named = names_its_thing(plain)
    if named:
        return first_of(named)
    likely = things_of(asked.text, embed_text.embed_text, phrases)
    return _of_the_group(asked.text, likely)


def look(seen: Seen, asked: Asked) -> Finding | None:
    """Returns the first thing that a question only mentions, unanswered; None where it mentions none."""
    mentioned = only_mentioned(unwrapped(asked.text))
    if not mentioned:
        return None
    regions, reason = _looked_for(seen, {mentioned[0]: 1.0})
    return Finding(None, regions, _LOOK if regions else reason, measure=MEASURED_THING)


def tells_the_name(question: str) -> bool:
    """Returns whether a question tells the name of what it looks for: "where is the exit?", not "where can I eat?"."""
    plain = unwrapped(question)
    return bool(_TELLS_THE_NAME.search(plain) and not _FOR_A_USE.search(plain)) or is_a_name(plain)


def sought(seen: Seen, phrase: str) -> tuple[tuple[Region, ...], str]:
    """Returns where the thing is that a phrase or question names, best first, labelled; and why, if nowhere."""
    return _looked_for(seen, first_of(names_its_thing(phrase)) or _described(seen, phrase))


def main_things(seen: Seen) -> tuple[Region, ...]:
    """Returns the things that are surely there, larger ones before smaller ones: "this" is seldom on the shelf."""
    return _best_outlined(seen, main_boxes(seen))


def main_boxes(seen: Seen) -> tuple[Region, ...]:
    """Returns the same as boxes, the best too."""
    sure = np.where(seen.chances >= SURE, prominence(seen), 0.0)
    return _regions(seen, sure, 1e-9, MOST_CANDIDATES)


def prominence(seen: Seen) -> NDArray[np.float64]:
    """Returns how likely each box of `seen.things` is what "this" means, ``(N,)``: its chance, less for a small one."""
    share = box_area(seen.things.xyxy) / (seen.size_hw[0] * seen.size_hw[1])
    return np.asarray(seen.chances * share**0.25)


def each_of(seen: Seen, kind: str) -> tuple[Region, ...]:
    """Returns the boxes of all things of one of the 80 kinds that are surely there, best first."""
    of_the_kind = np.where(seen.things.kind == kinds().index(kind), seen.chances, 0.0)
    return _regions(seen, of_the_kind, SURE, len(of_the_kind))


def first_of(named: Mapping[str, float]) -> dict[str, float]:
    """Returns the thing that a phrase is about: of "the cat's bowl" the bowl, and no cat where there is no bowl."""
    return dict(list(named.items())[:1])


def _of_the_group(question: str, likely: Mapping[str, float]) -> dict[str, float]:
    """Returns what may be asked for by "which animal …": an animal, however much else of the question fits a person."""
    group = group_asked_for(question)
    if not group:
        return _but_the_mentioned(unwrapped(question), likely)
    inside = {thing: share for thing, share in likely.items() if thing in group}
    whole = sum(inside.values())
    return {thing: share / whole for thing, share in inside.items()} if whole else dict(likely)


def _but_the_mentioned(plain: str, likely: Mapping[str, float]) -> dict[str, float]:
    """Returns the same without what the question only mentions: what the person does is no person.

    What is left is not made more by that; where all of it is a guess, or nothing is said of it but the place, none is
    meant.
    """
    mentioned = only_mentioned(plain)
    if not mentioned:
        return dict(likely)
    left = {thing: 0.0 if thing in mentioned else share for thing, share in likely.items()}
    unknown = tells_only_where(plain) or max(left.values()) < A_GUESS
    return dict.fromkeys(likely, 0.0) if unknown else left


def _described(seen: Seen, phrase: str) -> dict[str, float]:
    return things_of(phrase, embed_text.embed_text, seen.settings.phrases)


def _looked_for(seen: Seen, likely: Mapping[str, float]) -> tuple[tuple[Region, ...], str]:
    if presence(seen.things, likely) < seen.settings.threshold:
        return (), _missing(likely)
    scores = right(seen.chances * asked_for(likely)[seen.things.kind])
    best = float(scores.max())
    return _best_outlined(seen, _regions(seen, scores, min(best, _WORTH_A_LOOK), MOST_CANDIDATES)), ""


def presence(things: Proposals, likely: Mapping[str, float]) -> float:
    """Returns how much the detector sees of what is asked for: its best score of each kind, weighed, added up.

    Whether a thing is there at all is told better by the detector's score than by the chance that a box fits: a thing
    may be there, and its box be loose.
    """
    best = np.zeros(len(kinds()))
    np.maximum.at(best, things.kind, things.score)
    return float(best @ asked_for(likely))


def asked_for(likely: Mapping[str, float]) -> NDArray[np.float64]:
    """Returns how likely each of the 80 kinds is asked for, ``(80,)``; 0 for what fits much worse than the best kind.

    Otherwise a laptop that is plain to see would answer for a telephone that is not.
    """
    share = np.array([likely.get(kind, 0.0) for kind in kinds()])
    return np.where(share >= _MAY_BE_MEANT * share.max(), share, 0.0)


def right(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns how likely each region is the right one (an IoU of at least 0.5), as measured.

    Args:
        chances: That the box fits its kind, times that the question asks for this kind.
    """
    logit = STEEPNESS * np.log(np.maximum(chances, 1e-9)) + LEVEL
    return np.asarray(1 / (1 + np.exp(-logit)))


def _regions(seen: Seen, scores: NDArray[np.float64], least: float, most: int) -> tuple[Region, ...]:
    """Returns the best places of at least a score, as regions; equal scores keep their order."""
    boxes, names = seen.things.xyxy, kinds()
    kept: list[int] = []
    for row in np.argsort(-scores, kind="stable"):
        if scores[row] < least or len(kept) == most:
            break
        if not kept or box_iou(boxes[row], boxes[kept], empty=0.0).max() < SAME_PLACE:
            kept.append(int(row))
    return tuple(
        Region(Box(sides(boxes[row])), float(scores[row]), display_name(names[seen.things.kind[row]])) for row in kept
    )


def _best_outlined(seen: Seen, found: tuple[Region, ...]) -> tuple[Region, ...]:
    """Returns the regions, the best as the pixels of its thing: it is the one that is shown and scored."""
    best = tuple(replace(region, shape=seen.outline(region.shape.xyxy, close=True)) for region in found[:1])
    return best + found[1:]


def _missing(likely: Mapping[str, float]) -> Reason:
    """Returns why nothing was found: what was looked for, or that it is nothing that the detector knows."""
    best = max(likely, key=lambda thing: likely[thing])
    called = display_name(best)
    if likely[best] < A_GUESS:
        nearest = f"the nearest that it can think of is {with_article(called)}"
        return not_understood(f"pocket is not sure what this asks for; {nearest}.", called)
    if best not in phrase_book().things:
        return beyond(best)
    near = [kind for kind in phrase_book().things if likely.get(kind, 0.0) >= _WORTH_NAMING * likely[best]]
    return not_found([display_name(kind) for kind in sorted(near, key=lambda kind: -likely[kind])[:3]])
