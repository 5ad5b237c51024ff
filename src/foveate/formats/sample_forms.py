"""Every form of samples in files: by name, by suffix, and by what a file or folder holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from foveate.errors import InputError, UsageError, did_you_mean, some
from foveate.formats import (
    coco_samples,
    hf_datasets,
    labelme,
    samples_csv,
    samples_jsonl,
    samples_parquet,
    via,
    yolo,
)
from foveate.formats._places import all_files, is_file, is_folder, told_if_closed
from foveate.formats._sample_forms import Form
from foveate.formats.json_kind import json_kind

_MODULES = (samples_jsonl, samples_parquet, samples_csv, coco_samples, labelme, via, yolo, hf_datasets)
FORMS: Mapping[str, Form] = {module.FORM.name: module.FORM for module in _MODULES}
_BY_SUFFIX = {suffix: name for name in ("jsonl", "parquet", "csv") for suffix in FORMS[name].suffixes}
_ARCHIVES = {".zip", ".tar", ".gz", ".tgz", ".7z", ".rar"}


def form_named(name: str) -> Form:
    """Returns a form by its name.

    Raises:
        UsageError: There is none of it.
    """
    if name not in FORMS:
        raise UsageError(f"form {name}", "there is none of this name", did_you_mean(name, FORMS))
    return FORMS[name]


def find_form(path: Path, files: Callable[[Path], Iterable[Path]] = all_files) -> tuple[Form, Path]:
    """Returns the form of a file or folder, found by looking, and the file or folder that is to be read.

    Args:
        path: The file or folder.
        files: Yields the ordinary files below a folder.

    Raises:
        InputError: There is nothing there, nothing that is known, or there are several forms or files to choose from.
    """
    if is_file(path):
        return FORMS[_form_of_file(path)], path
    if not is_folder(path):
        raise InputError(str(path), "there is no such file or folder that can be read", "Look at the path.")
    if hf_datasets.is_saved(path):
        return FORMS["hf"], path
    if yolo.is_yolo(path):
        return FORMS["yolo"], path
    found: dict[str, list[Path]] = {}
    below = list(files(path))
    for file in below:
        form = _guess(file)
        if form:
            found.setdefault(form, []).append(file)
    return _only(path, found, below)


def _only(path: Path, found: Mapping[str, list[Path]], below: Sequence[Path]) -> tuple[Form, Path]:
    if not found:
        archives = [file.name for file in below if file.suffix.lower() in _ARCHIVES]
        remedy = f"Unzip {some(archives)}." if archives else f"Give a file or folder of {some(list(FORMS), 9)}."
        raise InputError(str(path), "nothing in it is annotations of a form that is known", remedy)
    if len(found) == 1:
        form, files = next(iter(found.items()))
        if form in {"labelme", "parquet"}:
            return FORMS[form], path
        if len(files) == 1:
            return FORMS[form], files[0]
    shown = [f"{file.relative_to(path)} ({form})" for form, files in found.items() for file in files]
    raise InputError(
        str(path), f"there are several to choose from: {some(shown, 5)}", "Name the one that is meant as the root."
    )


def _guess(file: Path) -> str | None:
    """Returns the form of a file among others, or None where it is of something else."""
    suffix = file.suffix.lower()
    if suffix not in {*_BY_SUFFIX, ".json"}:
        return None
    try:
        return _form_of_file(file)
    except InputError:
        return None


def _form_of_file(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix in _ARCHIVES:
        raise InputError(str(path), "it is packed", "Unzip it, and give the file or folder that was in it.")
    if suffix == ".csv" and _is_via_csv(path):
        return "via"
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if suffix == ".json":
        return json_kind(path)
    known = sorted({*_BY_SUFFIX, ".json"})
    raise InputError(str(path), f"the suffix {suffix or '(none)'} is of no form", f"Known are {', '.join(known)}.")


def _is_via_csv(path: Path) -> bool:
    with told_if_closed(path), path.open(encoding="utf-8-sig", errors="replace") as file:
        return set(via.CSV_COLUMNS) <= set(file.readline(10_000).strip().split(","))
