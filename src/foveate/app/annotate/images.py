"""The photos of tasks: a project's data set is opened once a process."""

from __future__ import annotations

import threading
from collections.abc import Callable

from foveate.annotation.origin import Origin, photo_finder
from foveate.app.annotate.models import Task
from foveate.app.annotate.projects import origin_of
from foveate.core.boxes import size_difference
from foveate.core.queries import Image
from foveate.errors import InputError

_finders: dict[Origin, Callable[[str], Image | None]] = {}
_opening = threading.Lock()


def image_of(task: Task) -> Image:
    """Returns the photo of a task.

    Raises:
        InputError: It is not there any more, or is another one than when the project was made.
    """
    origin = origin_of(task.project)
    with _opening:
        if origin not in _finders:
            _finders[origin] = photo_finder(origin)
    image = _finders[origin](task.image_name)
    if image is None:
        raise InputError(task.image_name, "the photo is not there any more", "Put it back where the project found it.")
    difference = size_difference(image.size_hw, (task.height, task.width))
    if difference:
        remedy = "Put back the photo that the project was made with."
        raise InputError(task.image_name, f"the photo is {difference}, as it was when the project was made", remedy)
    return image
