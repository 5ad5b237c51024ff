"""Real questions with the thing that each asks for, labelled by us: `example_questions.csv` and what it is."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from foveate.perception.phrase_book import thing_of_name
from foveate.perception.words import stem, words

SOURCE = (
    "Questions: a sample of 1,000 of the train split of the Toloka Visual Question Answering Dataset (WSDM Cup 2023; "
    "Ustalov, Pavlichenko, Likhobaba, Smirnova, 2023), CC BY 4.0; spaces at the ends were taken off; repeated "
    "questions are left out, and those that also stand in a test file of the challenge. Labels: the Foveate authors, "
    "Apache-2.0."
)


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    """One question that somebody asked about a photo, and what it asks for.

    Attributes:
        question: As it was written.
        wanted: What it asks for, by the words alone; nobody looked at the photo or at the right box.
        kind: Which of the detector's 80 kinds that is; empty if none.
        sure: Whether the words leave little choice ("what barks?"; not "what can roll?").
        photo: The file name of the photo it belongs to, where that photo is one of the 12 of the cup on which Foveate
            is scored; else empty.
    """

    question: str
    wanted: str
    kind: str
    sure: bool
    photo: str

    @property
    def thing(self) -> str | None:
        """The name of the thing in the phrase book; None where the words do not even tell what sort of thing."""
        return self.kind or thing_of_name().get(tuple(stem(word) for word in words(self.wanted)))


@lru_cache(maxsize=1)
def example_questions() -> tuple[ExampleQuestion, ...]:
    """Returns all of them, in the order of their source; each once by its words."""
    text = files("foveate.perception").joinpath("example_questions.csv").read_text(encoding="utf-8")
    return tuple(
        ExampleQuestion(row["question"], row["object"], row["kind"], row["sure"] == "yes", row["photo"])
        for row in csv.DictReader(text.splitlines())
    )
