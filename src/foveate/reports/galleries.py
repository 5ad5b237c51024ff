"""Which samples are shown as pictures, and why each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from foveate.reports.rows import STATES, Row, Said


@dataclass(frozen=True, slots=True)
class Gallery:
    """A choice of samples.

    Attributes:
        key: For links and filters.
        title: For people.
        about: What is in it, in a sentence.
        run: Of which run; None where it is of none.
        rows: The numbers of the samples, in the order in which they are shown.
    """

    key: str
    title: str
    about: str
    run: int | None
    rows: tuple[int, ...]


# By key: the title, and what is in it.
_TOLD = {
    "worst": ("Worst", "the lowest IoU among regions on samples with a target; of equals the surest first"),
    "best": ("Best", "the highest IoU"),
    "gain": ("Largest gain", "where the IoU is most above that of the first run"),
    "loss": ("Largest loss", "where the IoU is most below that of the first run"),
    "needless": ("Needless abstention", "no region, though there is a target"),
    "missed": ("Missed abstention", "anything but “no region”, though there is no target"),
    "random": ("Random", "drawn by the seed, from all samples"),
}


def galleries(rows: Sequence[Row], *, cards: int, seed: int) -> list[Gallery]:
    """Returns the galleries that have a sample, those of one kind together.

    Args:
        rows: All samples.
        cards: How many a gallery and run shows at most.
        seed: Of the random one.
    """
    runs = range(len(rows[0].said)) if rows else range(0)
    found = [
        _gallery(key, run, chosen[:cards])
        for key in ("worst", "best")
        for run in runs
        for chosen in [_ranked(rows, run, key)]
    ]
    found += [_gallery(key, run, _by_gain(rows, run, key)[:cards]) for key in ("gain", "loss") for run in runs[1:]]
    for state in STATES[1:]:
        found += [_gallery(state, run, _spread(_in_state(rows, run, state), cards)) for run in runs]
    found += [
        _gallery(key, run, _spread(_abstained(rows, run, key), cards)) for key in ("needless", "missed") for run in runs
    ]
    drawn = np.random.default_rng(seed).permutation(len(rows))[:cards]
    found.append(_gallery("random", None, drawn.tolist()))
    return [gallery for gallery in found if gallery.rows]


def _gallery(key: str, run: int | None, chosen: Iterable[int]) -> Gallery:
    title, about = _TOLD.get(key, (key, f"predictions in the state {key}"))
    return Gallery(key, title, about, run, tuple(chosen))


def _ranked(rows: Sequence[Row], run: int, key: str) -> list[int]:
    sign = 1 if key == "worst" else -1

    def order(n: int) -> tuple[float, float]:
        said = rows[n].said[run]
        return sign * (said.iou or 0.0), -(said.score or 0.0)

    return sorted(_where(rows, run, lambda row, said: said.ok and said.iou is not None), key=order)


def _by_gain(rows: Sequence[Row], run: int, key: str) -> list[int]:
    sign = 1 if key == "gain" else -1
    gains = {n: sign * (row.gain(run) or 0.0) for n, row in enumerate(rows)}
    return sorted((n for n, gain in gains.items() if gain > 0), key=lambda n: -gains[n])


def _in_state(rows: Sequence[Row], run: int, state: str) -> list[int]:
    return _where(rows, run, lambda row, said: said.state == state)


def _abstained(rows: Sequence[Row], run: int, key: str) -> list[int]:
    """Returns samples where abstaining was needless, or was missed; where nothing is there, `no_region` is right."""
    if key == "missed":
        return _where(rows, run, lambda row, said: not row.grounded and said.state != "no_region")
    if all(row.grounded for row in rows):
        return []  # Then they are just those of the state `no_region`.
    return _where(rows, run, lambda row, said: row.grounded and said.state == "no_region")


def _where(rows: Sequence[Row], run: int, holds: Callable[[Row, Said], bool]) -> list[int]:
    return [n for n, row in enumerate(rows) if holds(row, row.said[run])]


def _spread(numbers: Sequence[int], count: int) -> list[int]:
    """Returns so many of the numbers, evenly over all of them, since a data set may be sorted."""
    if len(numbers) <= count or not count:
        return list(numbers[:count])
    return [numbers[round(k)] for k in np.linspace(0, len(numbers) - 1, count)]
