"""What may be said when a data set is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.errors import InputError, UsageError
from foveate.formats.tables import OnInvalid, refuse
from foveate.sources.folders import first_different, folder_problem, listing_of, survey_here
from foveate.sources.packed import ZIP, names_in_zips, zips_with
from foveate.sources.places import is_file, is_folder


def needed_root(name: str, root: Path | None) -> Path:
    """Returns the folder of a data set's files.

    Raises:
        UsageError: It is not given.
    """
    if root is None:
        raise UsageError(name, "the folder of its files is not given", "Give it with --root DIR.")
    return root


class AbsentError(InputError):
    """An official file is not there."""


class HiddenError(InputError):
    """The files have no answers or targets; of some splits the publisher keeps them."""


def official_file(root: Path, name: str) -> Path:
    """Returns a data set's file: in the folder itself, or the one of its name below it, of which equal copies may be.

    Raises:
        AbsentError: There is none; the sentence tells where it is packed, or spelt in another way, if it is.
        InputError: There are several, and they differ.
    """
    direct = root / name
    survey = survey_here()
    if is_file(direct) and survey is None:
        return direct
    if folder_problem(root):
        where = f"Give with --root the folder that holds {name}."
        raise AbsentError(str(root), folder_problem(root) or "", where)
    found = [path for path in listing_of(root).named(name) if path.name == name]
    if is_file(direct):
        found = [direct, *(path for path in found if path != direct)]
    if survey is not None:
        survey.official[name] = found
    if not found:
        raise _absent(root, name)
    other = first_different(found) if found[0] != direct else None
    if other:
        problem = f"{len(found)} files have this name below the folder and differ: {found[0]} and {other}"
        raise InputError(str(direct), problem, f"Give with --root the folder that holds {name}.")
    return found[0]


def _absent(root: Path, name: str) -> AbsentError:
    listing = listing_of(root)
    packed = zips_with([name], names_in_zips(listing.with_suffix(ZIP)))
    if packed:
        archive = next(iter(packed))
        return AbsentError(str(root / name), f"it is still packed, in {archive}", f"Unpack it: unzip {archive}")
    alike = listing.alike(name)
    if alike:
        return AbsentError(
            str(root / name), f"there is no such file, but {alike[0]}", f"Rename that file to {name} if it is the one."
        )
    problem = "this is a folder, not a file" if is_folder(root / name) else "there is no such file"
    return AbsentError(str(root / name), problem, f"Give with --root the folder that holds {name}.")


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
        kept: What readers keep from one reading of an opened data set to the next, by keys of their own.
    """

    questions: Path | None = None
    with_images: bool = True
    on_invalid: OnInvalid = refuse
    on_remark: Callable[[str], None] = lambda _: None
    settings: Mapping[str, str] = field(default_factory=dict)
    kept: dict[object, object] = field(default_factory=dict)
