"""Controls: the questions of a data set changed so that what a method uses shows in what it no longer can do.

| control | what the method gets |
|---|---|
| `as_is` | photo and question as they are |
| `question_shuffled` | the question of another sample, never of the same text; the photo as it is |
| `question_blanked` | `.` as the question, since a question may not be empty; the photo as it is |
| `photo_swapped` | another photo, stretched to the size of its own, so that coordinates stay the same shares of it |
| `evidence_erased` | the photo with the target region filled in |
| `evidence_only` | the photo with everything but the target region filled in |

Ids, order and sizes stay, so that each control is a run that is scored like any other. The method sees changed pixels
and texts only, never a target. A sample without a target has no evidence, and keeps its photo; a method that needs no
photo and has none keeps none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image, Query
from foveate.core.question_texts import normalised
from foveate.core.rle import decode, merge
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset
from foveate.errors import InputError, UsageError, did_you_mean
from foveate.execution.fills import Fill, filled, stretched
from foveate.execution.ground import Change, RunProgress, Summary, ground

Pixels = NDArray[np.uint8]
Control = Literal["as_is", "question_shuffled", "question_blanked", "photo_swapped", "evidence_erased", "evidence_only"]
CONTROLS: tuple[Control, ...] = get_args(Control)
AS_IS: Control = "as_is"
BLANK = "."
# How often a shuffle is mended by chance before the questions are dealt out by a rule.
_TRIES = 100


@dataclass(frozen=True)
class ChangedImage:
    """A photo that is changed when it is loaded; satisfies `foveate.core.queries.Image`.

    Attributes:
        name: The name of the photo that it stands for.
        size_hw: The size of that photo.
        key: What it is, so that the same change of the same photo is prepared once.
    """

    name: str
    size_hw: SizeHW
    key: str
    _load: Callable[[], Pixels] = field(repr=False, compare=False)

    def load(self) -> Pixels:
        """Returns the changed photo: ``uint8 (H, W, 3)``, RGB."""
        return self._load()


def controls_named(only: Sequence[str]) -> list[Control]:
    """Returns the controls of these names in the usual order, all where none is named; `as_is` is always among them.

    Raises:
        UsageError: There is none of a name.
    """
    unknown = next((name for name in only if name not in CONTROLS), None)
    if unknown is not None:
        raise UsageError(f"control {unknown}", "there is none of this name", did_you_mean(unknown, CONTROLS))
    return [name for name in CONTROLS if not only or name in only or name == AS_IS]


def ground_controls(
    dataset: str,
    root: Path | str | None = None,
    *,
    grounder: str,
    out: Path | str,
    only: Sequence[str] = (),
    seed: int = 0,
    fill: Fill = "mean",
    progress: RunProgress | None = None,
    **asked: Any,
) -> dict[str, Summary]:
    """Writes a run of each control, `out/NAME`, and returns what was done by its name.

    Args:
        dataset: `NAME` or `NAME:SPLIT`.
        root: The folder of the data set.
        grounder: The method's name.
        out: The folder of the runs.
        only: Controls beside `as_is`; all by default.
        seed: Of the shuffles.
        fill: How regions are filled in.
        progress: Is told how far each is.
        **asked: What else `ground` takes: `questions`, `config`, `settings`, `limit`, `resume`, `only_with_images`.

    Raises:
        FoveateError: As `ground`; or there is but one photo, or one question, to exchange.
    """
    if seed < 0:
        raise UsageError("--seed", f"{seed} is below 0", "Give 0 or more.")
    if fill not in get_args(Fill):
        raise UsageError("--fill", f"there is no fill {fill}", did_you_mean(fill, get_args(Fill)))
    done: dict[str, Summary] = {}
    for name in controls_named(only):
        change, told = change_of(name, seed, fill), _Named(name, progress) if progress else None
        folder = Path(out) / name
        done[name] = ground(dataset, root, grounder=grounder, out=folder, change=change, progress=told, **asked)
    return done


def change_of(name: Control, seed: int = 0, fill: Fill = "mean") -> Change:
    """Returns what a control changes."""
    # The run as it is records nothing: it is a run like any other.
    about: dict[str, Any] = {} if name == AS_IS else {"name": name}
    if name in {"question_shuffled", "photo_swapped"}:
        about["seed"] = seed
    if name in {"evidence_erased", "evidence_only"}:
        # Behind evidence that stands alone there is nothing that could be painted over from its border.
        about["fill"] = fill if name == "evidence_erased" else "mean"
    if name == "question_blanked":
        about["question"] = BLANK
    return Change(about, lambda data, queries: _APPLIED[name](data, queries, about))


def question_order(questions: Sequence[str], seed: int) -> NDArray[np.int64]:
    """Returns for each question the place of another one, of another text (apart from case, spaces and a final mark).

    It is a permutation, drawn by the seed, unless more than half of the questions are the same; then the others are
    used more than once.

    Raises:
        ValueError: All are the same.
    """
    texts = np.unique([normalised(question) for question in questions], return_inverse=True)[1]
    n, most = len(texts), int(np.bincount(texts).max())
    if most == n:
        raise ValueError("all questions are the same")
    rng = np.random.default_rng(seed)
    if 2 * most > n:
        return _dealt(texts, rng)
    order = rng.permutation(n)
    for _ in range(_TRIES):
        same = np.flatnonzero(texts[order] == texts)
        if not same.size:
            return order
        for place in same.tolist():
            other = int(rng.integers(n))
            order[[place, other]] = order[[other, place]]
    # Sorted by text and turned by the most common one's number, no text meets itself.
    by_text = np.lexsort((rng.permutation(n), texts))
    order[by_text] = np.roll(by_text, -most)
    return order


def _dealt(texts: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Returns another place for each where one text is that of more than half: the others are dealt out in turn."""
    common = int(np.bincount(texts).argmax())
    those, others = np.flatnonzero(texts == common), rng.permutation(np.flatnonzero(texts != common))
    order = np.empty(len(texts), dtype=np.int64)
    order[those] = np.resize(others, len(those))
    order[others] = rng.permutation(those)[: len(others)]
    return order


