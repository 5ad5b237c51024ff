"""The VizWiz submission form: a folder or zip of PNG masks, one a photo, under the photo's name with `.png`.

Each is of one channel, 0 outside and 255 inside, of the photo's own size. An empty mask is how this form says that
there is no region.

References:
    VizWiz Grand Challenge, Answer Grounding: the form as public code reconstructs it, since the server is closed.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import numpy as np
import PIL.Image

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region
from foveate.core.rle import area, decode
from foveate.errors import InputError, some
from foveate.formats.mask_png import read_mask_png
from foveate.formats.tables import OnInvalid, refuse
from foveate.runs._new_file import new_file


def write_masks(predictions: Iterable[Prediction], out: Path) -> int:
    """Writes a zip of masks; returns how many. A prediction without a region becomes an empty mask.

    Raises:
        InputError: A prediction does not tell its photo's size, or two would have one file.
        OutputError: The zip is there already, or cannot be written.
    """
    done: set[str] = set()
    with new_file(out) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for prediction in predictions:
            name = f"{Path(prediction.id).stem}.png"
            if prediction.size_hw is None or name in done:
                problem = "is there twice" if name in done else "does not tell its photo's size"
                raise InputError(prediction.id, f"the prediction {problem}", "This form needs one mask a photo.")
            archive.writestr(name, _png(prediction, prediction.size_hw))
            done.add(name)
    return len(done)


def read_masks(path: Path, sizes: Mapping[str, SizeHW | None], on_invalid: OnInvalid = refuse) -> Iterator[Prediction]:
    """Yields one prediction a mask, joined with the samples by the name without its suffix.

    Args:
        path: A folder, or a zip with the masks at its top.
        sizes: Height and width by sample id; a mask of another size is refused before it is decoded.
        on_invalid: Called for a mask that cannot be taken; if it returns, the prediction is `invalid_output`.

    Raises:
        InputError: It is neither, holds other files, or `on_invalid` raises (the default).
    """
    samples = {Path(sample).stem: sample for sample in sizes}
    if len(samples) < len(sizes):
        raise InputError(str(path), "two samples of the data set have one name without suffix", "Use another form.")
    for name, data in _files(path, samples):
        sample = samples[name]
        where = f"{path}, {name}.png"
        size_hw = sizes[sample]
        try:
            if size_hw is None:
                raise InputError(where, "the data set does not tell the photo's size", "Masks need it.")
            rle = read_mask_png(data, size_hw, where=where)
        except InputError as error:
            on_invalid(error)
            yield Prediction(sample, "invalid_output", size_hw=size_hw, reason=error.fault)
            continue
        if area(rle) == 0:
            yield Prediction(sample, "no_region", size_hw=size_hw, reason="The mask is empty.")
        else:
            region = Region(Mask(rle), 1.0)
            yield Prediction(sample, "ok", final=region, candidates=(region,), size_hw=size_hw)


def _png(prediction: Prediction, size_hw: SizeHW) -> bytes:
    inside = np.zeros(size_hw, dtype=bool) if prediction.final is None else decode(prediction.final.shape.rle(size_hw))
    data = io.BytesIO()
    PIL.Image.fromarray(inside.astype(np.uint8) * 255).save(data, format="PNG")
    return data.getvalue()


def _files(path: Path, samples: Mapping[str, str]) -> Iterator[tuple[str, Path | io.BytesIO]]:
    if path.is_dir():
        names = sorted(file.name for file in path.iterdir())
        _refuse_others(path, names, samples)
        yield from ((Path(name).stem, path / name) for name in names)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(entry.filename for entry in archive.infolist())
            _refuse_others(path, names, samples)
            for name in names:
                yield Path(name).stem, io.BytesIO(_read_entry(archive, name))
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(str(path), f"it is no folder and no zip that can be read ({error})", "Give one.") from error


# A mask of 100 megapixels compresses far below this; a file that unpacks to more is no mask.
_MOST_BYTES = 64 * 2**20


def _read_entry(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as entry:
        data = entry.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InputError(f"{archive.filename}, {name}", "it unpacks to more than 64 MiB", "Give a mask.")
    return data


def _refuse_others(path: Path, names: list[str], samples: Mapping[str, str]) -> None:
    """Refuses everything but the masks of samples at the top: nested folders and zips, paths that lead outside."""
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise InputError(str(path), f"it holds {some(twice)} twice", "Give one mask a photo.")
    other = [n for n in names if PurePosixPath(n).name != n or not n.endswith(".png") or Path(n).stem not in samples]
    if other:
        raise InputError(
            str(path),
            f"it holds {len(other):,} files that are no masks of the data set's photos: {some(other)}",
            "Put just the masks at the top, each under its photo's name with .png.",
        )
