"""Batches: several questions of each of several photos, so that a photo is looked at once for all of them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from queue import Queue
from threading import Thread
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from foveate.networks._batches import GridBatch, RegionBatch
from foveate.training.examples import Examples

Rows = NDArray[np.int64]
Batch = GridBatch | RegionBatch
# Batches that are read while one is computed.
_AHEAD = 2


class Reader(Protocol):
    """Reads the features of photos and makes a batch of questions about them."""

    def batch(
        self, names: Sequence[str], words: Rows, there: NDArray[np.bool_], photo: Rows
    ) -> GridBatch | RegionBatch:
        """Returns a batch.

        Args:
            names: The photos.
            words: Ids of the questions' words ``(B, L)``.
            there: Where there is a word ``(B, L)``.
            photo: Which photo each question is about ``(B,)``.

        Raises:
            InputError: A photo has no features.
        """


@dataclass(frozen=True, eq=False)
class Asked:
    """A batch with what is right.

    Attributes:
        batch: What goes into the network.
        targets: How right each answer is ``float32 (B, A)``.
        rows: Which questions they are ``(B,)``.
    """

    batch: Batch
    targets: torch.Tensor
    rows: Rows


def shuffled(examples: Examples, rows: Rows, photos: int, questions: int, seed: int, epoch: int) -> list[Rows]:
    """Returns the questions of each batch of an epoch; the same seed and epoch give the same.

    Questions of a photo come in bundles of at most `questions`, a batch has `photos` bundles, the last one of an epoch
    may have fewer.

    Args:
        examples: All questions.
        rows: Those that are asked.
        photos: Bundles a batch.
        questions: Questions a bundle.
        seed: Of the training.
        epoch: Counted from 0.
    """
    random = np.random.default_rng([seed, epoch])
    drawn = rows[random.permutation(len(rows))]
    drawn = drawn[np.argsort(examples.photo[drawn], kind="stable")]
    bundles = [part for one in _by_photo(examples, drawn) for part in _cut(one, questions)]
    order = random.permutation(len(bundles))
    return [np.concatenate([bundles[n] for n in order[at : at + photos]]) for at in range(0, len(order), photos)]


def in_order(examples: Examples, rows: Rows, photos: int) -> list[Rows]:
    """Returns the questions of each batch, photo by photo, all of them."""
    drawn = rows[np.argsort(examples.photo[rows], kind="stable")]
    bundles = _by_photo(examples, drawn)
    return [np.concatenate(bundles[at : at + photos]) for at in range(0, len(bundles), photos)]


def read(examples: Examples, batches: Sequence[Rows], reader: Reader, answers: int) -> Generator[Asked]:
    """Yields batches; the next ones are read while one is used.

    Raises:
        InputError: A photo has no features.
    """
    queue: Queue[Asked | Exception | None] = Queue(_AHEAD)
    stopped = False

    def fill() -> None:
        try:
            for rows in batches:
                if stopped:
                    return
                queue.put(asked(examples, rows, reader, answers))
            queue.put(None)
        except Exception as error:
            queue.put(error)

    Thread(target=fill, daemon=True, name="reading features").start()
    try:
        while (found := queue.get()) is not None:
            if isinstance(found, Exception):
                raise found
            yield found
    finally:
        stopped = True
        while not queue.empty():
            queue.get_nowait()


def asked(examples: Examples, rows: Rows, reader: Reader, answers: int) -> Asked:
    """Returns one batch."""
    photos, which = np.unique(examples.photo[rows], return_inverse=True)
    words, there = examples.words[rows], examples.there[rows]
    longest = int(there.sum(axis=1).max())
    names = [examples.names[photo] for photo in photos]
    batch = reader.batch(names, words[:, :longest], there[:, :longest], which.astype(np.int64))
    return Asked(batch, torch.from_numpy(examples.targets(rows, answers)), rows)


def _by_photo(examples: Examples, rows: Rows) -> list[Rows]:
    return np.split(rows, np.flatnonzero(np.diff(examples.photo[rows])) + 1) if len(rows) else []


def _cut(rows: Rows, most: int) -> list[Rows]:
    return [rows[at : at + most] for at in range(0, len(rows), most)]
