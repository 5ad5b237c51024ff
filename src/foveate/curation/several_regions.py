"""Questions whose answer likely lies in several regions."""

from __future__ import annotations

import re

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._verdicts import Verdict

CARD = RuleCard(
    name="several_regions",
    title="Several regions likely",
    summary="Flags a question with a plural noun, “how many” or a word like “both”, for people to look at.",
    action="flag",
    reference="Chen, Anjum, Gurari, CVPR 2022: people looked whether one region is enough; the signs are ours.",
    limits="A plural is a word that ends in -s, seen without grammar: pairs that are one thing (pants, glasses) and "
    "common words that are no plural are left out by a list, a verb (“shows”) or a name may still be taken. English.",
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COUNTED = re.compile(r"\bhow\s+many\b", re.IGNORECASE)
_THESE = frozenset({"these", "those"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BOTH = _words("both each every several multiple two three four five")
_IRREGULAR = _words("people men women children feet teeth mice geese knives leaves shelves loaves")
# Shorter words in -s (is, has, bus) are hardly ever plurals.
_SHORTEST = 4
_NO_PLURAL_ENDS = ("ss", "us", "is", "'s", "’s")
# One thing, or a pair that is pointed at as one.
_ONE_THING = _words(
    """
    binoculars clothes earbuds earphones eyeglasses glasses goggles headphones jeans leggings overalls pajamas
    pants pliers scissors shorts slacks sunglasses sweatpants tights trousers tweezers
    """
)
_NO_PLURAL = _words(
    """
    always anyways appears asks belongs besides calls canvas christmas comes contains does equals gets goes hers
    indicates its keeps knows lens looks makes mars matches means needs news ours perhaps physics says seems
    series sometimes species takes texas thanks theirs towards whats wheres works yours
    """
)


def judge(query: Query, truth: Truth) -> Verdict | None:
    """Returns why the sample is flagged, or None."""
    words = [word.lower() for word in _WORD.findall(query.question)]
    pair = not _ONE_THING.isdisjoint(words)
    signs = ["“how many”"] if _COUNTED.search(query.question) else []
    signs += [f"“{word}”" for word in words if word in _BOTH or _is_plural(word) or (word in _THESE and not pair)]
    return Verdict(f"it says {', '.join(dict.fromkeys(signs))}") if signs else None


def _is_plural(word: str) -> bool:
    if word in _IRREGULAR:
        return True
    if len(word) < _SHORTEST or word in _ONE_THING or word in _NO_PLURAL:
        return False
    return word.endswith("s") and not word.endswith(_NO_PLURAL_ENDS)
