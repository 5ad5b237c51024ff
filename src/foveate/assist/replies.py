"""An answer as it is spoken: the words, their order, and the JSON of command line and API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foveate.assist import advice as advising
from foveate.assist import certainty as measuring
from foveate.assist import placing, refusals, texts
from foveate.assist.answers import Answered
from foveate.assist.certainty import Certainty, certainty
from foveate.assist.place import Place, place_of
from foveate.assist.placing import Style
from foveate.core.explanations import Evidence, Refusal
from foveate.core.regions import Mask, Polygon, Region

VERSION = 1
# What the reason of a refusal says already is not advised as well.
_SAYS_SO = {"too_dark": "dark", "too_bright": "bright", "too_blurred": "blurred", "nothing_to_see": "nothing"}
# No other photo would help.
_NOT_THE_PHOTO = frozenset({"not_about_photo", "not_understood"})


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said to a question, sentence by sentence, in one language.

    Attributes:
        answer: The answer; of a refusal the reason and what to do.
        place: Where it is; empty where it is nowhere ("no", "0", a refusal).
        certainty: How sure it is; empty for a refusal.
        advice: What is wrong with the photo where it matters, and what to do; at most two, the weightiest first.
        notes: What else a person should know: what the method adds, what was done to the photo when it was read.
        alt: The alternative text of the photo with the answer outlined.
        style: How the place is told.
        language: The language, as it was asked for.
    """

    answer: str
    place: str
    certainty: str
    advice: tuple[str, ...]
    notes: tuple[str, ...]
    alt: str
    style: Style = "plain"
    language: str = texts.ENGLISH

    @property
    def said(self) -> str:
        """Answer, place, certainty and advice, in the order in which they are spoken."""
        return " ".join(each for each in (self.answer, self.rest) if each)

    @property
    def rest(self) -> str:
        """What is spoken after the answer: place, certainty and advice; empty where there is none of them."""
        return " ".join(each for each in (self.place, self.certainty, *self.advice) if each)


def reply(answered: Answered, style: Style = "plain", language: str | None = None) -> Reply:
    """Returns what is said to a question.

    Args:
        answered: What a method said.
        style: How the place is told: `plain`, `metric` (per cent of the photo) or `clock`.
        language: As browsers name it ("de-AT"); English where there is no catalogue of it.
    """
    with texts.in_language(language):
        refusal = refusals.refusal_of(answered)
        place = _place(answered)
        sure = _certainty(answered)
        advice = advising.after(
            advising.wants_of(answered.question),
            answered.quality,
            missing=place is None or not _worded(answered),
            word=sure.word,
            place=place,
        )
        answer = refusals.told(refusal) if refusal else _answer(answered)
        where = placing.told(place, style, counted=_is_count(answered)) if place else ""
        return Reply(
            answer=answer,
            place=where,
            # What has no words and was not measured has nothing that it could be sure of.
            certainty="" if refusal or not (_worded(answered) or sure.measured) else measuring.told(sure),
            advice=_advice(advice, refusal),
            notes=_notes(answered),
            alt=_alt(answer, where),
            style=style,
            language=texts.language(),
        )


def _advice(found: Sequence[advising.Advice], refusal: Refusal | None) -> tuple[str, ...]:
    """Returns what to do about the photo; nothing where no photo would do, nor what the refusal says itself."""
    if refusal and refusal.kind in _NOT_THE_PHOTO:
        return ()
    return tuple(each.said for each in found if not (refusal and _SAYS_SO.get(refusal.kind) == each.kind))


