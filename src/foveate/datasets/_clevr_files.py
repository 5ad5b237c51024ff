"""What the two data sets in CLEVR's layout share: the files by their names, queries and facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.truths import Fact
from foveate.datasets._official import photo_of
from foveate.datasets._options import HiddenError, Options
from foveate.formats.clevr import ClevrQuestion, read_questions
from foveate.sources.folders import PhotoFolder

# Of CLEVR's pictures, all of them.
SIZE_HW: SizeHW = (320, 480)
FACTS = {
    "kind": "the number of its kind of question (question_family_index)",
    "function": "the last function of its program: query_color, count, equal_size …",
    "hops": "how many times its program goes from one object to others",
    "program": "its program, as nested calls",
}


def queries_of(root: Path, questions: Path, options: Options, size_hw: SizeHW) -> Iterator[tuple[ClevrQuestion, Query]]:
    """Yields the questions of a file; the pictures may lie anywhere below the root, or be absent.

    Raises:
        InputError: The file is missing or broken.
    """
    folder = PhotoFolder(root)
    for question in read_questions(questions, options.on_invalid):
        photo = photo_of(folder, question.image) if options.with_images else None
        yield question, Query(str(question.number), question.image, photo, question.question, size_hw)


def facts_of(question: ClevrQuestion) -> dict[str, Fact]:
    """Returns what is known of a question beside its answer."""
    known: dict[str, Fact] = {}
    if question.kind is not None:
        known["kind"] = question.kind
    if question.program:
        known |= {"function": question.program[-1].function, "hops": question.hops, "program": question.text}
    return known


def refuse_hidden(path: Path, answered: bool) -> None:
    """Refuses a file of questions without answers.

    Raises:
        HiddenError: There is none.
    """
    if not answered:
        raise HiddenError(str(path), "it holds no answers", "Take a split with answers to score.")
