"""Renderings of a task's photo: made when first asked for, kept below `views/`, and never of another photo."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from foveate.annotation.renderings import TILE, Pixels, Pyramid, encoded, is_large, thumbnail, write_tiles
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.finding import Pictured, image_of, stamp_of
from foveate.app.refused import RefusedError
from foveate.app.settings import CONFIG
from foveate.core.queries import Image
from foveate.errors import InputError, OutputError
from foveate.sources.new_files import new_place

# A large photo takes hundreds of megabytes while it is decoded; others wait for their turn.
_decoding = threading.BoundedSemaphore(2)
_locks = [threading.Lock() for _ in range(64)]


def version_of(task: Pictured) -> str:
    """Returns what tells a task's photo from any other that ever had its number, so that addresses never change."""
    project = task.project
    said = (
        f"{project.slug}|{project.dataset}|{project.root}|{project.fingerprint}|{task.key}|{task.height}|{task.width}"
    )
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def address(task: Pictured, rendering: str, url_name: str = "annotate:photo") -> str:
    """Returns the address of a rendering: `full` or `thumb`.

    Args:
        task: Whose photo it is.
        rendering: Its name.
        url_name: The page that sends it, which looks at who asks.
    """
    return reverse(url_name, args=(task.pk, version_of(task), rendering))


def photo_of(task: Pictured) -> dict[str, Any]:
    """Returns where a photo is, whole and in tiles, as `design/annotation.md` says."""
    size_hw = (task.height, task.width)
    url = address(task, "full")
    if not is_large(size_hw):
        return {"url": url, "tiles": None}
    tiles = {"url": f"{url.removesuffix('full')}tiles/", "size": TILE, "levels": Pyramid(size_hw).levels}
    return {"url": url, "tiles": tiles}


def rendering(task: Pictured, name: str) -> Path:
    """Returns the file of a rendering, `full` or `thumb`; made if need be.

    Raises:
        RefusedError: There is no such rendering, or no photo any more (404); it is another one (409), or damaged
            (422).
    """
    if name not in ("full", "thumb"):
        raise not_found()
    write = encoded if name == "full" else thumbnail
    return _kept(task, name, lambda pixels, out: _write(out, write(pixels)))


def tile(task: Pictured, level: int, column: int, row: int) -> Path:
    """Returns the file of a tile; all tiles of the photo are made at once, if need be.

    Raises:
        RefusedError: There is no such tile (404), or as for `rendering`.
    """
    size_hw = (task.height, task.width)
    if not (is_large(size_hw) and Pyramid(size_hw).has(level, column, row)):
        raise not_found()
    return _kept(task, "tiles", write_tiles) / str(level) / f"{column}_{row}"


def pixels_of(task: Pictured) -> Pixels:
    """Returns a photo's upright pixels, whose size is what it was when the project was made.

    Raises:
        RefusedError: As for `rendering`.
    """
    with _told(task), _decoding:
        return _pixels(task, image_of(task))


def views_folder() -> Path:
    """Returns where renderings are kept; all of it can be deleted at any time."""
    return CONFIG.folder / "views"


def views_size() -> tuple[int, int]:
    """Returns how many files are kept, and how many bytes they have."""
    files = bytes_ = 0
    for path in views_folder().rglob("*"):
        if path.is_file():
            files, bytes_ = files + 1, bytes_ + path.stat().st_size
    return files, bytes_


def _kept(task: Pictured, name: str, write: Callable[[Pixels, Path], None]) -> Path:
    with _told(task):
        image = image_of(task)
        stamp = hashlib.sha256(f"{version_of(task)}|{stamp_of(image)}".encode()).hexdigest()[:16]
        out: Path = views_folder() / task.project.slug / f"{task.pk}-{stamp}" / name
        if not out.exists():
            with _locks[hash(out) % len(_locks)]:
                if not out.exists():
                    _make(task, image, out, write)
    return out


def _make(task: Pictured, image: Image, out: Path, write: Callable[[Pixels, Path], None]) -> None:
    with _decoding:
        pixels = _pixels(task, image)
        try:
            with new_place(out) as part:
                write(pixels, part)
        except OutputError:
            if not out.exists():  # Else another process was quicker, and what it made is the same.
                raise


def _pixels(task: Pictured, image: Image) -> Pixels:
    pixels = image.load()
    if pixels.shape[:2] != (task.height, task.width):
        raise _changed(task, pixels)
    return pixels


def _write(out: Path, data: bytes) -> None:
    out.write_bytes(data)


def _changed(task: Pictured, pixels: Pixels) -> RefusedError:
    said = _("Task %(key)s: the photo %(name)s is %(now)s pixels now, and was %(then)s when the project was made.")
    now, then = f"{pixels.shape[1]} x {pixels.shape[0]}", f"{task.width} x {task.height}"
    message = said % {"key": task.key, "name": task.image_name, "now": now, "then": then}
    return RefusedError(409, "photo_changed", message, _("Give the task back, and tell the organiser."))


@contextmanager
def _told(task: Pictured) -> Iterator[None]:
    """Tells what is wrong with a photo without the folders of the server, which are not for everybody."""
    try:
        yield
    except InputError as error:
        problem = error.problem.replace(task.project.root, "…") if task.project.root else error.problem
        said = _("Task %(key)s: the photo %(name)s cannot be shown: %(problem)s.")
        message = said % {"key": task.key, "name": task.image_name, "problem": problem}
        remedy = _("Give the task back, and tell the organiser.")
        raise RefusedError(422, "photo_unreadable", message, remedy) from error
