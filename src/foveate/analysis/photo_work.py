"""Slow work on photos: once a photo, kept in a folder, on several processes; a photo that cannot be read is counted.

What was made of a photo is one small file, named by the sha256 of the photo's bytes and by the version of what made it,
and put in place as a whole. A photo is hashed once in a process, whatever is made of it, unless its file changes. So a
kill loses no more than what was at work, several processes may share the folder, and the next call goes on where this
one stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from foveate.analysis._regions import size_of
from foveate.analysis.columns import Columns
from foveate.core.boxes import size_difference
from foveate.core.queries import Image
from foveate.datasets._open import Dataset
from foveate.errors import FoveateError, InputError, OutputError, UnavailableError, UsageError
from foveate.execution.ground import RunProgress
from foveate.replaced_files import replace_file
from foveate.sources._files import sha256_of, stamp
from foveate.sources.home import home
from foveate.sources.images import FileImage

Made = Any
Sides = tuple[int, int, int, int]
# Of so many photos the hash is remembered, some 300 bytes each.
_REMEMBERED = 2**17


@dataclass(frozen=True)
class Job:
    """A photo, or a part of it.

    Attributes:
        image: The photo.
        crop: Left, top, right and bottom of the part, whole pixels, half-open; None for the whole photo.
    """

    image: Image
    crop: Sides | None = None


def _anything(_: Made) -> bool:
    return True


@dataclass(frozen=True)
class Work:
    """What is made of each photo.

    Attributes:
        name: A short name, the folder of what is kept.
        version: Of what makes it; another version makes it again.
        make: From a photo to what JSON can hold; a function of a module, so that other processes find it.
        fits: Whether what was kept can be what `make` gives; what does not fit is made again.
    """

    name: str
    version: str
    make: Callable[[Job], Made]
    fits: Callable[[Made], bool] = _anything


@dataclass(frozen=True)
class Settings:
    """How photos are worked on.

    Attributes:
        workers: How many processes, each with one thread; with 1 it is done in this one.
        cache: Where it is kept; None is `analysis` below Foveate's home.
    """

    workers: int = 1
    cache: Path | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError("--workers", f"{self.workers} is not at least 1", "Leave it out for one.")

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        return home() / "analysis" if self.cache is None else self.cache


@dataclass
class Looked:
    """What was made of the photos.

    Attributes:
        made: By the key of the job.
        names: The name of each job whose photo could be hashed (`digest`), by its key.
        unread: The sentence of each photo that could not be read, by the key of the job.
        kept: How many were there before.
    """

    made: dict[str, Made] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    kept: int = 0


class _Silent:
    def begin(self, what: str, total: int, done: int) -> None:
        return None

    def advance(self) -> None:
        return None


def look(
    jobs: Mapping[str, Job], work: Work, settings: Settings, what: str, progress: RunProgress | None = None
) -> Looked:
    """Returns what is made of each photo, from the folder where it is kept.

    Args:
        jobs: By a key of the caller's.
        work: What is made.
        settings: How, and where it is kept.
        what: What the progress says.
        progress: Is told how far it is.

    Raises:
        OutputError: It cannot be kept.
        UnavailableError: A process was killed, or something that is needed is not installed.
    """
    told, looked = progress or _Silent(), Looked()
    folder = settings.folder / work.name
    told.begin(what, len(jobs), 0)
    missing: dict[str, tuple[Job, Path]] = {}
    for key, job in jobs.items():
        name, problem = _named(job)
        if problem is not None:
            looked.unread[key] = problem
            told.advance()
            continue
        looked.names[key] = name
        place = _place(folder, work, name)
        found = _read(place, work)
        if found is None:
            missing[key] = job, place
        else:
            looked.made[key] = found
            told.advance()
    looked.kept = len(looked.made)
    for key, made, problem in _all_made(missing, work, settings.workers):
        if problem is None:
            looked.made[key] = made
        else:
            looked.unread[key] = problem
        told.advance()
    looked.made = {key: looked.made[key] for key in jobs if key in looked.made}
    looked.unread = {key: looked.unread[key] for key in jobs if key in looked.unread}
    return looked


def digest(job: Job) -> str:
    """Returns the name of a job: the sha256 of the photo's file (of its pixels where it is none), and the part.

    Raises:
        InputError: The photo cannot be read.
    """
    if isinstance(job.image, FileImage):
        try:
            name = _hashed(job.image.path, stamp(job.image.path))
        except OSError as error:
            problem = f"it cannot be read ({error.strerror or error})"
            raise InputError(str(job.image.path), problem, "Look at the file and its permissions.") from error
    else:
        pixels = job.image.load()
        name = hashlib.sha256(repr(pixels.shape).encode() + pixels.tobytes()).hexdigest()
    return name if job.crop is None else f"{name}-{'-'.join(map(str, job.crop))}"


@lru_cache(maxsize=_REMEMBERED)
def _hashed(path: Path, _: tuple[int, int]) -> str:
    return sha256_of(path)


def _named(job: Job) -> tuple[str, str | None]:
    """Returns the name of a job, or why its photo cannot be read."""
    try:
        return digest(job), None
    except (InputError, MemoryError) as error:
        return "", _sentence(error)


def _sentence(error: InputError | MemoryError) -> str:
    return str(error) or "there is not enough memory for it"


def _place(folder: Path, work: Work, name: str) -> Path:
    version = hashlib.sha256(work.version.encode()).hexdigest()[:8]
    return folder / name[:2] / f"{name}.{version}.json"


def _read(place: Path, work: Work) -> Made | None:
    """Returns what a file keeps; None where there is none, or where it is damaged and must be made again."""
    try:
        kept = json.loads(place.read_bytes())
        return kept["made"] if kept["version"] == work.version and work.fits(kept["made"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(place: Path, work: Work, made: Made) -> None:
    text = json.dumps({"version": work.version, "made": made}, ensure_ascii=False)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, text.encode(), lasting=False)  # A damaged one is made again.
    except OSError as error:
        raise OutputError(
            str(place.parent), f"what was seen cannot be kept ({error.strerror or error})", "Choose another --cache."
        ) from error


def _all_made(jobs: Mapping[str, tuple[Job, Path]], work: Work, workers: int) -> Iterator[tuple[str, Made, str | None]]:
    if workers == 1 or len(jobs) < 2:
        for key, (job, place) in jobs.items():
            yield (key, *_made(job, work, place))
        return
    yield from _made_apart(jobs, work, workers)


def _made_apart(
    jobs: Mapping[str, tuple[Job, Path]], work: Work, workers: int
) -> Iterator[tuple[str, Made, str | None]]:
    """Yields what other processes make, as it is ready."""
    import multiprocessing

    # A process that is copied from this one would get locks and networks in the middle of their work.
    start = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=start, initializer=_one_thread)
    try:
        keys: dict[Future[tuple[Made, str | None]], str] = {
            pool.submit(_made, job, work, place): key for key, (job, place) in jobs.items()
        }
        for future in as_completed(keys):
            yield (keys[future], *future.result())
    except BrokenProcessPool as error:
        raise UnavailableError(
            f"--workers {workers}",
            "a process ended in the middle of a photo, perhaps for want of memory",
            "Run it again, with fewer --workers; what is done is kept.",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _one_thread() -> None:
    import cv2

    os.environ["FOVEATE_THREADS"] = "1"
    os.environ["OMP_NUM_THREADS"] = "1"
    cv2.setNumThreads(1)


def _made(job: Job, work: Work, place: Path) -> tuple[Made, str | None]:
    """Returns what is made of a photo, kept before it is told; or why it cannot be read."""
    try:
        made = work.make(job)
    except (InputError, MemoryError) as error:
        return None, _sentence(error)
    _keep(place, work, made)
    return made, None


def pixels_of(job: Job) -> Any:
    """Returns the pixels of a job, ``uint8 (H, W, 3)``, RGB.

    Raises:
        InputError: The photo cannot be read.
    """
    pixels = job.image.load()
    if job.crop is None:
        return pixels
    left, top, right, bottom = job.crop
    return pixels[top:bottom, left:right]


def photos_by_name(data: Dataset) -> dict[str, Image | None]:
    """Returns the photos of a data set by their names; None where one is absent."""
    return {query.image_name: query.image for query in data.queries()}


def photos_of(columns: Columns, images: Mapping[str, Image | None]) -> tuple[dict[str, Job], dict[str, str]]:
    """Returns the photos that are there as jobs, each once, and why others cannot be used, both by name.

    A photo of another size than any of its samples states cannot be: targets would lie elsewhere on it.
    """
    jobs: dict[str, Job] = {}
    unusable: dict[str, str] = {}
    for row, name in enumerate(columns.photos):
        image = images.get(name)
        if image is None or name in unusable:
            continue
        try:
            difference = size_difference(image.size_hw, size_of(columns, row))
        except FoveateError as error:
            unusable[name] = str(error)
            continue
        # One sample of a photo may state another size than the others do.
        if difference:
            unusable[name] = f"{name}: the photo is {difference}, as the data set says."
        else:
            jobs[name] = Job(image)
    return {name: job for name, job in jobs.items() if name not in unusable}, unusable
