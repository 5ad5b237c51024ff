"""The VizWiz submission form: a folder or zip of PNG masks, one a photo, under the photo's name with `.png`.

Each is of one channel, 0 outside and 255 inside, of the photo's own size. An empty mask is how this form says that
there is no region.

References:
    VizWiz Grand Challenge, Answer Grounding: the form as public code reconstructs it, since the server is closed.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region
from foveate.core.rle import Rle, area, decode
from foveate.errors import InputError
from foveate.formats.mask_png import mask_png, read_mask_png
from foveate.formats.tables import OnInvalid, refuse
from foveate.runs._known import Known
from foveate.runs._mask_files import MaskFile, mask_files
from foveate.runs._refused import OnRemark, counted, refuse_unheld, unheard
from foveate.sources.new_files import new_file

# Packing and unpacking leave Python free for others; a few at a time, since a mask of 100 megapixels takes 100 MB.
_AT_ONCE = 4
_BY_ID = "Use the form coco or jsonl, which join by id."


def write_masks(predictions: Iterable[Prediction], out: Path, on_remark: OnRemark = unheard) -> int:
    """Writes a zip of masks; returns how many. A prediction without a region becomes an empty mask.

    Args:
        predictions: All that the form is to hold.
        out: The zip.
        on_remark: Told which predictions failed, since an empty mask says of them that there is no region.

    Raises:
        InputError: Predictions do not tell their photo's size, two would have one file, or a region covers the middle
            of no pixel, so that its mask would say that there is none.
        OutputError: The zip is there already, or cannot be written.
    """
    given = list(predictions)
    pixels = [_pixels(prediction) for prediction in given]
    _refuse_unheld(given, pixels, out)
    failed = [p.id for p in given if p.status not in {"ok", "no_region"}]
    with (
        new_file(out) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ThreadPoolExecutor(_AT_ONCE) as pool,
    ):
        # Packed once more: what was packed quickly still shrinks to half, in little time.
        for prediction, data in zip(given, pool.map(_png, given, pixels), strict=True):
            archive.writestr(_file_name(prediction), data)
    if failed:
        on_remark(f"{counted(failed, 'failed', 'failed')}, of which the form can only say that there is no region")
    return len(given)


def read_masks(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    on_invalid: OnInvalid = refuse,
    *,
    known: Known | None = None,
) -> Iterator[Prediction]:
    """Yields one prediction a mask, joined with the samples by the name without its suffix.

    Args:
        path: A folder, or a zip with the masks at its top.
        sizes: Height and width by sample id; a mask of another size is refused before it is decoded.
        on_invalid: Called for a mask that cannot be taken; if it returns, the prediction is `invalid_output`.
        known: If there, files that are no masks of the photos are told to `on_invalid`, each by itself, and passed
            over; without it they stop the reading.

    Raises:
        InputError: It is neither, holds other files, or `on_invalid` raises (the default).
    """
    samples = {Path(sample).stem: sample for sample in sizes}
    if len(samples) < len(sizes):
        raise InputError(str(path), "two samples of the data set have one name without suffix", _BY_ID)
    with mask_files(path, samples, on_invalid if known else None) as files, ThreadPoolExecutor(_AT_ONCE) as pool:
        wanted = [(file, sizes[samples[file.stem]]) for file in files]
        for (file, size_hw), found in zip(wanted, pool.map(_mask, wanted), strict=True):
            if isinstance(found, InputError):
                on_invalid(found)
            yield _prediction(samples[file.stem], found, size_hw)


def _file_name(prediction: Prediction) -> str:
    return f"{Path(prediction.id).stem}.png"


def _pixels(prediction: Prediction) -> Rle | None:
    """Returns the pixels of the region; None where there is none, or no size to have pixels in."""
    if prediction.final is None or prediction.size_hw is None:
        return None
    return prediction.final.shape.rle(prediction.size_hw)


def _refuse_unheld(predictions: list[Prediction], pixels: list[Rle | None], out: Path) -> None:
    taken: set[str] = set()
    twice = []
    for prediction in predictions:
        if _file_name(prediction) in taken:
            twice.append(prediction.id)
        taken.add(_file_name(prediction))
    sizeless = [prediction.id for prediction in predictions if prediction.size_hw is None]
    thin = [prediction.id for prediction, own in zip(predictions, pixels, strict=True) if own and area(own) == 0]
    refuse_unheld(
        out,
        [
            ("no photo size", sizeless, "Give predictions that tell it, as runs do."),
            ("the file name of another", twice, _BY_ID),
            ("a region that covers the middle of no pixel", thin, "Use the form coco or jsonl, which keep it."),
        ],
        "the form is one mask a photo, of its size",
    )


def _png(prediction: Prediction, pixels: Rle | None) -> bytes:
    # What does not tell its size was refused.
    height, width = prediction.size_hw or (0, 0)
    inside = 0 if pixels is None else area(pixels)
    if pixels is None or inside in (0, height * width):
        return _plain_png(height, width, inside > 0)
    return mask_png(decode(pixels))


# Examples of entries and baselines are the whole image of thousands of photos, which have few sizes.
@lru_cache(maxsize=512)
def _plain_png(height: int, width: int, value: bool) -> bytes:
    """Returns a mask of one value."""
    return mask_png(np.full((height, width), value, dtype=bool))


def _mask(wanted: tuple[MaskFile, SizeHW | None]) -> Rle | InputError:
    """Returns the mask, or why there is none, for the thread that may raise it."""
    file, size_hw = wanted
    try:
        if size_hw is None:
            raise InputError(
                file.where, "the data set does not tell the photo's size", "Use the form jsonl, which can."
            )
        return read_mask_png(file.content(), size_hw, where=file.where)
    except InputError as error:
        return error


def _prediction(sample: str, found: Rle | InputError, size_hw: SizeHW | None) -> Prediction:
    if isinstance(found, InputError):
        return Prediction(sample, "invalid_output", size_hw=size_hw, reason=found.fault)
    if area(found) == 0:
        return Prediction(sample, "no_region", size_hw=size_hw, reason="The mask is empty.")
    region = Region(Mask(found), None)
    return Prediction(sample, "ok", final=region, candidates=(region,), size_hw=size_hw)
