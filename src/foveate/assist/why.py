"""Why an answer is what it is, in sentences: what it rests on, how sure that is, and what else was considered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foveate.assist import placing
from foveate.assist.answers import Answered
from foveate.assist.certainty import certainty
from foveate.assist.place import place_of
from foveate.assist.placing import Style
from foveate.assist.refusals import refusal_of, told
from foveate.assist.texts import gettext, in_language, in_one_line, marked, ngettext, sentence
from foveate.core.boxes import SizeHW
from foveate.core.explanations import Evidence, EvidenceKind
from foveate.core.regions import Region

# So many of a sort are told; a list that is heard must end.
MOST_TOLD = 5
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


def why(answered: Answered, style: Style = "plain", language: str | None = None) -> tuple[str, ...]:
    """Returns why a question was answered so, or not, in whole sentences, in the order in which they are spoken.

    What the method itself says (the names of things, and the reason of a refusal) stays in its own words.

    Args:
        answered: What a method said.
        style: How places are told: `plain`, `metric` or `clock`.
        language: As for `reply`.
    """
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
        said += _others(explanation.others, answered, style)
        return tuple(said)


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


def _others(others: Sequence[Evidence], answered: Answered, style: Style) -> list[str]:
    if not others:
        return []
    nothing = answered.prediction.final is None
    said = [gettext("It sees this instead:") if nothing else gettext("It also considered:")]
    for other in others[:MOST_TOLD]:
        text = gettext(_OTHER[other.kind]).format(said=in_one_line(other.said))
        where = placing.told(place_of(other.region.shape, answered.size_hw), style) if other.region else ""
        said.append(" ".join(filter(None, (sentence(text), where))))
    return [*said, *_more(len(others) - MOST_TOLD)]


def _more(left: int) -> list[str]:
    if left <= 0:
        return []
    return [ngettext("There is {count} more.", "There are {count} more.", left).format(count=left)]
