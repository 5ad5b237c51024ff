"""What a program is given: the questions of a pack in the official form, and the photos that they name; no target."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from foveate.challenges.definition import Reproduction
from foveate.challenges.questions import Form, text_of
from foveate.core.queries import Query
from foveate.errors import UnavailableError, UsageError, some
from foveate.formats.photo_names import image_name
from foveate.sources.folders import PhotoFolder

# The form of the questions goes by the suffix of their place inside.
_FORMS: dict[str, Form] = {".csv": "toloka", ".json": "vizwiz", ".jsonl": "jsonl"}


def write_inputs(queries: Sequence[Query], photos: Path, limits: Reproduction, into: Path) -> tuple[Path, Path]:
    """Returns the file of questions and the folder of photos, both new and in `into`.

    Photos are found however deep they lie, and only those that a question names are handed in, by those names:
    whatever else is in that folder stays outside.

    Args:
        queries: The questions.
        photos: The folder of the photos.
        limits: Where the questions stand inside; its suffix says their form.
        into: A folder of our own.

    Raises:
        UsageError: There is no form of that suffix.
        UnavailableError: Photos are not there.
    """
    suffix = Path(limits.questions).suffix
    if suffix not in _FORMS:
        raise UsageError(limits.questions, f"questions have no form {suffix!r}", f"Use one of {', '.join(_FORMS)}.")
    folder, missing = PhotoFolder(photos), []
    questions, images = into / f"questions{suffix}", into / "images"
    questions.write_text(text_of(queries, _FORMS[suffix]), encoding="utf-8", newline="")
    questions.chmod(0o644)
    images.mkdir()
    images.chmod(0o755)
    for name in sorted({query.image_name for query in queries}):
        photo = folder.find(name)
        if photo is None:
            missing.append(name)
        elif not missing:
            # A name that is a path stays one: two photos in two folders may be called alike.
            inside = images / (image_name(name) if "://" in name else name)
            inside.parent.mkdir(parents=True, exist_ok=True)
            hand_in(photo.path, inside)
    if missing:
        remedy = "Put them there, or say another folder as `images` of the data in challenge.toml."
        raise UnavailableError(str(photos), f"{len(missing):,} photos are not there: {some(missing)}", remedy)
    return questions, images


def hand_in(source: Path, target: Path) -> None:
    """Puts a file where every user may read it: a hard link where that can be, else a copy."""
    try:
        if not source.stat().st_mode & 0o004:
            raise PermissionError
        target.hardlink_to(source.resolve())
    except OSError:
        shutil.copyfile(source, target)
        target.chmod(0o644)