def photo_order(names: Sequence[str], seed: int) -> dict[str, str]:
    """Returns another photo's name for each photo: one ring of all, drawn by the seed.

    Raises:
        ValueError: There is but one.
    """
    distinct = list(dict.fromkeys(names))
    if len(distinct) < 2:
        raise ValueError("there is but one photo")
    ring = [distinct[n] for n in np.random.default_rng(seed).permutation(len(distinct))]
    return dict(zip(ring, [*ring[1:], ring[0]], strict=True))


def _as_is(data: Dataset, queries: list[Query], about: Mapping[str, Any]) -> list[Query]:
    return queries


def _shuffled(data: Dataset, queries: list[Query], about: Mapping[str, Any]) -> list[Query]:
    try:
        order = question_order([query.question for query in queries], int(about["seed"]))
    except ValueError as error:
        raise _nothing(data, about, error, "question") from error
    return [replace(query, question=queries[other].question) for query, other in zip(queries, order, strict=True)]


def _blanked(data: Dataset, queries: list[Query], about: Mapping[str, Any]) -> list[Query]:
    return [replace(query, question=str(about["question"])) for query in queries]


def _swapped(data: Dataset, queries: list[Query], about: Mapping[str, Any]) -> list[Query]:
    try:
        other_of = photo_order([query.image_name for query in queries], int(about["seed"]))
    except ValueError as error:
        raise _nothing(data, about, error, "photo") from error
    photos = {query.image_name: query.image for query in queries}

    def changed(query: Query) -> Query:
        other, size_hw = photos[other_of[query.image_name]], _size(query)
        if query.image is None or other is None or size_hw is None:
            return replace(query, image=None)
        image = ChangedImage(
            query.image.name, size_hw, f"swapped for {other.name}", lambda: stretched(other.load(), size_hw)
        )
        return replace(query, image=image)

    return [changed(query) for query in queries]


def _evidence(data: Dataset, queries: list[Query], about: Mapping[str, Any]) -> list[Query]:
    truths = {truth.id: truth for truth in data.truths()}
    return [_with_evidence(query, truths[query.id], about) for query in queries]


def _with_evidence(query: Query, truth: Truth, about: Mapping[str, Any]) -> Query:
    image, size_hw = query.image, _size(query)
    if image is None or size_hw is None or not truth.targets:
        return query
    region = merge([target.shape.rle(size_hw) for target in truth.targets])
    outside = about["name"] == "evidence_only"

    def load() -> Pixels:
        return filled(image.load(), decode(region) != outside, about["fill"])

    return replace(query, image=ChangedImage(image.name, size_hw, f"{about['name']} {query.id}", load))


def _size(query: Query) -> SizeHW | None:
    image: Image | None = query.image
    return query.size_hw or (image.size_hw if image else None)


def _nothing(data: Dataset, about: Mapping[str, Any], error: ValueError, what: str) -> InputError:
    others = ", ".join(name for name in CONTROLS[1:] if name != about["name"])
    return InputError(
        f"{data.name}, {about['name']}",
        f"{error}, so that there is no {what} to exchange it for",
        f"Leave this control out: --only with some of {others}.",
    )


_APPLIED: dict[Control, Callable[[Dataset, list[Query], Mapping[str, Any]], list[Query]]] = {
    "as_is": _as_is,
    "question_shuffled": _shuffled,
    "question_blanked": _blanked,
    "photo_swapped": _swapped,
    "evidence_erased": _evidence,
    "evidence_only": _evidence,
}


class _Named:
    """Tells each stage with the control that it belongs to."""

    def __init__(self, control: str, told: RunProgress) -> None:
        self._control, self._told = control, told

    def begin(self, what: str, total: int, done: int) -> None:
        self._told.begin(f"{self._control}: {what}", total, done)

    def advance(self) -> None:
        self._told.advance()
