"""The photo of a task, found in its project's data set, which is read once a process."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.utils.translation import gettext as _

from foveate.annotation.origin import Origin, photo_finder
from foveate.app.refused import RefusedError
from foveate.core.queries import Image
from foveate.errors import FoveateError
from foveate.sources.images import FileImage

# Of so many projects the photos' names stay in memory, the latest used.
_REMEMBERED = 16
# A photo that is not found may have come back: its data set is read anew, not more often than this.
_PATIENCE = 60.0

Finder = Callable[[str], Image | None]


class Source(Protocol):
    """What has a data set: a project, a screening. The names are those of the database's columns."""

    pk: Any
    slug: Any
    title: Any
    dataset: Any
    root: Any
    questions: Any
    fingerprint: Any


class Pictured(Protocol):
    """What has a photo: a task of a project, a sample of a screening."""

    pk: Any
    key: Any
    image_name: Any
    height: Any
    width: Any

    @property
    def project(self) -> Source:
        """What the photo is found by."""


@dataclass
class _Opened:
    """A project's data set. The lock is its own, so that a slow one makes nobody else wait."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    find: Finder | None = None
    read_at: float = 0.0


_opened: OrderedDict[tuple[str, ...], _Opened] = OrderedDict()
_guard = threading.Lock()


def image_of(task: Pictured) -> Image:
    """Returns a task's photo; nothing is decoded.

    Raises:
        RefusedError: It is not there (404), or its data set cannot be read (503).
        InputError: Several different photos have its name.
    """
    opened = _of(task.project)
    image = _found(opened, task)
    if image is None or (isinstance(image, FileImage) and not image.path.exists()):
        said = _("Task %(key)s: the photo %(name)s is not in %(dataset)s any more.")
        message = said % {"key": task.key, "name": task.image_name, "dataset": task.project.dataset}
        raise RefusedError(404, "photo_missing", message, _("Give the task back, and tell the organiser."))
    return image


def stamp_of(image: Image) -> str:
    """Returns what changes when a photo's file is written anew; rows of other files are looked at by their readers."""
    if not isinstance(image, FileImage):
        return ""
    try:
        stat = image.path.stat()
    except OSError:
        return ""
    return f"{stat.st_mtime_ns}|{stat.st_size}"


def _of(project: Source) -> _Opened:
    key = (str(project.pk), project.slug, project.dataset, project.root, project.questions, project.fingerprint)
    with _guard:
        opened = _opened.setdefault(key, _Opened())
        _opened.move_to_end(key)
        while len(_opened) > _REMEMBERED:
            _opened.popitem(last=False)
    return opened


def _found(opened: _Opened, task: Pictured) -> Image | None:
    with opened.lock:
        find = opened.find or _read(opened, task.project)
        image = find(task.image_name)
        if image is None and time.monotonic() - opened.read_at > _PATIENCE:
            image = _read(opened, task.project)(task.image_name)
    return image


def _read(opened: _Opened, project: Source) -> Finder:
    try:
        find = photo_finder(Origin.of_texts(project.dataset, project.root, project.questions))
    except FoveateError as error:
        said = _("The photos of %(title)s cannot be read: %(problem)s.")
        message = said % {"title": project.title, "problem": error.problem}
        raise RefusedError(503, "photos_unavailable", message, _("Tell the organiser, and try again.")) from error
    opened.find, opened.read_at = find, time.monotonic()
    return find
