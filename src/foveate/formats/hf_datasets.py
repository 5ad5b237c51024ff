"""Samples as a data set of Hugging Face's `datasets`: a saved folder, or the name of one on the hub."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial
from pathlib import Path
from typing import Any

from foveate.errors import InputError, UnavailableError, some
from foveate.formats._optional import needed
from foveate.formats._places import is_file, is_folder
from foveate.formats._rows import samples_of_rows
from foveate.formats._sample_forms import EmbeddedPhoto, Form, Reading, Sample
from foveate.formats._sample_objects import PHOTO
from foveate.formats._table_values import plain_row, unnamed
from foveate.formats.samples_parquet import schema, table
from foveate.formats.tables import Row

_WHAT = "Hugging Face's datasets"
_BATCH = 1_000


def is_saved(folder: Path) -> bool:
    """Returns whether a folder was written by `save_to_disk`."""
    return any(is_file(folder / name) for name in ("state.json", "dataset_dict.json"))


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a saved folder, or of a data set that `load_dataset` finds under this name.

    Settings: `split`; `image`, `question`, `answer` and `id` tell the columns that have other names.

    Raises:
        InputError: There is no such data set or split, or a row cannot be taken (unless `on_invalid` returns).
        UnavailableError: `datasets` is not installed.
    """
    found = _without_decoding(_opened(path, reading.settings.get("split")))
    image = reading.settings.get("image", "image")

    def again(only: Set[str]) -> Iterator[Row]:
        columns = [name for name in found.column_names if name in only]
        return _rows(path, found.select_columns(columns), found, image)

    return samples_of_rows(_rows(path, found, found, image), again, reading)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a folder that `datasets.load_from_disk` reads; all rows are in memory once; returns how many."""
    datasets = needed("datasets", _WHAT)
    datasets.disable_progress_bars()
    rows = table(samples, schema())
    digest = hashlib.sha256()
    for batch in rows.combine_chunks().to_batches():
        for column in batch.columns:
            for data in column.buffers():
                digest.update(b"" if data is None else data)
    # Its own fingerprint would hold the time.
    datasets.Dataset(rows, fingerprint=digest.hexdigest()[:16]).save_to_disk(str(path))
    return int(rows.num_rows)


def _rows(path: Path, shown: Any, whole: Any, image: str) -> Iterator[Row]:
    """Yields rows; of a photo in a row the name is read, and its bytes when they are asked for."""
    number = 0
    for start in range(0, len(shown), _BATCH):
        columns = _read(path, partial(shown.__getitem__, slice(start, start + _BATCH)))
        for index in range(len(next(iter(columns.values()), []))):
            number += 1
            where = f"{path}, row {number}"
            values = {name: column[index] for name, column in columns.items()}
            if isinstance(values.get(image), dict):
                values = _with_photo(values, image, where, whole, number - 1)
            yield Row(plain_row(values), where)


def _with_photo(values: dict[str, Any], image: str, where: str, whole: Any, index: int) -> dict[str, Any]:
    told = values[image].get("path")
    name = Path(str(told)).name if told else unnamed(index + 1)

    def data() -> bytes:
        photo = _read(where, lambda: whole[index])[image]
        if photo.get("bytes"):
            return bytes(photo["bytes"])
        try:
            return Path(str(photo["path"])).read_bytes()
        except OSError as error:
            raise InputError(where, f"its photo cannot be read ({error.strerror})", "Look at the path.") from error

    return {**values, image: name, PHOTO: EmbeddedPhoto(name, where, data)}


def _read(where: Path | str, rows: Callable[[], Any]) -> Any:
    try:
        return rows()
    except Exception as error:  # As when it is opened: of every kind, for files that are damaged.
        why = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(str(where), f"datasets cannot read it ({why})", "Take it again.") from error


def _opened(path: Path, split: str | None) -> Any:
    datasets = needed("datasets", _WHAT)
    datasets.disable_progress_bars()
    try:
        found = datasets.load_from_disk(str(path)) if is_folder(path) else datasets.load_dataset(str(path))
    except ConnectionError as error:
        why = str(error).partition("\n")[0]
        raise UnavailableError(str(path), f"the hub does not answer ({why})", "Give a saved folder.") from error
    except Exception as error:  # The library raises of every kind, for files, names and the network.
        why = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(str(path), f"datasets cannot open it ({why})", "Look at the name or the folder.") from error
    if not isinstance(found, dict):
        return found
    if split in found or (split is None and len(found) == 1):
        return found[split] if split else next(iter(found.values()))
    problem = f"it has no split {split}" if split else "it has several splits"
    raise InputError(str(path), problem, f"Name one with --option split=…: {some(list(found), 9)}.")


def _without_decoding(found: Any) -> Any:
    """Returns the data set with photos as bytes or paths; they are decoded as all others here, upright."""
    image = needed("datasets", _WHAT).Image
    for name, feature in found.features.items():
        if isinstance(feature, image):
            found = found.cast_column(name, image(decode=False))
    return found


FORM = Form("hf", "a saved folder of Hugging Face's datasets", read, write)
