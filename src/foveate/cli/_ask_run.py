"""One run of `foveate ask`: photo after photo, question after question, by one method that stays warm."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from foveate.errors import FoveateError, OutputError, UnavailableError, UsageError

if TYPE_CHECKING:
    from foveate.assist.answers import Answered
    from foveate.assist.asking import Asker
    from foveate.assist.photos import Photo
    from foveate.assist.placing import Style
    from foveate.cli._ask_done import Done
    from foveate.cli._ask_photos import Asking, Source
    from foveate.cli._ask_pictures import Made, Wanted


@dataclass(frozen=True)
class Told:
    """How results are told.

    Attributes:
        style: How places are told.
        why: Whether it is told what an answer rests on.
        as_json: Whether the one result is a JSON value.
        as_lines: Whether each result is a line of JSON, failures too.
        meaning: What the method's score means.
        save: Where the photo goes with the region drawn on it.
    """

    style: Style = "plain"
    why: bool = False
    as_json: bool = False
    as_lines: bool = False
    meaning: str = ""
    save: Path | None = None


def check_method(grounder: str, send: bool) -> str:
    """Returns what a method's score means, once it is known where photos go.

    Raises:
        UsageError: There is no such method, or it sends photos away and nobody said that it may.
    """
    from foveate import plugins
    from foveate.cli._output import remark

    card = plugins.load("grounders", grounder).CARD
    if card.sends_to and not send:
        raise UsageError(
            grounder, f"it sends photo and question away, to {card.sends_to}", "Add --send if that may be."
        )
    if card.sends_to:
        remark(f"Photos and questions are sent to {card.sends_to}.")
    meaning: str = card.score
    return meaning


def check_one(asking: Asking, as_json: bool, as_lines: bool, save: Path | None) -> None:
    """Refuses what is for one question about one photo where there are more, and names that no picture can have.

    Raises:
        UsageError: As said.
    """
    from foveate.cli._output import check_picture
    from foveate.sources.places import exists

    if as_json and as_lines:
        raise UsageError("--json and --jsonl", "only one can be", "Leave one out.")
    if as_json and not asking.is_one:
        raise UsageError("--json", "it prints one answer, and there may be several", "Use --jsonl.")
    if save is None:
        return
    if not asking.is_one:
        raise UsageError("--save", "it writes one picture, and there may be several answers", "Ask one photo.")
    check_picture(save)
    photo = asking.photos[0].path
    if photo is not None and exists(save) and exists(photo) and save.samefile(photo):
        raise UsageError(str(save), "this is the photo itself", "Choose another name for the picture.")


class Run:
    """Asks all questions about all photos; what cannot be asked is told, and the rest goes on.

    Args:
        asking: Photos and questions.
        grounder: The method's name.
        wanted: Which pictures are made.
        told: How results are told.
        done: Photos, as they are called in results, and questions that are answered already.
    """

    def __init__(self, asking: Asking, grounder: str, wanted: Wanted, told: Told, done: Done = frozenset()) -> None:
        from foveate.cli._ask_pictures import PictureMaker

        self._asking, self._grounder, self._told, self._done = asking, grounder, told, done
        files = [source.path for source in asking.photos if source.path is not None]
        self._maker = PictureMaker(wanted, files, len(asking.questions))
        self._raises = asking.is_one and not told.as_lines
        self._asker: Asker | None = None
        self._code = 0
        self._failed = 0

    def all(self) -> int:
        """Returns the exit code: that of the first failure, else 0.

        Raises:
            FoveateError: The one question about the one photo failed, or nothing more can be asked or written.
        """
        from foveate.cli._output import progress, remark

        if self._done:
            remark(f"{self._done_of_these():,} of {self._count():,} questions are answered already.")
        with nullcontext() if self._asking.is_one else progress(results_too=True) as bars:
            if bars:
                bars.begin("Photos", len(self._asking.photos), 0)
            for source in self._asking.photos:
                self._photo(source)
                if bars:
                    bars.advance()
        if self._failed and not self._raises:
            remark(f"{self._failed:,} of {self._count():,} questions failed.")
        return self._code

    def _count(self) -> int:
        return len(self._asking.photos) * len(self._asking.questions)

    def _done_of_these(self) -> int:
        photos, questions = self._asking.photos, self._asking.questions
        return sum((photo.said, question) in self._done for photo in photos for question in questions)

    def _photo(self, source: Source) -> None:
        left = [each for each in enumerate(self._asking.questions, 1) if (source.said, each[1]) not in self._done]
        if not left:
            self._maker.skip(source.path)
            return
        try:
            photo = source.read()
        except FoveateError as error:
            self._maker.skip(source.path)
            self._failure(source, None, error)
            return
        made = self._maker.begin(photo, source.path)
        self._pictures(source, made, has_region=True)
        for number, question in left:
            try:
                answered = self._answer(photo, question)
            except (OutputError, UnavailableError):
                raise
            except FoveateError as error:
                self._failure(source, question, error)
                continue
            more = self._maker.make(photo, answered, number)
            self._tell(source, photo, answered, made.with_(more))
            self._pictures(source, more, has_region=answered.prediction.final is not None)

    def _answer(self, photo: Photo, question: str) -> Answered:
        from foveate.assist.asking import Asker

        if self._asker is None:
            self._asker = Asker(self._grounder)
        self._asker.look(photo)
        return self._asker.ask(question)

    def _tell(self, source: Source, photo: Photo, answered: Answered, made: Made) -> None:
        from foveate.assist.replies import reply
        from foveate.assist.why import why
        from foveate.cli import _ask_told as telling
        from foveate.cli._output import print_json

        told, words = self._told, reply(answered, self._told.style)
        reasons = why(answered, told.style) if told.why else ()
        if told.as_json or told.as_lines:
            values = telling.answer_object(source.said, answered, words)
            values |= {"why": list(reasons)} if told.why else {}
            values |= telling.pictures_object(made) if made.pictures else {}
            print_json(values)
        else:
            self._heading(source, answered.question)
            lines = telling.prose(words, answered.prediction, told.meaning)
            typer.echo("\n".join([*lines, *telling.why_lines(reasons)]))
        sys.stdout.flush()
        if told.save is not None:
            self._save(told.save, photo, answered)

    def _heading(self, source: Source, question: str) -> None:
        from foveate.cli._output import say

        if not self._asking.is_one:
            say(f"\n{source.said}: {question}")

    def _save(self, save: Path, photo: Photo, answered: Answered) -> None:
        from foveate.assist.overlay import overlay
        from foveate.cli._output import remark, save_picture

        save_picture(overlay(photo.pixels, answered.prediction, answered.question), save)
        if not self._told.as_json:
            remark(f"The picture is in {save}")

    def _failure(self, source: Source, question: str | None, error: FoveateError) -> None:
        from foveate.cli import _ask_told as telling
        from foveate.cli._output import print_json, remark

        if self._raises:
            raise error
        self._failed += len(self._asking.questions) if question is None else 1
        self._code = self._code or error.exit_code
        if self._told.as_lines:
            print_json(telling.error_object(source.said, question, self._grounder, error))
            sys.stdout.flush()
        else:
            remark(str(error))

    def _pictures(self, source: Source, made: Made, has_region: bool) -> None:
        """Tells of the pictures, and of those that could not be made; the answer stands."""
        from foveate.cli import _ask_told as telling
        from foveate.cli._output import remark

        if not (self._told.as_json or self._told.as_lines):
            for line in telling.picture_lines(made.pictures, has_region):
                remark(line)
        for error in made.problems:
            self._code = self._code or error.exit_code
            remark(f"{source.said}: {error}")
