"""Photos and answers that the server holds for a while."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, unquote

from foveate.client._calls import Calls
from foveate.client._values import Line, Picture, Waiting

Style = Literal["plain", "metric", "clock"]
Kind = Literal["outline", "answer", "larger", "straight", "hidden", "private", "map", "photo"]
Told = Callable[[Waiting], None]
API = "/api/v1/ask"


@dataclass(frozen=True)
class Photo:
    """A photo that was sent; the server forgets it ten minutes after it was last used.

    Attributes:
        key: Its secret.
        size_hw: Height and width of the upright photo.
        notes: What was done to it when it was read.
        advice: What is wrong with it whatever is asked, and what to do.
    """

    key: str
    size_hw: tuple[int, int]
    notes: tuple[str, ...]
    advice: tuple[str, ...]
    _calls: Calls = field(repr=False)
    _told: Told = field(repr=False)

    def ask(
        self,
        question: str,
        *,
        grounder: str | None = None,
        style: Style = "plain",
        language: str | None = None,
        keep: bool = False,
    ) -> Answer:
        """Returns the reply to a question about it; the arguments and errors are those of `Client.ask`."""
        words = {"question": question, "key": self.key, "style": style, "wait": 10}
        body = {**words, **given(grounder=grounder, language=language)}
        return answer_to(self._calls, self._told, self._calls.call("POST", API, body=body), keep=keep)

    def forget(self) -> None:
        """Lets the server forget it, and all that was asked about it, now."""
        self._calls.call("DELETE", f"{API}/photos/{quote(self.key)}")


@dataclass(frozen=True)
class Answer:
    """The reply to a question.

    Attributes:
        said: The sentences in the order in which they are spoken.
        answer: The answer in the method's words; None where there is none.
        reply: All of it: docs/assist-words.md.
        kept: The number under which it is kept; None where it is not.
        key: The photo's secret.
        ticket: The question's.
    """

    said: str
    answer: str | None
    reply: Mapping[str, Any] = field(repr=False)
    kept: str | None
    key: str = field(repr=False)
    ticket: str = field(repr=False)
    _calls: Calls = field(repr=False)
    _told: Told = field(repr=False)

    @property
    def refusal(self) -> str | None:
        """Why there is no answer (`nothing_found`, `too_dark` and so on); None where there is one."""
        refusal = self.reply.get("refusal")
        return str(refusal["kind"]) if refusal else None

    def ask(self, question: str, *, grounder: str | None = None, keep: bool = False) -> Answer:
        """Returns the reply to another question about the same photo, told in the same way."""
        words = self.reply["words"]
        photo = Photo(self.key, (0, 0), (), (), self._calls, self._told)
        return photo.ask(question, grounder=grounder, style=words["style"], language=words["language"], keep=keep)

    def picture(
        self,
        kind: Kind = "outline",
        *,
        format: str = "png",
        contrast: bool = False,
        crop: bool = False,
        longest: int | None = None,
    ) -> Picture:
        """Returns a picture of the answer.

        Args:
            kind: The `outline`, the region `larger` or `straight`, the rest `hidden`, what is `private` hidden, the
                `map` of where the method looked, the photo with question and `answer` below, or the `photo` alone.
            format: `png`, `jpeg`, `webp`, `avif` or `tiff`.
            contrast: Whether contrast is enhanced (`larger`, `straight`).
            crop: Whether it ends where what stays ends (`hidden`).
            longest: The longest side in pixels.

        Raises:
            ServerError: There is nothing to show, or the photo is forgotten by now.
            UnavailableError: Nothing answers, or not in time.
        """
        query = {"kind": kind, "format": format, "contrast": contrast, "crop": crop, "longest": longest}
        answered = self._more("picture", {**query, **self._how()})
        alt, notes = (unquote(answered.headers.get(name) or "") for name in ("Foveate-Alt", "Foveate-Notes"))
        return Picture(
            answered.content, answered.headers.get_content_type(), alt, tuple(notes.split("\n")) if notes else ()
        )

    def text(self, *, whole: bool = False) -> tuple[Line, ...]:
        """Returns the lines of text in the answer's region, or in the whole photo.

        Raises:
            ServerError: The photo is forgotten by now, or cannot be read.
            UnavailableError: Nothing answers, or not in time.
        """
        lines = self._more("text", {"whole": whole}).json()["lines"]
        return tuple(Line(line["text"], line["score"], tuple(line["box"])) for line in lines)

    def why(self) -> tuple[str, ...]:
        """Returns what the answer rests on, in sentences.

        Raises:
            ServerError: The photo is forgotten by now.
            UnavailableError: Nothing answers.
        """
        return tuple(self._more("why", self._how()).json()["why"])

    def keep(self) -> str:
        """Keeps photo, question and reply for whose token it is; returns the number.

        Raises:
            ServerError: There is no token, or the photo is forgotten by now.
            UnavailableError: Nothing answers.
        """
        return str(self._calls.call("POST", f"{API}/kept", body={"ticket": self.ticket, **self._how()}).json()["id"])

    def forget(self) -> None:
        """Lets the server forget the photo, and all that was asked about it, now."""
        self._calls.call("DELETE", f"{API}/photos/{quote(self.key)}")

    def _how(self) -> dict[str, Any]:
        words = self.reply["words"]
        return {"style": words["style"], "language": words["language"]}

    def _more(self, what: str, query: Mapping[str, Any]) -> Any:
        answered = self._calls.call("GET", f"{API}/{quote(self.ticket)}/{what}", query={**query, "wait": 10})
        return self._calls.until_done(answered, lambda waiting: self._told(waiting_of(waiting)))


def answer_to(calls: Calls, told: Told, first: Any, *, keep: bool) -> Answer:
    """Returns the reply that an answer of the server's is, or leads to.

    Raises:
        ServerError: The question came to nothing.
        UnavailableError: It is not there in time.
    """
    value = calls.until_done(first, lambda waiting: told(waiting_of(waiting))).json()
    reply = value["reply"]
    kept = None if value["kept"] is None else str(value["kept"])
    answer = Answer(reply["said"], reply["answer"], reply, kept, value["key"], value["ticket"], calls, told)
    if not keep or kept is not None:
        return answer
    return Answer(answer.said, answer.answer, reply, answer.keep(), answer.key, answer.ticket, calls, told)


def waiting_of(value: Mapping[str, Any]) -> Waiting:
    """Returns how far something is."""
    return Waiting(value["turn"], value["about_seconds"])


def given(**values: Any) -> dict[str, Any]:
    """Returns the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}
