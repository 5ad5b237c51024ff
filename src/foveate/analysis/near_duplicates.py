"""Photos that are the same, or as good as: within a split, and across splits and data sets.

Two photos are candidates when their perceptual hashes (64 bits, `imagehash.phash`) differ in at most `DISTANCE` bits,
and near-duplicates when a second look agrees: the structural similarity of both as 32 x 32 grey pixels, each brought to
the same mean and contrast, is at least `LIKENESS`. Photos without contrast (the lens was covered, say) have a hash of
mere noise; they are counted, and compared by their bytes only.

Both limits were chosen on 163 photos (COCO, and blind people's) and edits of them. The share that is found:

| edit | candidates | of these confirmed |
|---|---|---|
| JPEG of quality 50; half or a quarter of the size; grey; blurred; darker by 30 % | 100 % | 100 % |
| JPEG of quality 20 | 99 % | 100 % |
| cropped by 2 %, around the middle / from one corner | 94 / 71 % | 100 / 100 % |
| cropped by 5 % around the middle | 47 % | 94 % |
| brighter by 20 %, what is lit blown out | 88 % | 100 % |
| the same photo, its corners moved by up to 3 / 6 / 12 %, as from another place | 71 / 20 / 1 % | 98 / 61 / 50 % |

Of the 13,203 pairs of different photos none is a candidate (the nearest differ in 16 bits), and the most alike has a
similarity of 0.66.

References:
    Wang, Bovik, Sheikh, Simoncelli: Image Quality Assessment: From Error Visibility to Structural Similarity. IEEE
    Transactions on Image Processing, 2004.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.photo_work import Job, Settings, Work, look, pixels_of
from foveate.core.queries import Image
from foveate.errors import UnavailableError, UsageError
from foveate.execution.ground import RunProgress

DISTANCE = 4
MOST_DISTANCE = 16
LIKENESS = 0.75
# Standard deviation of the small grey picture, of 255; the dullest of the 163 photos has more than 12.
FLAT = 4.0
_BITS = 64
_SIDE = 32
_MAKING = 1

Hashes = NDArray[np.uint64]
Pairs = NDArray[np.int64]


@dataclass(frozen=True)
class Place:
    """Where a photo is.

    Attributes:
        dataset: `NAME:SPLIT`.
        name: The photo's.
    """

    dataset: str
    name: str


@dataclass(frozen=True)
class Pair:
    """Two photos.

    Attributes:
        first: The number of the one.
        second: That of the other, larger.
        distance: In how many bits their hashes differ.
        likeness: Their structural similarity, 1 for equal.
    """

    first: int
    second: int
    distance: int
    likeness: float


@dataclass(frozen=True)
class NearDuplicates:
    """What is the same.

    Attributes:
        photos: All that were looked at; they are named by their numbers here.
        groups: Photos that belong together through pairs or equal bytes, each group and all groups in order.
        pairs: The near-duplicates; of photos with equal bytes the first stands for all.
        refused: Candidates that the second look did not confirm.
        identical: Photos with equal bytes.
        flat: Photos without contrast.
        unread: Why a photo could not be read, by its number.
        distance: The most bits that hashes of candidates differ in.
        likeness: The least similarity of near-duplicates.
    """

    photos: Sequence[Place]
    groups: Sequence[tuple[int, ...]]
    pairs: Sequence[Pair]
    refused: Sequence[Pair]
    identical: Sequence[tuple[int, ...]]
    flat: Sequence[int]
    unread: Mapping[int, str]
    distance: int
    likeness: float

    def across(self, group: Sequence[int]) -> bool:
        """Returns whether a group has photos of several data sets or splits."""
        return len({self.photos[number].dataset for number in group}) > 1


def near_duplicates(
    images: Mapping[str, Mapping[str, Image]],
    settings: Settings,
    *,
    distance: int = DISTANCE,
    likeness: float = LIKENESS,
    progress: RunProgress | None = None,
) -> NearDuplicates:
    """Returns the near-duplicates among the photos of one or several data sets.

    Args:
        images: The photos by name, by the name of their data set.
        settings: How photos are read, and where their hashes are kept.
        distance: The most bits that two hashes may differ in.
        likeness: The least similarity of the second look.
        progress: Is told how far it is.

    Raises:
        UnavailableError: `imagehash` is not installed.
        UsageError: The distance is none.
        OutputError: The hashes cannot be kept.
    """
    work = Work("hashes", _version(), _hash_of)
    places = [Place(dataset, name) for dataset, photos in images.items() for name in photos]
    jobs = {str(k): Job(images[place.dataset][place.name]) for k, place in enumerate(places)}
    looked = look(jobs, work, settings, "hashing photos", progress)
    made = {int(key): _Seen.of(looked.names[key], value) for key, value in looked.made.items()}
    same = _alike({number: seen.sha256 for number, seen in made.items()})
    firsts = [group[0] for group in same if not made[group[0]].flat]
    hashes = np.array([made[number].hash for number in firsts], dtype=np.uint64)
    found = [_looked_at(firsts[a], firsts[b], made) for a, b in near_pairs(hashes, distance).tolist()]
    pairs = [pair for pair in found if pair.likeness >= likeness]
    identical = [group for group in same if len(group) > 1]
    return NearDuplicates(
        photos=places,
        groups=_groups([*identical, *((pair.first, pair.second) for pair in pairs)]),
        pairs=pairs,
        refused=[pair for pair in found if pair.likeness < likeness],
        identical=identical,
        flat=[number for number, seen in made.items() if seen.flat],
        unread={int(key): problem for key, problem in looked.unread.items()},
        distance=distance,
        likeness=likeness,
    )


def near_pairs(hashes: Hashes, distance: int = DISTANCE) -> Pairs:
    """Returns all pairs of hashes that differ in at most so many bits, ``int64 (P, 2)``, sorted; none is missed.

    The bits are parted into two pieces more than may differ, so that two near hashes agree in two whole pieces at
    least. Sorted by each two pieces, they stand side by side; about 2**21 values keep strangers apart.

    Args:
        hashes: ``uint64 (N,)``.
        distance: At most 16.

    Raises:
        UsageError: The distance is not from 0 to 16.
    """
    if not 0 <= distance <= MOST_DISTANCE:
        raise UsageError("distance", f"{distance} is not from 0 to {MOST_DISTANCE}", "Take a few bits, like 4.")
    found = [np.zeros((0, 2), dtype=np.int64)]
    for mask in _two_pieces(distance + 2):
        keys = hashes & mask
        order = np.argsort(keys, kind="stable")
        for a, b in _side_by_side(keys[order]):
            first, second = order[a], order[b]
            near = np.bitwise_count(hashes[first] ^ hashes[second]) <= distance
            found.append(np.sort(np.stack([first[near], second[near]], axis=1), axis=1))
    return np.asarray(np.unique(np.concatenate(found), axis=0), dtype=np.int64)


def likeness_of(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> float:
    """Returns the structural similarity of two grey pictures ``uint8 (H, W)`` at the same mean and contrast.

    Windows are Gaussian (sigma 1.5), the constants those of the reference; -1 to 1, and 1 for equal pictures.
    """
    import cv2

    def blurred(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.GaussianBlur(values, (0, 0), 1.5), dtype=np.float32)

    a, b = _levelled(first), _levelled(second)
    mean_a, mean_b = blurred(a), blurred(b)
    spread_a, spread_b = blurred(a * a) - mean_a**2, blurred(b * b) - mean_b**2
    shared = blurred(a * b) - mean_a * mean_b
    light, contrast = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    above = (2 * mean_a * mean_b + light) * (2 * shared + contrast)
    below = (mean_a**2 + mean_b**2 + light) * (spread_a + spread_b + contrast)
    return float((above / below).mean())


@dataclass(frozen=True, eq=False)
class _Seen:
    sha256: str
    hash: int
    grey: NDArray[np.uint8]

    @classmethod
    def of(cls, sha256: str, kept: Mapping[str, str]) -> _Seen:
        grey = np.frombuffer(base64.b64decode(kept["grey"]), dtype=np.uint8).reshape(_SIDE, _SIDE)
        return cls(sha256, int(kept["hash"], 16), grey)

    @property
    def flat(self) -> bool:
        return float(self.grey.std()) < FLAT


def _hash_of(job: Job) -> dict[str, str]:
    """Returns hash and small grey picture of a photo, as JSON holds them."""
    import cv2
    import imagehash
    import PIL.Image

    pixels = pixels_of(job)
    small = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return {
        "hash": str(imagehash.phash(PIL.Image.fromarray(pixels))),
        "grey": base64.b64encode(np.ascontiguousarray(small).tobytes()).decode("ascii"),
    }


def _version() -> str:
    if find_spec("imagehash") is None:
        raise UnavailableError(
            "near-duplicates",
            "they need the module imagehash, which is not installed",
            "Install it: pip install 'foveate[analysis]'",
        )
    from importlib.metadata import version

    return f"phash of imagehash {version('imagehash')}, making {_MAKING}"


def _two_pieces(pieces: int) -> Iterator[np.uint64]:
    """Yields the bits of each two pieces of a hash."""
    edges = np.linspace(0, _BITS, pieces + 1).astype(int).tolist()
    masks = [((1 << stop) - 1) ^ ((1 << start) - 1) for start, stop in zip(edges, edges[1:], strict=False)]
    for first, second in combinations(masks, 2):
        yield np.uint64(first | second)


def _side_by_side(keys: Hashes) -> Iterator[tuple[Pairs, Pairs]]:
    """Yields the places of equal keys in a sorted list, at distance 1, 2, … of each other."""
    step, left = 1, np.arange(max(len(keys) - 1, 0))
    while left.size:
        left = left[left + step < len(keys)]
        left = left[keys[left] == keys[left + step]]
        yield left, left + step
        step += 1


def _looked_at(a: int, b: int, made: Mapping[int, _Seen]) -> Pair:
    first, second = sorted((a, b))
    distance = (made[first].hash ^ made[second].hash).bit_count()
    return Pair(first, second, distance, likeness_of(made[first].grey, made[second].grey))


def _levelled(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Returns the picture at a mean of 128 and a standard deviation of 50."""
    values = grey.astype(np.float32)
    return np.asarray((values - values.mean()) / max(float(values.std()), 1.0) * 50.0 + 128.0, dtype=np.float32)


def _alike(names: Mapping[int, str]) -> list[tuple[int, ...]]:
    """Returns the numbers with equal names together, in order."""
    groups: dict[str, list[int]] = {}
    for number, name in names.items():
        groups.setdefault(name, []).append(number)
    return [tuple(group) for group in groups.values()]


def _groups(linked: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Returns what is connected, each group and all groups in order."""
    root: dict[int, int] = {}

    def root_of(number: int) -> int:
        while root.setdefault(number, number) != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for members in linked:
        least = min(root_of(number) for number in members)
        for number in members:
            root[root_of(number)] = least
    together: dict[int, list[int]] = {}
    for number in sorted(root):
        together.setdefault(root_of(number), []).append(number)
    return [tuple(group) for group in together.values()]
