"""Questions whose answer too few people share."""

from __future__ import annotations

from typing import Literal

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._agreed import NO_ANSWER, agreed, agreed_raw, stated
from foveate.curation._verdicts import Verdict
from foveate.metrics._answers import matchable

CARD = RuleCard(
    name="few_agree",
    title="Too few give the same answer",
    summary="Removes a sample whose most common answer fewer than 5 people gave.",
    action="remove",
    reference="Chen, Anjum, Gurari, CVPR 2022: at least 5 of the 10 answers are the same.",
    limits="Answers that mean the same in other words (`coke`, `a can of coke`) do not count as one. Samples without "
    "answers of people are not judged.",
    settings={
        "fewest": "how many people must give the same answer",
        "reading": "how answers are compared: `normalised` as the official VQA evaluation does, or `raw`, letter by "
        "letter, with the most common answer that the data set states, where it states one",
        "no_answer": "what is done where the answer that enough people share is that there is none (`unanswerable`, "
        "`unsuitable`): `remove`, `flag` or `keep`",
    },
)


def judge(
    query: Query,
    truth: Truth,
    *,
    fewest: int = 5,
    reading: Literal["normalised", "raw"] = "normalised",
    no_answer: Literal["remove", "flag", "keep"] = "remove",
) -> Verdict | None:
    """Returns why the sample is removed, or None.

    A most common answer that the data set states, and that fewer than `fewest` people wrote letter by letter though
    enough agree after the normalisation, is flagged: its spelling is nobody's.
    """
    found = agreed(truth) if reading == "normalised" else agreed_raw(truth)
    if found is None or not truth.polled:
        return None
    if found.count < fewest:
        return Verdict(f"{found.count} of {found.people} answer “{found.answer}”, {fewest} are needed")
    if no_answer != "keep" and matchable(found.answer) in NO_ANSWER:
        why = f"{found.count} of {found.people} answer “{found.answer}”: they agree that there is no answer"
        return Verdict(why, action=no_answer)
    return _spelling(truth, fewest)


def _spelling(truth: Truth, fewest: int) -> Verdict | None:
    said, raw, found = stated(truth), agreed_raw(truth), agreed(truth)
    if said is None or raw is None or found is None or raw.count >= fewest:
        return None
    return Verdict(
        f"the data set states “{said}”, which {raw.count} of {raw.people} wrote so; {found.count} agree on "
        f"“{found.answer}” after the official normalisation",
        action="flag",
    )
