"""Time and memory of each network that `pocket` and the assistant share, each in a process of its own.

    python benchmarks/perception.py [photo]

Needs the weights in the cache (`foveate weights pull`); without a photo the demo's cat is taken. Opening counts the
import of ONNX Runtime, the hash of the file and the check of what the network gives. Memory is the peak of the whole
process, the photo and the libraries included; the row `nothing` is its floor. The detector has a peer: OpenCV 4's own
reader of Darknet's files, on the same photo.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.sources.images import FileImage

Photo = NDArray[np.uint8]
QUESTION = "What do people use to keep dry when it rains?"
ROUNDS = 5


def nothing(photo: Photo) -> None:
    """Does no work: what a process with a photo costs."""


def detector(photo: Photo) -> None:
    """Proposes boxes at 608 and 416 pixels."""
    from foveate.perception.propose import propose

    propose(photo)


def detector_of_opencv(photo: Photo) -> None:
    """Runs the detector at 608 and 416 pixels through OpenCV's reader; boxes are not sorted out."""
    import cv2

    from foveate.sources.weights import paths

    if not _kept:
        files = paths("yolov3_tiny")
        _kept.append(cv2.dnn.readNetFromDarknet(str(files["yolov3-tiny.cfg"]), str(files["yolov3-tiny.weights"])))
    network = _kept[0]
    for side in (608, 416):
        network.setInput(cv2.dnn.blobFromImage(photo, 1 / 255, (side, side)))
        network.forward(network.getUnconnectedOutLayersNames())


def sentence(photo: Photo) -> None:
    """Embeds one question that is new each time."""
    from foveate.perception.embed_text import embed_text

    embed_text([f"{QUESTION} {_fresh()}"])


def sentences(photo: Photo) -> None:
    """Embeds 64 phrases that are new each time."""
    from foveate.perception.embed_text import embed_text

    embed_text([f"something used for cooking {_fresh()}" for _ in range(64)])


def tokens(photo: Photo) -> None:
    """Embeds the photo, 37 x 37 tokens or as many."""
    from foveate.perception.embed_image import embed_image

    embed_image(photo)


def saliency(photo: Photo) -> None:
    """Embeds the photo, and decodes what stands out."""
    from foveate.perception.embed_image import embed_image

    _ = embed_image(photo).saliency


def names(photo: Photo) -> None:
    """Names the main thing."""
    from foveate.perception.name_things import name_things

    name_things(photo)


def everything(photo: Photo) -> None:
    """All of it, one after the other."""
    for step in (detector, sentence, saliency, names):
        step(photo)


STEPS: dict[str, Callable[[Photo], None]] = {
    "nothing": nothing,
    "detector, 608 + 416": detector,
    "the same through OpenCV": detector_of_opencv,
    "one question": sentence,
    "64 phrases": sentences,
    "tokens of a photo": tokens,
    "tokens and saliency": saliency,
    "name of the main thing": names,
    "all of them": everything,
}
_kept: list[Any] = []
_count = iter(range(10**9))


def _fresh() -> str:
    # A number of five digits has the same count of tokens throughout.
    return f"number {10_000 + next(_count) * 7 % 89_999}"


def main(arguments: list[str]) -> int:
    """Prints the table; returns the exit code."""
    if arguments[:1] == ["--step"]:
        print(json.dumps(measured(arguments[1], Path(arguments[2]))))
        return 0
    photo = Path(arguments[0]) if arguments else _cat()
    from foveate.perception.sessions import threads

    print(f"{photo.name}, {threads()} threads; seconds, median of {ROUNDS} but for the first call; peak MB")
    print(f"{'':26} {'first call':>10} {'next':>8} {'peak':>6}")
    found = {}
    for name in STEPS:
        done = subprocess.run(
            [sys.executable, __file__, "--step", name, str(photo)], stdout=subprocess.PIPE, text=True, check=True
        )
        found[name] = json.loads(done.stdout)
        first, then, peak = found[name]
        print(f"{name:26} {first:10.3f} {then:8.3f} {peak:6.0f}", flush=True)
    ours, theirs = found["detector, 608 + 416"][1], found["the same through OpenCV"][1]
    print(f"detector against OpenCV's reader: {ours / theirs:.2f} of its time")
    ratio = found["64 phrases"][1] / found["one question"][1]
    print(f"64 phrases at once against one question: {ratio:.0f} times its time")
    return 0


def measured(name: str, path: Path) -> tuple[float, float, float]:
    """Returns the seconds of the first call, the median of the next, and the peak of memory in MB."""
    photo, step = FileImage(path).load(), STEPS[name]
    spent = []
    for _ in range(1 + ROUNDS):
        start = time.perf_counter()
        step(photo)
        spent.append(time.perf_counter() - start)
    return spent[0], float(np.median(spent[1:])), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _cat() -> Path:
    from foveate.datasets.photos import members
    from foveate.sources.pinned import fetch

    return next(path for path in fetch(members()).values() if path.name == "chelsea.png")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
