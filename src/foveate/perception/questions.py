"""What a question asks for, without a language model: its type, what to look for, and what its answer needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from foveate.perception import _question_words as forms
from foveate.perception._about import about, choices
from foveate.perception.matching import names_a_kind
from foveate.perception.split_questions import Part, split_questions

QuestionType = Literal[
    "object", "text", "colour", "yes_no", "count", "what_is_this", "scene", "attribute", "not_about_photo"
]
Skill = Literal["text", "colour", "count"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, understood.

    Attributes:
        text: The question alone, as it was said.
        type: The sort of answer that it wants.
        about: The words for the thing to look for ("blue shirt"); empty where it is about "this", or where the whole
            question says what to look for ("what barks?").
        choices: The answers that it offers itself ("red", "blue").
        skills: What its answer needs beside seeing things: reading text, naming colours, counting.
    """

    text: str
    type: QuestionType
    about: str = ""
    choices: tuple[str, ...] = ()
    skills: frozenset[Skill] = frozenset()


def understand(said: str) -> tuple[Asked, ...]:
    """Returns what a person asks, question by question, in the order in which it was said; at least one.

    Example:
        >>> [(asked.type, asked.about) for asked in understand("What does the sign say, and what color is my car?")]
        [('text', 'sign'), ('colour', 'car')]
    """
    asked: list[Asked] = []
    for part in split_questions(said):
        asked.append(_understood(part, before=asked[-1].about if asked else ""))
    return tuple(asked)


def question_type(question: str) -> QuestionType:
    """Returns the sort of answer that a question wants; of several questions, that of the first.

    `object`: a thing, named or described by what it does or is for; whatever is none of the others. `text`: what is
    printed in the photo. `colour`; `count`; `yes_no`. `what_is_this`: whatever the photo shows. `scene`: the whole of
    it, its light, the weather, the room. `attribute`: something else about a thing (how, why, when, one of several
    choices). `not_about_photo`: nothing that a photo can answer.

    Example:
        >>> question_type("What does the label say?"), question_type("What barks?")
        ('text', 'object')
    """
    return understand(question)[0].type


def _understood(part: Part, before: str) -> Asked:
    plain = part.plain
    skills = _skills(plain)
    kind = _type(plain, skills)
    thing = "" if forms.FOR_USE.search(plain) or kind in {"scene", "not_about_photo"} else about(part, before)
    return Asked(part.text, kind, thing, choices(plain), skills)


def _skills(plain: str) -> frozenset[Skill]:
    if forms.FOR_USE.search(plain):
        return frozenset()
    needed: dict[Skill, tuple[re.Pattern[str], ...]] = {
        "text": (forms.READ, forms.IDENTITY),
        "colour": (forms.COLOUR, forms.NAMED_COLOUR),
        "count": (forms.COUNT,),
    }
    found = {skill for skill, patterns in needed.items() if any(each.search(plain) for each in patterns)}
    # What stands on a packet tells coffee from tea; a kind of dog stays a question about the dog.
    if forms.SORT_OF_THIS.search(plain) and not (names_a_kind(plain) or forms.SCENE.search(plain)):
        found.add("text")
    return frozenset(found)


def _type(plain: str, skills: frozenset[Skill]) -> QuestionType:
    if forms.NOT_ABOUT_PHOTO.search(plain):
        return "not_about_photo"
    if forms.FOR_USE.search(plain):
        return "object"
    if "count" in skills:
        return "count"
    if forms.COLOUR.search(plain):
        return "colour"
    if forms.SCENE.search(plain):
        return "scene"
    if forms.YES_NO.search(plain):
        return _closed(plain, skills)
    return _open(plain, skills)


def _closed(plain: str, skills: frozenset[Skill]) -> QuestionType:
    """Returns the type of a question that names its answers: yes and no, or choices of its own."""
    if " or " not in plain:
        return "yes_no"
    return "colour" if "colour" in skills else "text" if "text" in skills else "attribute"


def _open(plain: str, skills: frozenset[Skill]) -> QuestionType:
    if forms.GROUP_OF_THIS.search(plain):
        return "object"
    if "text" in skills:
        return "text"
    if forms.WHAT_IS_THIS.search(plain):
        return "what_is_this"
    if forms.ATTRIBUTE.search(plain):
        return "attribute"
    if forms.KIND_OF_THIS.search(plain) and not names_a_kind(plain):
        return "what_is_this"
    return "object"
