"""The one door for predictions in files: every form that is read and written, by suffix and by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Protocol

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.errors import UsageError
from foveate.formats.tables import OnInvalid, refuse
from foveate.runs._known import Known
from foveate.runs._refused import OnRemark
from foveate.runs.coco_results import read_coco_results, write_coco_results
from foveate.runs.jsonl_predictions import read_jsonl, write_jsonl
from foveate.runs.store import LINES
from foveate.runs.toloka_predictions import read_predictions, write_predictions
from foveate.runs.vizwiz_masks import read_masks, write_masks
from foveate.sources.places import is_folder

Writer = Callable[[Iterable[Prediction], Path, OnRemark], int]
# Each writes predictions to a new file, tells what the form leaves out, and returns how many it wrote.
WRITERS: Mapping[str, Writer] = {
    "toloka": write_predictions,
    "vizwiz": write_masks,
    "coco": write_coco_results,
    "jsonl": write_jsonl,
}


class _Reader(Protocol):
    def __call__(
        self, path: Path, sizes: Mapping[str, SizeHW | None], on_invalid: OnInvalid, /, *, known: Known | None
    ) -> Iterator[Prediction]: ...


_READERS: Mapping[str, _Reader] = {"vizwiz": read_masks, "toloka": read_predictions}
# How each is named so that it is read again; a table of boxes may have any other suffix.
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "vizwiz": (".zip",),
    "coco": (".json",),
    "jsonl": LINES,
    "toloka": (".csv",),
}


def form_of(path: Path) -> str:
    """Returns the name of the form that a file is read as, by its suffix; a folder is one of masks."""
    return "vizwiz" if is_folder(path) else form_of_name(path.name)


def form_of_name(name: str) -> str:
    """Returns the name of the form that a file of a name is read as; one of no known suffix is a table of boxes."""
    suffix = PurePath(name).suffix.lower()
    return next((form for form, suffixes in SUFFIXES.items() if suffix in suffixes), "toloka")


def read_form(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    on_invalid: OnInvalid = refuse,
    *,
    images: Path | None = None,
    form: str | None = None,
    known: Known | None = None,
    finals_only: bool = False,
) -> Iterator[Prediction]:
    """Returns the predictions of a file, one a sample that it has something about.

    Args:
        path: A folder or `.zip` of masks (VizWiz's form), `.json` (COCO results), `.jsonl` or `.ndjson` (our lines);
            anything else is a table of boxes in the cup's layout.
        sizes: Height and width by sample id, None where the data set does not tell them.
        on_invalid: Called for an entry that cannot be taken. If it returns, the sample of the entry, where it is
            known, becomes a prediction with the status `invalid_output`, so that it counts 0 instead of vanishing.
        images: For COCO results: a COCO file whose `images` say which number is which photo.
        form: Which of the four it is, where the file's name does not tell.
        known: Refuses entries of other samples, and files that are no masks, each with its own sentence through
            `on_invalid`; without it they come through, or stop the reading.
        finals_only: What is scored is one region a sample, and drawing the others takes most of the time: candidates
            are looked at by their corners, runs and numbers, and left out.

    Raises:
        InputError: The file is not of its form, or `on_invalid` raises (the default).
        UsageError: `images` is given with another form.
    """
    form = form or form_of(path)
    if form == "coco":
        return read_coco_results(path, sizes, on_invalid, images=images, known=known, finals_only=finals_only)
    if images is not None:
        raise UsageError("--images", "it is for COCO results, a .json file", "Leave it out.")
    if form == "jsonl":
        return read_jsonl(path, sizes, on_invalid, known=known, finals_only=finals_only)
    return _READERS[form](path, sizes, on_invalid, known=known)
