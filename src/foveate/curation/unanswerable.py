"""Questions that the photo does not answer."""

from __future__ import annotations

from typing import Literal

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._verdicts import Verdict

CARD = RuleCard(
    name="unanswerable",
    title="Cannot be answered",
    summary="Removes a sample whose answer type is `unanswerable`.",
    action="remove",
    reference="Chen, Anjum, Gurari, CVPR 2022: samples of VizWiz-VQA by their `answer_type`.",
    limits="`answer_type` and `answerable` of VizWiz-VQA differ for some samples; by default the first decides.",
    settings={"by": "what decides: `answer_type`, or `answerable`; where no answer type is known, always the second"},
)


def judge(query: Query, truth: Truth, *, by: Literal["answer_type", "answerable"] = "answer_type") -> Verdict | None:
    """Returns why the sample is removed, or None."""
    kind = truth.facts.get("answer_type")
    if by == "answer_type" and kind is not None:
        return Verdict("its answer type is unanswerable") if kind == "unanswerable" else None
    return None if truth.answerable else Verdict("the data set says that it cannot be answered")
