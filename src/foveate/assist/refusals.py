"""Why a question is not answered, as a reply: the reason, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from foveate.assist.answers import Answered
from foveate.assist.texts import gettext, in_one_line, marked
from foveate.core.explanations import Refusal, RefusalKind

_SAID: Mapping[RefusalKind, str] = {
    "not_about_photo": marked("I cannot answer this from a photo. Ask about something that the photo shows."),
    "not_understood": marked('I do not understand the question. Ask in other words, such as "Where is my cup?"'),
    "nothing_found": marked(
        "I cannot answer this from the photo: nothing like it was found. Try again from closer by or from another side."
    ),
    "nothing_to_see": marked(
        "I cannot answer this from the photo: there is nothing to see in it. "
        "See that nothing covers the lens, hold still, and try again."
    ),
    "too_dark": marked(
        "I cannot answer this from the photo: it is too dark. "
        "Turn on a light or the flash, see that nothing covers the lens, and try again."
    ),
    "too_bright": marked(
        "I cannot answer this from the photo: it is much too bright. Turn away from the light, and try again."
    ),
    "too_blurred": marked(
        "I cannot answer this from the photo: it is too blurred. Hold still, not too close, and try again."
    ),
    "not_measured": marked("I cannot tell this from the photo. Take another one, or try another method."),
}
# A method that was to read says "text"; that sounds odd as a thing that was looked for.
_NO_TEXT = marked(
    "I cannot answer this from the photo: I found no text in it that I can read. "
    "Try again from closer by or from another side."
)
_NOT_FOUND = marked(
    "I cannot answer this from the photo: I looked for this and did not find it: {looked_for}. "
    "Try again from closer by or from another side."
)


def refusal_of(answered: Answered) -> Refusal | None:
    """Returns why there is no answer, or None where there is one.

    Where nothing was found in a photo that is dark, blurred or all white, that is the reason: the thing may be there.
    """
    prediction, quality = answered.prediction, answered.quality
    if prediction.final is not None or prediction.answer:
        return None
    refusal = answered.explanation.refusal or Refusal("nothing_found")
    if refusal.kind in {"nothing_found", "nothing_to_see"} and quality.dark:
        return Refusal("too_dark", refusal.looked_for)
    if refusal.kind in {"nothing_found", "nothing_to_see"} and quality.bright and quality.featureless:
        return Refusal("too_bright", refusal.looked_for)
    if refusal.kind == "nothing_found" and quality.blurred:
        # Without any edge there is nothing in it at all.
        return Refusal("nothing_to_see" if quality.featureless else "too_blurred", refusal.looked_for)
    return refusal


def told(refusal: Refusal) -> str:
    """Returns a refusal as sentences in the language that is spoken."""
    if refusal.kind == "nothing_found" and refusal.looked_for == "text":
        return gettext(_NO_TEXT)
    if refusal.kind == "nothing_found" and refusal.looked_for:
        return gettext(_NOT_FOUND).format(looked_for=in_one_line(refusal.looked_for).rstrip("."))
    return gettext(_SAID[refusal.kind])
