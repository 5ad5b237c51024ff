"""Answers that no region of the photo is likely to show."""

from __future__ import annotations

import re

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._verdicts import Verdict
from foveate.metrics._answers import expected

CARD = RuleCard(
    name="not_groundable",
    title="Likely nothing to point at",
    summary="Flags an answer like “no” or “none”, and questions whether something is there, for people to look at.",
    action="flag",
    reference="Chen, Anjum, Gurari, CVPR 2022: people looked whether the image shows the answer; the signs are ours.",
    limits="Signs only: 40 “no” answers of the 1,131 validation samples have a region. The words are English.",
)
# After the official normalisation, which makes 0 of "none" and "zero".
_NOTHING = frozenset({"no", "0", "nothing"})
_WHETHER = re.compile(
    r"(?:^|[.?!,]\s+)(?:is|are|was|were)\s+there\b|(?:^|[.?!,]\s+)(?:can|do|could)\s+you\s+see\s+(?:an?|any|some)\b",
    re.IGNORECASE,
)


def judge(query: Query, truth: Truth) -> Verdict | None:
    """Returns why the sample is flagged, or None."""
    signs = []
    answer = expected(truth)
    if answer in _NOTHING:
        signs.append(f"the answer is “{answer}”")
    asked = _WHETHER.search(query.question)
    if asked:
        signs.append(f"it asks “{asked.group().lstrip('.?!, ').lower()} …”")
    return Verdict(", and ".join(signs)) if signs else None
