"""The shapes of what the API of the assistant takes and gives."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Schema

from foveate.app.ask.services.methods import Method
from foveate.assist.asking import DEFAULT_GROUNDER, LONGEST_QUESTION
from foveate.assist.placing import Style

Wait = Annotated[float, Field(ge=0, le=20, description="For so many seconds at most the end is waited for.")]
Language = Annotated[str | None, Field(max_length=35, description="As browsers name it: `de-AT`; English without.")]
How = Annotated[Style, Field(description="How places are told: in words, in per cent, or as hours of a clock.")]
_EXAMPLE_REPLY: dict[str, Any] = {
    "version": 1,
    "question": "What is this?",
    "grounder": "pocket",
    "status": "ok",
    "said": "Creamy tomato basil. Lower middle of the photo, about a tenth of it. Fairly sure.",
    "answer": "Creamy tomato basil",
}


class MethodOut(Schema):
    """A method that can be asked.

    Attributes:
        name: What `grounder` says.
        summary: What it does.
        limits: What it cannot do.
        speed: What a question costs, and on which machine; empty where nobody knows.
        licence: Of code and weights; empty where it is the package's own.
        answers: Whether it gives an answer in words.
        sends_to: Where photos and questions are sent; empty where they stay on this machine.
        where: The same as a sentence.
        is_default: Whether it is asked where none is named.
        available: Whether it can be asked.
        missing: Why not, and what to do.
    """

    name: str
    summary: str
    limits: str
    speed: str
    licence: str
    answers: bool
    sends_to: str
    where: str
    is_default: bool
    available: bool
    missing: str

    @classmethod
    def of(cls, method: Method) -> MethodOut:
        """Returns a method's."""
        card = method.card
        return cls(
            name=card.name,
            summary=card.summary,
            limits=card.limits,
            speed=card.speed,
            licence=card.licence,
            answers=card.answers,
            sends_to=card.sends_to,
            where=method.where,
            is_default=method.is_default,
            available=not method.missing,
            missing=method.missing,
        )


class PhotoIn(Schema):
    """A photo as JSON; as a form (`multipart/form-data`) it is the file `photo`.

    Attributes:
        photo: The bytes of the file as base64.
        name: What messages call it.
    """

    photo: str
    name: Annotated[str, Field(max_length=1000)] = ""


class PhotoOut(Schema):
    """A photo that was taken.

    Attributes:
        key: The secret by which it is known, for ten minutes after it was last used.
        width: Of the upright photo, in pixels.
        height: The same.
        notes: What was done to it when it was read.
        advice: What is wrong with it whatever is asked, and what to do; at most two sentences.
        kept_seconds: For how long it is kept in memory after it was last used.
    """

    key: str
    width: int
    height: int
    notes: list[str]
    advice: list[str]
    kept_seconds: float


class QuestionIn(Schema):
    """A question, about a photo that is sent with it or one that was sent before.

    Attributes:
        question: What is asked.
        key: Of a photo that was sent before; else the photo comes with the question.
        photo: The bytes of the file as base64; in a form, the file.
        name: What messages call the photo.
        grounder: The method.
        keep: Whether photo, question and reply are kept for who is signed in, where the reply is there in time.
    """

    question: Annotated[str, Field(max_length=LONGEST_QUESTION)]
    key: Annotated[str | None, Field(max_length=100)] = None
    photo: str | None = None
    name: Annotated[str, Field(max_length=1000)] = ""
    grounder: Annotated[str, Field(max_length=100)] = DEFAULT_GROUNDER
    style: How = "plain"
    language: Language = None
    keep: bool = False
    wait: Wait = 20.0


class AnswerOut(Schema):
    """The reply to a question.

    Attributes:
        ticket: The question's secret, for pictures, text and reasons.
        key: The photo's, for the next question.
        state: `done`.
        reply: The same object as `foveate ask --json` gives: docs/assist-words.md.
        kept: The number under which it is kept; None where it is not.
    """

    ticket: str
    key: str
    state: Literal["done"]
    reply: Annotated[dict[str, Any], Field(examples=[_EXAMPLE_REPLY])]
    kept: uuid.UUID | None


class WaitOut(Schema):
    """Something that is not done yet.

    Attributes:
        ticket: Under which it is done.
        key: The photo's.
        state: `waiting` for its turn, or `working`.
        turn: 1 is next; None once it has begun.
        about_seconds: About how long until it is done, where that can be told.
        next: Where to ask again.
    """

    ticket: str
    key: str
    state: Literal["waiting", "working"]
    turn: int | None
    about_seconds: float | None
    next: str


class LineOut(Schema):
    """A line of text.

    Attributes:
        text: What it says.
        score: How sure the reader is of its letters, 0 to 1.
        box: x0, y0, x1, y1 in pixels of the upright photo.
    """

    text: str
    score: float
    box: tuple[float, float, float, float]


class TextOut(Schema):
    """What was read, in the order in which it is read."""

    text: str
    lines: list[LineOut]


class WhyOut(Schema):
    """Why an answer is what it is, in sentences."""

    why: list[str]


class KeepIn(Schema):
    """An answer to keep."""

    ticket: Annotated[str, Field(max_length=100)]
    style: How = "plain"
    language: Language = None


class KeptOut(Schema):
    """An answer that is kept.

    Attributes:
        id: Its number.
        question: What was asked.
        reply: As it was given.
        kept_at: Since when, in UTC.
        photo: Where the photo is.
    """

    id: uuid.UUID
    question: str
    reply: dict[str, Any]
    kept_at: datetime
    photo: str
