"""How long each picture takes and the memory it needs more: `python benchmarks/pictures.py [MEGAPIXELS]` (20).

Of a made photo with a region of an eighth of it; the finders of what is private are measured by `private.py`.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context

import cv2
import numpy as np

from foveate.assist import Photo, hide_private, hide_rest, larger, outlined, soften, straighten
from foveate.assist.fresh import FORMATS
from foveate.assist.private import Found
from foveate.core.regions import Mask, Polygon, Region
from foveate.core.rle import encode


def made(megapixels: float) -> tuple[Photo, Mask, Polygon]:
    """Returns a photo of soft noise, an oval mask and a tilted panel."""
    width, height = round((megapixels * 1e6 * 4 / 3) ** 0.5), round((megapixels * 1e6 * 3 / 4) ** 0.5)
    small = np.random.default_rng(1).integers(0, 256, (height // 8, width // 8, 3), dtype=np.uint8)
    pixels = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    oval = np.zeros((height, width), dtype=np.uint8)
    cv2.ellipse(oval, (width // 2, height // 2), (width // 5, height // 5), 0, 0, 360, 1, -1)
    x, y = width / 4, height / 4
    return (
        Photo("made", pixels),
        Mask(encode(oval)),
        Polygon((((x, y), (3 * x, 1.2 * y), (2.9 * x, 3 * y), (x, 2.8 * y)),)),
    )


def measured(name: str, megapixels: float) -> tuple[float, float]:
    """Returns the seconds that a picture takes, and the mebibytes that the process then held more at its most."""
    photo, mask, panel = made(megapixels)
    face = [Found("face", Region(mask, 0.9), 0.9, "a face")]
    rest = hide_rest(photo, mask) if name in FORMATS else None
    jobs: dict[str, Callable[[], object]] = {
        "outlined": lambda: outlined(photo, mask),
        "larger": lambda: larger(photo, mask, contrast=True),
        "straighten": lambda: straighten(photo, panel, lines=[]),
        "hide_rest": lambda: hide_rest(photo, mask),
        "hide_private, found before": lambda: hide_private(photo, found=face),
        "soften (blur)": lambda: soften(photo, mask),
        "soften (feather)": lambda: soften(photo, mask, "feather"),
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    if rest is None:
        jobs[name]()
    else:
        rest.encode(name)
    seconds = time.perf_counter() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    """Prints the table, each row from a process of its own."""
    megapixels = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    names = ["outlined", "larger", "straighten", "hide_rest", "hide_private, found before"]
    print(f"| of {megapixels:g} megapixels | seconds | MiB more |\n|---|---|---|")
    for name in [*names, "soften (blur)", "soften (feather)", *FORMATS]:
        with get_context("spawn").Pool(1) as pool:
            seconds, more = pool.apply(measured, (name, megapixels))
        print(f"| {'hidden rest as ' if name in FORMATS else ''}{name} | {seconds:.2f} | {more:.0f} |", flush=True)


if __name__ == "__main__":
    main()
