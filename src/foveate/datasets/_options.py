"""What may be said when a data set is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.errors import InputError, UsageError
from foveate.formats.tables import OnInvalid, refuse
from foveate.sources.places import is_file, is_folder


def needed_root(name: str, root: Path | None) -> Path:
    """Returns the folder of a data set's files.

    Raises:
        UsageError: It is not given.
    """
    if root is None:
        raise UsageError(name, "the folder of its files is not given", "Give it with --root DIR.")
    return root


def official_file(root: Path, name: str) -> Path:
    """Returns a data set's file: in the folder itself, or the only one of its name below it.

    Raises:
        InputError: There is none, or there are several.
    """
    direct = root / name
    if is_file(direct):
        return direct
    found = sorted(root.rglob(name)) if is_folder(root) else []
    if len(found) == 1:
        return found[0]
    problem = f"{len(found)} files have this name below the folder" if found else "there is no such file"
    raise InputError(str(direct), problem, f"Give with --root the folder that holds {name}.")


def size_if_readable(photo: Image | None) -> SizeHW | None:
    """Returns the photo's size; a photo that cannot be read is reported before grounding, not here."""
    try:
        return photo.size_hw if photo else None
    except InputError:
        return None


@dataclass(frozen=True, slots=True)
class Options:
    """Options that the readers of data sets understand.

    Attributes:
        questions: The table of questions, for data sets whose card names the option.
        with_images: Whether photos are looked up; scoring does without them.
        on_remark: Called with what a reader must know of the data, beside errors.
        on_invalid: Called with the error of each row that cannot be taken; raising stops the reading.
        settings: Further options by name, as they are written; the card names those that the data set understands.
    """

    questions: Path | None = None
    with_images: bool = True
    on_invalid: OnInvalid = refuse
    on_remark: Callable[[str], None] = lambda _: None
    settings: Mapping[str, str] = field(default_factory=dict)