def reply_object(answered: Answered, reply: Reply) -> dict[str, Any]:
    """Returns an answer with its words as plain JSON values, version 1: what `foveate ask --json` and the API give.

    docs/assist-words.md tells every field.
    """
    prediction, place, refusal = answered.prediction, _place(answered), refusals.refusal_of(answered)
    return {
        "version": VERSION,
        "question": answered.question,
        "grounder": answered.grounder,
        "status": prediction.status,
        "said": reply.said,
        "words": {
            "answer": reply.answer,
            "place": reply.place,
            "certainty": reply.certainty,
            "advice": list(reply.advice),
            "notes": list(reply.notes),
            "alt": reply.alt,
            "style": reply.style,
            "language": reply.language,
        },
        "answer": prediction.answer,
        "answer_score": prediction.answer_score,
        "reason": prediction.reason,
        "refusal": None if refusal is None else {"kind": refusal.kind, "looked_for": refusal.looked_for},
        "certainty": None if refusal else _certainty_object(_certainty(answered)),
        "region": None if prediction.final is None else _region_object(prediction.final, answered),
        "place": None if place is None else _place_object(place),
        "rests_on": [_evidence_object(each, answered) for each in answered.explanation.rests_on],
        "others": [_evidence_object(each, answered) for each in answered.explanation.others],
        "photo": _photo_object(answered),
        "seconds": prediction.seconds,
    }


def _answer(answered: Answered) -> str:
    """Returns the answer; where there is only a place, what the method says of that, which a listener needs first."""
    prediction = answered.prediction
    if prediction.answer and _worded(answered):
        return texts.sentence(prediction.answer, verbatim=_is_read(answered))
    return texts.sentence(prediction.reason or "") or texts.gettext("I have no words for it, only its place.")


def _worded(answered: Answered) -> bool:
    return bool((answered.prediction.answer or "").strip())


def _is_read(answered: Answered) -> bool:
    return any(each.kind == "text" for each in answered.explanation.rests_on[:1])


def _place(answered: Answered) -> Place | None:
    final = answered.prediction.final
    return None if final is None else place_of(final.shape, answered.size_hw)


def _is_count(answered: Answered) -> bool:
    return any(each.kind == "count" for each in answered.explanation.rests_on[:1])


def _certainty(answered: Answered) -> Certainty:
    """Returns how sure the answer is: as sure as the weightiest of what it rests on, on a photo like this."""
    first = answered.explanation.rests_on[:1]
    sure = certainty(first[0].score, first[0].measure) if first else certainty(None, None)
    return measuring.on_photo(sure, answered.quality)


def _notes(answered: Answered) -> tuple[str, ...]:
    # The reason of a refusal is told in words of our own, and that of a place without words is the answer; beside an
    # answer it says what a person should know of it.
    told = _worded(answered) and answered.prediction.reason
    return ((texts.sentence(told),) if told else ()) + answered.notes


def _alt(answer: str, where: str) -> str:
    if not where:
        return texts.gettext("The photo; nothing is outlined in it. {answer}").format(answer=answer)
    return texts.gettext("The photo with the answer outlined. {answer} {place}").format(answer=answer, place=where)


def _certainty_object(sure: Certainty) -> dict[str, Any]:
    measured = sure.measured
    return {
        "word": sure.word,
        "measure": sure.measure,
        "n": measured.n if measured else None,
        "right": measured.right if measured else None,
        "low": measured.low if measured else None,
        "flaw": sure.flaw,
    }


def _region_object(region: Region, answered: Answered) -> dict[str, Any]:
    """Returns a region with its box, and its mask where it is no box."""
    from foveate.runs.codec import region_object

    if isinstance(region.shape, Polygon):
        region = Region(Mask(region.shape.rle(answered.size_hw)), region.score, region.label)
    return region_object(region)


def _place_object(place: Place) -> dict[str, Any]:
    return {
        "side": place.side,
        "share": float(place.share),
        "centre": [float(each) for each in place.centre],
        "box": [float(each) for each in place.xyxy],
        "hour": place.hour,
        "cut_off": list(place.touched),
        "near": list(place.near),
        "parts": len(place.parts),
    }


def _evidence_object(evidence: Evidence, answered: Answered) -> dict[str, Any]:
    return {
        "kind": evidence.kind,
        "said": evidence.said,
        "score": evidence.score,
        "measure": evidence.measure,
        "box": None if evidence.region is None else list(evidence.region.shape.xyxy),
    }


def _photo_object(answered: Answered) -> dict[str, Any]:
    height, width = answered.size_hw
    quality = answered.quality
    return {
        "width": width,
        "height": height,
        "dark": quality.dark,
        "bright": quality.bright,
        "blurred": quality.blurred,
        "tilted_degrees": quality.tilted_degrees if quality.tilted else None,
        "grey": quality.grey,
    }
