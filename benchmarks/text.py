"""Time and yield of reading text on 36 photos by blind people, beside RapidOCR's own pipeline in the same run.

    python benchmarks/text.py

Needs the samples of `../shared/data`. Seconds are of the wall, on `FOVEATE_THREADS` cores; loading is not counted. A
line counts when it is as sure, and has as many letters, as `read_text` asks for; it is not compared with the truth.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from importlib.resources import as_file, files
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from foveate.perception import _pp_ocr
from foveate.perception.read_text import LEAST_LENGTH, LEAST_SCORE, read_text
from foveate.perception.sessions import threads
from foveate.perception.text_lines import letters
from foveate.sources.images import FileImage

PHOTOS = Path(__file__).resolve().parents[2] / "shared" / "data" / "vizwiz" / "images"
Photo = NDArray[np.uint8]


def peer() -> Callable[[Photo], list[str]]:
    """Returns RapidOCR's own pipeline, with as many threads."""
    from rapidocr import RapidOCR

    with as_file(files("rapidocr") / "models") as home:
        engine = RapidOCR(
            params={
                "Det.model_path": str(home / "PP-OCRv6_det_small.onnx"),
                "Rec.model_path": str(home / "PP-OCRv6_rec_small.onnx"),
                "Cls.model_path": str(home / "ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
                "Global.log_level": "critical",
                "EngineConfig.onnxruntime.intra_op_num_threads": threads(),
            }
        )

    def read(photo: Photo) -> list[str]:
        found = engine(np.ascontiguousarray(photo[..., ::-1]))
        said = zip(getattr(found, "txts", None) or (), getattr(found, "scores", None) or (), strict=True)
        return [text for text, score in said if score > LEAST_SCORE and letters(text) >= LEAST_LENGTH]

    return read


def main() -> int:
    """Prints the table; returns the exit code."""
    if not PHOTOS.is_dir():
        print(f"{PHOTOS} is not here: the samples belong beside the repository.")
        return 1
    photos = [FileImage(path).load() for path in sorted(PHOTOS.glob("*.jpg"))]
    print(f"{len(photos)} photos, {threads()} threads; seconds a photo, lines and letters in all")
    print(f"{'':24} {'median':>7} {'max':>7} {'lines':>6} {'letters':>8}")
    ours = measured("read_text", lambda photo: [line.text for line in read_text(photo)], photos)
    measured("  its search alone", search, photos)
    theirs = measured("RapidOCR's pipeline", peer(), photos)
    print(f"read_text against RapidOCR's pipeline: {ours[0] / theirs[0]:.2f} of its time, ", end="")
    print(f"{ours[1] / theirs[1]:.2f} times the letters")
    return 0


def search(photo: Photo) -> list[str]:
    """Finds where lines are, and reads none."""
    _pp_ocr._parts().search(_pp_ocr._canvas(photo)[0])
    return []


def measured(name: str, step: Callable[[Photo], Iterable[str]], photos: list[Photo]) -> tuple[float, int]:
    """Prints a row; returns the seconds and the letters of all photos."""
    step(photos[0])
    spent: list[float] = []
    said: list[str] = []
    for photo in photos:
        start = time.perf_counter()
        said += step(photo)
        spent.append(time.perf_counter() - start)
    count = sum(map(letters, said))
    print(f"{name:24} {median(spent):7.2f} {max(spent):7.2f} {len(said):6} {count:8}", flush=True)
    return sum(spent), count


if __name__ == "__main__":
    sys.exit(main())
