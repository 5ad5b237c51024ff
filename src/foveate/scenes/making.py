"""Makes a split of scenes in CLEVR's layout: goes on where it was stopped, alike with any number of workers.

Fifty scenes are one portion. Each is written when its pictures are there, and only portions that are missing
are made; at the end they become the split's files, in order. A scene depends on its seed and number alone.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from foveate.errors import InputError, OutputError, UsageError
from foveate.scenes.layout import FILES, beginning_of, image_path, joined, portion_of
from foveate.scenes.recipe import Recipe, SplitPlan

PORTION = 50


class Progress(Protocol):
    """Is told how far the work is."""

    def begin(self, what: str, total: int, done: int) -> None:
        """Work of `total` scenes begins, `done` of them made before."""

    def advance(self) -> None:
        """One scene more."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is made: a split of a recipe, in a folder.

    Attributes:
        recipe: How scenes are made.
        split: The split's name.
        out: The folder of all splits.
    """

    recipe: Recipe
    split: str
    out: Path

    @property
    def plan(self) -> SplitPlan:
        """How many scenes it has, and their seed."""
        return self.recipe.splits[self.split]

    @property
    def digest(self) -> str:
        """The sum of all that its scenes depend on, beside the code."""
        told = self.recipe.model_dump(mode="json", exclude={"splits"})
        return hashlib.sha256(json.dumps([told, self.plan.seed], sort_keys=True).encode()).hexdigest()

    @property
    def note(self) -> Path:
        """The file that tells what was made, or is being made."""
        return self.out / "made" / f"{self.split}.json"

    @property
    def portions(self) -> Path:
        """The folder of what is made so far."""
        return self.out / "made" / f".{self.split}"


def make(job: Job, workers: int, progress: Progress) -> bool:
    """Makes the split, or what is missing of it; returns whether anything was to be done.

    Raises:
        InputError: The folder holds this split of another recipe.
        OutputError: A file cannot be written.
    """
    try:
        return _made(job, workers, progress)
    except BrokenProcessPool as error:
        raise OutputError(
            str(job.out), "a process was ended from outside", "Say the same again: it goes on."
        ) from error
    except OSError as error:
        where = str(error.filename or job.out)
        raise OutputError(
            where, f"it cannot be written ({error.strerror})", "Make room, and say the same again."
        ) from error


def _made(job: Job, workers: int, progress: Progress) -> bool:
    noted = _noted(job)
    if noted and noted["done"]:
        return False
    job.portions.mkdir(parents=True, exist_ok=True)
    image_path(job.out, job.split, 0).parent.mkdir(parents=True, exist_ok=True)
    _note(job, done=False)
    firsts = range(0, job.plan.images, PORTION)
    missing = [first for first in firsts if not _portion(job, first).is_file()]
    before = sum(len(_indices(job, first)) for first in firsts) - sum(len(_indices(job, first)) for first in missing)
    progress.begin(f"scenes of {job.split}", job.plan.images, before)
    for first in _done(job, missing, workers, progress.advance):
        for _ in _indices(job, first) if workers > 1 else ():
            progress.advance()
    _join(job)
    _note(job, done=True)
    shutil.rmtree(job.portions)
    return True


def _done(job: Job, missing: list[int], workers: int, advance: Callable[[], None]) -> Iterator[int]:
    """Makes portions, and yields each that is ready."""
    if workers == 1:
        for first in missing:
            write_portion(job, first, advance)
            yield first
        return
    # Processes that share nothing: a copy of this one might hold locks of other threads.
    with ProcessPoolExecutor(min(workers, max(len(missing), 1)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(write_portion, job, first): first for first in missing}
        try:
            for future in as_completed(waiting):
                future.result()
                yield waiting[future]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def write_portion(job: Job, first: int, advance: Callable[[], None] = lambda: None) -> None:
    """Makes the scenes of a portion and writes them: pictures first, then what is told of them."""
    import cv2

    from foveate.scenes.scene import make_scene

    cv2.setNumThreads(1)
    rows: dict[str, list[str]] = {name: [] for name in FILES}
    for index in _indices(job, first):
        made = make_scene(job.recipe, job.plan.seed, index)
        path = image_path(job.out, job.split, index)
        written, code = cv2.imencode(".png", made.image[:, :, ::-1])
        if not written:
            raise OutputError(str(path), "the picture cannot be encoded", "Tell the authors of Foveate.")
        path.write_bytes(code.tobytes())
        for name, told in portion_of(made, job.split, index).items():
            rows[name].extend(told)
        advance()
    _write(_portion(job, first), json.dumps(rows))


def _join(job: Job) -> None:
    """Writes the split's files of its portions, one after another, so that none is held as a whole but one portion."""
    for name in FILES:
        path = job.out / FILES[name].format(split=job.split)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        rows = (
            row
            for first in range(0, job.plan.images, PORTION)
            for row in json.loads(_portion(job, first).read_text(encoding="utf-8"))[name]
        )
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(joined(name, beginning_of(name, job.split, job.recipe.version), rows))
        part.replace(path)


def _noted(job: Job) -> dict[str, Any] | None:
    if not job.note.is_file():
        return None
    try:
        noted: dict[str, Any] = json.loads(job.note.read_text(encoding="utf-8"))
        same = (noted["recipe"], noted["images"]) == (job.digest, job.plan.images)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(str(job.note), "it does not tell what was made here", "Make it in another folder.") from error
    if not same:
        problem = f"{job.split} was made here, or begun, by another recipe, seed or number of images"
        raise InputError(str(job.note), problem, "Make it in another folder.")
    return noted


def _note(job: Job, *, done: bool) -> None:
    told = {
        "dataset": "scenes",
        "version": job.recipe.version,
        "split": job.split,
        "images": job.plan.images,
        "questions": job.plan.images * len(job.recipe.questions.wanted),
        "seed": job.plan.seed,
        "recipe": job.digest,
        "done": done,
    }
    _write(job.note, json.dumps(told, indent=1) + "\n")


def _indices(job: Job, first: int) -> range:
    return range(first, min(first + PORTION, job.plan.images))


def _portion(job: Job, first: int) -> Path:
    return job.portions / f"{first:06d}.json"


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def planned(recipe: Recipe, split: str, images: int | None, seed: int | None) -> Recipe:
    """Returns the recipe with a split of one's own.

    Raises:
        UsageError: The split is one of the recipe's own, or its seed is one of theirs, or either is not given.
    """
    if split in recipe.splits:
        raise UsageError("scenes", f"{split} is a split of the recipe", "Give your own another name.")
    if not split.isidentifier():
        raise UsageError("scenes", f"{split!r} is no name of a split", "Use letters, figures and _.")
    if images is None or seed is None:
        raise UsageError("scenes", f"{split} needs its number of images and its seed", "Give --images and --seed.")
    taken = next((name for name, plan in recipe.splits.items() if plan.seed == seed), None)
    if taken:
        raise UsageError("scenes", f"seed {seed} gives the scenes of {taken}", "Give another seed.")
    return recipe.model_copy(update={"splits": {**recipe.splits, split: SplitPlan(images=images, seed=seed)}})
