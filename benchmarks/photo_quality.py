"""What `photo_quality` sees of the flaws that people see: `python benchmarks/photo_quality.py [SHARED_DATA]`.

Against the votes on 36 VizWiz photos (the thresholds were chosen with them at hand), on COCO photos, which are mostly
good, and on the same made darker, brighter, blurred and turned; `cut_off` on the outlines of VizWiz-VQA-Grounding,
whose photos need not be there.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.datasets._open import open_dataset
from foveate.perception.photo_quality import PhotoQuality, cut_off, photo_quality
from foveate.sources.images import FileImage

Photo = NDArray[np.uint8]
FLAWS = {"blurred": "BLR", "bright": "BRT", "dark": "DRK"}
_ENOUGH = 3


def exposed(photo: Photo, stops: float) -> Photo:
    """Returns the photo with more or less light, clipped."""
    value = photo / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4) * 2.0**stops
    linear = np.clip(linear, 0, 1)
    return np.asarray(
        np.round(255 * np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)), np.uint8
    )


def blurred(photo: Photo, sigma: float) -> Photo:
    """Returns the photo blurred by so many pixels at a width of 640."""
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), sigma * max(photo.shape) / 640), np.uint8)


def turned(photo: Photo, degrees: float) -> Photo:
    """Returns the middle of the photo turned clockwise, without corners that nobody saw."""
    height, width = photo.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1)
    half = int(min(height, width) * 0.36)
    whole = cv2.warpAffine(photo, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(whole[height // 2 - half : height // 2 + half, width // 2 - half : width // 2 + half], np.uint8)


def auc(values: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Returns how often a positive has the larger value."""
    return float((values[positive][:, None] > values[~positive]).mean())


def share(photos: list[Photo], change: Callable[[Photo], Photo], flaw: str) -> float:
    """Returns how many of the changed photos have the flaw."""
    return statistics.fmean(getattr(photo_quality(change(photo)), flaw) for photo in photos)


def tilts(found: list[PhotoQuality], degrees: float) -> str:
    """Returns for how many a tilt is told, and how many of those are within four degrees of it."""
    told = [quality.tilted_degrees for quality in found if quality.tilted_degrees is not None]
    near = sum(abs(tilt - degrees) < 4 for tilt in told)
    return f"told {len(told)} of {len(found)}, within 4 degrees {near / len(told):.2f}"


def framing(shared: Path, votes: dict[str, dict[str, int]]) -> str:
    """Returns how often outlines that touch a side belong to photos that people find badly framed."""
    bad: dict[bool, list[bool]] = {True: [], False: []}
    for truth in open_dataset("vizwiz_grounding:val", shared / "vizwiz").truths():
        if truth.id in votes and truth.targets and truth.size_hw:
            touches = bool(cut_off(truth.targets[0].shape.xyxy, truth.size_hw))
            bad[touches].append(votes[truth.id]["FRM"] >= _ENOUGH)
    (n, touching), (m, inside) = ((len(bad[key]), statistics.fmean(bad[key])) for key in (True, False))
    return f"{n} of {n + m} touch a side; badly framed {touching:.2f} of these, {inside:.2f} of the others"


def main(shared: Path) -> None:
    """Prints all figures."""
    listed = json.loads((shared / "vizwiz" / "quality" / "val.json").read_text())
    votes = {entry["image"]: entry["flaws"] for entry in listed}
    images = [FileImage(path) for path in sorted((shared / "vizwiz" / "images").glob("*.jpg"))]
    viz = [photo_quality(image.load()) for image in images]
    paths = [path for name in ("coco", "toloka") for path in sorted((shared / name / "images").glob("*.jpg"))]
    good = [FileImage(path).load() for path in paths]
    start = time.perf_counter()
    fine = [photo_quality(photo) for photo in good]
    print(f"{(time.perf_counter() - start) / len(good):.3f} s a photo of COCO")
    for flaw, key in FLAWS.items():
        voted = np.array([votes[image.name][key] >= _ENOUGH for image in images])
        said = np.array([getattr(quality, flaw) for quality in viz])
        alarms = sum(getattr(quality, flaw) for quality in fine)
        print(
            f"{flaw}: {voted.sum()} by votes, of them found {(voted & said).sum()}; false alarms "
            f"{(said & ~voted).sum()} of {(~voted).sum()}, good photos {alarms} of {len(good)}"
        )
    soft = np.array([-quality.sharpness for quality in viz])
    print("AUC of sharpness:", f"{auc(soft, np.array([votes[i.name]['BLR'] >= _ENOUGH for i in images])):.2f}")
    for stops in (-2, -3):
        print(f"dark, by {-stops} stops: {share(good, partial(exposed, stops=stops), 'dark'):.2f}")
    print(f"bright, by 2 stops: {share(good, partial(exposed, stops=2), 'bright'):.2f}")
    for sigma in (1.5, 2.5):
        print(f"blurred, by {sigma}: {share(good, partial(blurred, sigma=sigma), 'blurred'):.2f}")
    print("tilt as they are:", tilts(fine, 0))
    print("good photos called tilted:", sum(quality.tilted for quality in fine))
    for degrees in (10, -20):
        print(f"tilt, turned by {degrees}:", tilts([photo_quality(turned(photo, degrees)) for photo in good], degrees))
    print("grey:", sum(quality.grey for quality in fine + viz), "of all these")
    print("cut off:", framing(shared, votes))


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not place.is_dir():
        sys.exit(f"The samples are not at {place}; name their folder.")
    main(place)
