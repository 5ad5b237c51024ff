"""Several questions in one."""

from __future__ import annotations

import re
from typing import Literal

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._verdicts import Verdict

CARD = RuleCard(
    name="several_questions",
    title="Several questions in one",
    summary="Removes a sample whose question has more than five words and the word “and”.",
    action="remove",
    reference="Chen, Anjum, Gurari, CVPR 2022: 901 of 32,842 questions have more than five words and the word “and”.",
    limits="“Is this bag black and white?” is one question and is taken; “What is this? What does it cost?” is two and "
    "is missed, which is why people look at what is left.",
    settings={
        "words": "how many words, parted by spaces, a question may have",
        "reading": "what counts as “and”: `word`, in capitals or not and beside any mark, or `token`, in small letters "
        "between spaces",
        "action": "`remove` the sample, or `flag` it for people",
    },
)
_AND = re.compile(r"\band\b", re.IGNORECASE)


def judge(
    query: Query,
    truth: Truth,
    *,
    words: int = 5,
    reading: Literal["word", "token"] = "word",
    action: Literal["remove", "flag"] = "remove",
) -> Verdict | None:
    """Returns why the sample is removed or flagged, or None."""
    parts = query.question.split()
    has_and = "and" in parts if reading == "token" else _AND.search(query.question) is not None
    if not has_and or len(parts) <= words:
        return None
    return Verdict(f"it has {len(parts)} words, more than {words}, and “and”", action=action)
