"""Why an answer is what it is, in sentences: what it rests on, how sure that is, and what else was considered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foveate.assist import placing
from foveate.assist.answers import Answered
from foveate.assist.certainty import certainty
from foveate.assist.place import place_of
from foveate.assist.placing import Style
from foveate.assist.refusals import refusal_of, told
from foveate.assist.texts import gettext, in_language, in_one_line, marked, ngettext, sentence
from foveate.core.boxes import SizeHW
from foveate.core.explanations import Evidence, EvidenceKind
from foveate.core.overlap import box_iou
from foveate.core.regions import Region

# So many of a sort are told; a list that is heard must end.
MOST_TOLD = 5
# Two boxes of one name that overlap so much are of one thing.
_SAME_THING = 0.5
_RESTS_ON: Mapping[EvidenceKind, str] = {
    "text": marked('It read: "{said}".'),
    "thing": marked("It found: {said}."),
    "name": marked("It was named by its looks: {said}."),
    "colour": marked("A colour of it: {said}."),
    "count": marked("It counted: {said}."),
    "salient": marked("It did not go by a name, but by this: {said}."),
    "photo": marked("It looked at this: {said}."),
}
_OTHER: Mapping[EvidenceKind, str] = {
    "text": marked('the text "{said}"'),
    "thing": marked("{said}"),
    "name": marked("{said}, by its looks"),
    "colour": marked("{said}"),
    "count": marked("{said}"),
    "salient": marked("{said}"),
    "photo": marked("{said}"),
}


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a question was answered so, in sentences, as a list to be shown.

    Attributes:
        rests_on: Which method it was, why there is no answer, what an answer rests on.
        before_others: What comes before the others; empty where there are none.
        others: What else was considered, or is there instead.
    """

    rests_on: tuple[str, ...]
    before_others: str = ""
    others: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it in the order in which it is spoken."""
        return (*self.rests_on, self.before_others, *self.others) if self.others else self.rests_on


def why(answered: Answered, style: Style = "plain", language: str | None = None) -> tuple[str, ...]:
    """Returns why a question was answered so, or not, in whole sentences, in the order in which they are spoken.

    What the method itself says (the names of things, and the reason of a refusal) stays in its own words.

    Args:
        answered: What a method said.
        style: How places are told: `plain`, `metric` or `clock`.
        language: As for `reply`.
    """
    return reasons(answered, style, language).sentences


def reasons(answered: Answered, style: Style = "plain", language: str | None = None) -> Reasons:
    """Returns what `why` tells, the others apart, since on a page they are a list in the list."""
    with in_language(language):
        refusal, final = refusal_of(answered), answered.prediction.final
        explanation = answered.explanation
        said = [gettext("The method that was asked is {grounder}.").format(grounder=answered.grounder)]
        if refusal:
            said.append(told(refusal))
        said += [_evidence(each, final, answered.size_hw, style) for each in explanation.rests_on[:MOST_TOLD]]
        said += _more(len(explanation.rests_on) - MOST_TOLD)
        if final is None and answered.prediction.reason:
            said.append(gettext("In its own words: {reason}").format(reason=in_one_line(answered.prediction.reason)))
        others = _apart(explanation.others, explanation.rests_on)
        if not others:
            return Reasons(tuple(said))
        before = gettext("It sees this instead:") if final is None else gettext("It also considered:")
        return Reasons(tuple(said), before, _others(others, answered, style))


def _evidence(evidence: Evidence, final: Region | None, size_hw: SizeHW, style: Style) -> str:
    """Returns what an answer rests on, its place where that is not the answer's own, and how sure it is."""
    parts = [gettext(_RESTS_ON[evidence.kind]).format(said=in_one_line(evidence.said))]
    region = evidence.region
    if region is not None and not (final is not None and _same(region, final)) and evidence.kind != "photo":
        parts.append(placing.told(place_of(region.shape, size_hw), style))
    parts += _score(evidence)
    return " ".join(parts)


def _same(region: Region, final: Region) -> bool:
    """Returns whether a region is the answer's own; a polygon has become a mask by then, with nearly its box."""
    pairs = zip(region.shape.xyxy, final.shape.xyxy, strict=True)
    return region.shape == final.shape or all(abs(one - other) <= 1.0 for one, other in pairs)


def _score(evidence: Evidence) -> list[str]:
    """Returns what the score is worth: of how many such answers how many were right, where that was measured."""
    measured = certainty(evidence.score, evidence.measure).measured
    if measured is not None:
        text = ngettext(
            "Of {n} such answer, when it was measured, {right} was right.",
            "Of {n} such answers, when it was measured, {right} were right.",
            measured.n,
        )
        return [text.format(n=measured.n, right=measured.right)]
    if evidence.score is None:
        return []
    if evidence.kind == "text":
        text = gettext("The reader is sure of its letters by {score} of 100.")
    else:
        text = gettext("The method is sure of it by {score} of 100; how often that is right was never measured.")
    return [text.format(score=round(100 * evidence.score))]


def _others(others: Sequence[Evidence], answered: Answered, style: Style) -> tuple[str, ...]:
    said = []
    for other in others[:MOST_TOLD]:
        text = gettext(_OTHER[other.kind]).format(said=in_one_line(other.said))
        where = placing.told(place_of(other.region.shape, answered.size_hw), style) if other.region else ""
        said.append(" ".join(filter(None, (sentence(text), where))))
    return (*said, *_more(len(others) - MOST_TOLD))


def _apart(others: Sequence[Evidence], told: Sequence[Evidence]) -> list[Evidence]:
    """Returns what else was considered, without a thing that is told already: other boxes of it are no other things."""
    apart: list[Evidence] = []
    for other in others:
        if not any(_is_that(other, before) for before in (*told, *apart)):
            apart.append(other)
    return apart


def _is_that(other: Evidence, before: Evidence) -> bool:
    one, two = other.region, before.region
    if one is None or two is None or (other.kind, other.said) != (before.kind, before.said):
        return False
    return float(box_iou(one.shape.xyxy, two.shape.xyxy, empty=0.0)) >= _SAME_THING


def _more(left: int) -> list[str]:
    if left <= 0:
        return []
    return [ngettext("There is {count} more.", "There are {count} more.", left).format(count=left)]
