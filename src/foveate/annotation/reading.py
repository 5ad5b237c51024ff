"""The tasks of a project, read from a data set: its questions and the answer to show, never its targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from foveate.annotation.kinds import Kind
from foveate.annotation.origin import Origin, opened, plain_photos
from foveate.core.boxes import SizeHW
from foveate.core.queries import Image, Query
from foveate.curation._agreed import shown_answer
from foveate.datasets._open import Dataset, fingerprint
from foveate.datasets._options import HiddenError
from foveate.errors import InputError, UsageError, did_you_mean, some
from foveate.execution.preflight import check_photos
from foveate.sources.folders import PhotoFolder

# What stands for the question of a photo that nobody has asked about yet: a query is never without one.
_UNASKED = "?"


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task as it begins.

    Attributes:
        key: The query's id; for a photo without a question its name.
        image_name: The photo's name as the data set has it.
        size_hw: Height and width of the upright photo.
        question: Empty where it is still to be asked.
        answer: The answer to show above the photo; empty where there is none.
    """

    key: str
    image_name: str
    size_hw: SizeHW
    question: str = ""
    answer: str = ""


@dataclass(frozen=True)
class Choice:
    """Which samples of a data set become tasks; by default all.

    Attributes:
        ids: Only these.
        one_a_photo: Of each photo only the first.
        first: Of what is left only so many; None for all.
        only_with_images: Leave out those whose photo is absent, instead of refusing all.
        as_listed: Take them in the order of `ids`, instead of the data set's.
    """

    ids: tuple[str, ...] = ()
    one_a_photo: bool = False
    first: int | None = None
    only_with_images: bool = False
    as_listed: bool = False


@dataclass(frozen=True)
class Tasks:
    """What was read.

    Attributes:
        rows: The tasks, in the data set's order or that of the ids.
        dataset: The data set's name with its split.
        fingerprint: Of the queries that became tasks.
        absent: Names of the photos that are not there, whose samples were left out.
    """

    rows: list[TaskRow]
    dataset: str
    fingerprint: str
    absent: list[str] = field(default_factory=list)


def read_tasks(
    origin: Origin, kind: Kind, choice: Choice | None = None, *, tick: Callable[[], None] = lambda: None
) -> Tasks:
    """Returns the tasks of a project.

    Args:
        origin: The data set, or a folder of photos for a box collection.
        kind: A box collection asks once a photo; a grounding shows the most common answer.
        choice: Which samples are taken.
        tick: Called once a photo that is looked at.

    Raises:
        UsageError: There is no such data set, or an id that it does not have.
        InputError: It is broken or empty, or photos are absent, broken or of another size than is stated.
    """
    chosen = choice or Choice()
    name, queries, data = _queries(origin, kind)
    queries = _taken(queries, chosen, name)
    absent = sorted({query.image_name for query in queries if query.image is None})
    if chosen.only_with_images:
        queries = [query for query in queries if query.image is not None]
    check_photos(queries, name, needed=True, tick=tick)
    if not queries:
        raise InputError(name, "no sample is left that could become a task", "Look at its files, and what you chose.")
    answers = _answers(data, {query.id for query in queries}) if data and kind == "grounding" else {}
    rows = [_row(query, kind, answers) for query in queries]
    return Tasks(rows, name, fingerprint(queries), absent)


def read_ids(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns the ids of a list, one a line; empty lines are none."""
    return tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))


def _queries(origin: Origin, kind: Kind) -> tuple[str, list[Query], Dataset | None]:
    if origin.is_plain and origin.root is not None:
        if kind != "box_collection":
            remedy = "Give the table of questions (columns image, question), or make it a box collection."
            raise UsageError(str(origin.root), f"it has no table of questions, which a {kind} needs", remedy)
        photos = PhotoFolder(origin.root)
        names = plain_photos(origin.root)
        return "folder:all", [_unasked(name, photos.find(name)) for name in names], None
    data = opened(origin)
    queries = list(data.queries())
    if kind == "box_collection":
        queries = [_unasked(query.image_name, query.image, query.size_hw) for query in _one_a_photo(queries)]
    return data.name, queries, data


def _unasked(name: str, image: Image | None, size_hw: SizeHW | None = None) -> Query:
    return Query(name, name, image, _UNASKED, size_hw)


def _one_a_photo(queries: Iterable[Query]) -> list[Query]:
    first: dict[str, Query] = {}
    for query in queries:
        first.setdefault(query.image_name, query)
    return list(first.values())


def _taken(queries: Sequence[Query], choice: Choice, name: str) -> list[Query]:
    taken = list(queries)
    if choice.ids:
        known = {query.id for query in taken}
        unknown = [one for one in choice.ids if one not in known]
        if unknown:
            remedy = did_you_mean(unknown[0], sorted(known)) if len(known) < 10_000 else "Look at the list of ids."
            raise UsageError("ids", f"{name} has no sample {some(unknown)}", remedy)
        place = {name: number for number, name in enumerate(choice.ids)}
        taken = [query for query in taken if query.id in place]
        if choice.as_listed:
            taken.sort(key=lambda query: place[query.id])
    if choice.one_a_photo:
        taken = _one_a_photo(taken)
    return taken if choice.first is None else taken[: choice.first]


def _answers(data: Dataset, wanted: set[str]) -> dict[str, str]:
    """Returns the answer to show for each sample; of the truths nothing else is looked at."""
    try:
        return {key: answer for key, answer in _all_answers(data) if key in wanted}
    except HiddenError:
        return {}  # The publisher keeps the answers of this split: people see the question alone.


def _all_answers(data: Dataset) -> Iterable[tuple[str, str]]:
    told = data.answers()
    return ((truth.id, shown_answer(truth)) for truth in data.truths()) if told is None else told


def _row(query: Query, kind: Kind, answers: dict[str, str]) -> TaskRow:
    size_hw = query.image.size_hw if query.image else query.size_hw
    if size_hw is None:  # pragma: no cover - `check_photos` has refused this already
        raise InputError(query.id, "nothing tells the photo's size", "Give the photo.")
    question = "" if kind == "box_collection" else query.question
    return TaskRow(query.id, query.image_name, size_hw, question, answers.get(query.id) or query.given_answer or "")
