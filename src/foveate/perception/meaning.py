"""How likely a question asks for each thing, by meaning: the book's phrases and real questions, as vectors.

The phrases' vectors are kept with the package (`meaning_vectors.npz`), since an encoder takes a minute for them; the
question's comes from the encoder that the caller gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.perception.example_questions import example_questions
from foveate.perception.matching import match_things, names_its_thing
from foveate.perception.phrase_book import phrase_book, whole_book
from foveate.perception.questions import Asked

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
VECTORS = "meaning_vectors.npz"

# A neighbour's vote falls by e for every 0.05 of likeness.
_REACH = 0.05
# Found by cross-validation on the example questions, rounded (design/understanding-questions.md).
_VOTES, _BEST_USE, _BEST_NAME = 14.0, 6.0, 4.0


@dataclass(frozen=True, slots=True)
class Phrases:
    """Everything that a question is compared with.

    Attributes:
        texts: Names, uses and example questions.
        thing: The place of each one's thing in the whole book: ``int (N,)``.
        sort: 0 for a name, 1 for a use, 2 for an example question: ``int (N,)``.
        photo: The photo of an example that may have to be left out; empty for all else.
        vectors: ``float32 (N, D)``, of unit length.
    """

    texts: tuple[str, ...]
    thing: NDArray[np.intp]
    sort: NDArray[np.intp]
    photo: tuple[str, ...]
    vectors: NDArray[np.float32]

    def without(self, photos: Iterable[str]) -> Phrases:
        """Returns the same without the example questions about some photos, on which something is to be scored."""
        left_out = frozenset(photos)
        kept = np.array([photo not in left_out or not photo for photo in self.photo])
        return self.take(np.flatnonzero(kept))

    def take(self, rows: NDArray[np.intp]) -> Phrases:
        """Returns some of them, in the order of `rows`."""
        return Phrases(
            tuple(self.texts[row] for row in rows),
            self.thing[rows],
            self.sort[rows],
            tuple(self.photo[row] for row in rows),
            self.vectors[rows],
        )


def look_for(asked: Asked, embed: Embed | None = None, phrases: Phrases | None = None) -> dict[str, float]:
    """Returns the things of the whole book that a question is about, each with its weight, 0 to 1, the best first.

    What a question names counts as named ("what colour is my car?"); what it describes is found by meaning, or by its
    words where there is no encoder. Empty where it is about "this", or about nothing that the book has.

    Example:
        >>> from foveate.perception.questions import understand
        >>> look_for(understand("What color is the cat's bowl?")[0])
        {'bowl': 1.0, 'cat': 0.5}
    """
    text = asked.about or asked.text
    if asked.about:
        named = names_its_thing(asked.about)
        if named or asked.type not in {"object", "yes_no", "count"}:
            return named
    elif asked.type != "object":
        return {}
    found = things_of(text, embed, phrases) if embed else match_things(text)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def kinds_of(question: str, embed: Embed, phrases: Phrases | None = None) -> dict[str, float]:
    """Returns how likely a question asks for each of the detector's 80 kinds; the rest to 1 is for other things.

    Args:
        question: In English.
        embed: Gives each text a vector of unit length.
        phrases: What it is compared with; by default the package's own, made with all-MiniLM-L6-v2, which `embed` must
            then be too.
    """
    likely = things_of(question, embed, phrases)
    return {kind: likely[kind] for kind in phrase_book().things}


def findable(kinds: Mapping[str, float]) -> float:
    """Returns how likely what is asked for is one of the 80 kinds at all."""
    return min(sum(kinds.values()), 1.0)


def things_of(question: str, embed: Embed, phrases: Phrases | None = None) -> dict[str, float]:
    """Returns how likely a question asks for each thing of the whole book; the sum is 1.

    The softmax of 14 v + 6 u + 4 n, where u and n are the likeness (cosine) of the question to the thing's most similar
    phrase of use and name, and v = 0.05 log Σ exp(likeness / 0.05) over its phrases of use and example questions: each
    is a vote that counts more the nearer it is.

    Args:
        question: In English.
        embed: As for `kinds_of`.
        phrases: As for `kinds_of`.
    """
    phrases = phrases or stored_phrases()
    return dict(zip(whole_book().things, softmax(scores_of(embed([question])[0], phrases)).tolist(), strict=True))


def scores_of(vector: NDArray[np.float32], phrases: Phrases) -> NDArray[np.float64]:
    """Returns the score of each thing of the whole book for the vector of a question: ``float64 (T,)``."""
    likeness = (phrases.vectors @ vector).astype(np.float64)
    count = len(whole_book().things)
    voting = phrases.sort > 0
    votes = np.bincount(phrases.thing[voting], np.exp(likeness[voting] / _REACH), count)
    # A thing without phrases is no more likely than one whose single phrase has nothing in common with the question.
    score = _VOTES * _REACH * np.log(np.maximum(votes, 1.0))
    for sort, weight in ((1, _BEST_USE), (0, _BEST_NAME)):
        rows = phrases.sort == sort
        best = np.full(count, -np.inf)
        np.maximum.at(best, phrases.thing[rows], likeness[rows])
        score += weight * np.where(np.isfinite(best), best, 0.0)
    return score


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns scores as shares of 1."""
    powers = np.exp(scores - scores.max())
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


def embedded_phrases(embed: Embed) -> Phrases:
    """Returns all names, uses and example questions with the vectors that an encoder gives them; takes its time."""
    rows = _rows()
    return _phrases(rows, embed([text for text, *_ in rows]))


@lru_cache(maxsize=1)
def stored_phrases() -> Phrases:
    """Returns the same with the vectors of all-MiniLM-L6-v2 that the package carries.

    Raises:
        ValueError: They belong to other texts: the book was changed since; see `benchmarks/understanding.py --write`.
    """
    rows = _rows()
    with files("foveate.perception").joinpath(VECTORS).open("rb") as file, np.load(file) as stored:
        if stored["texts_sha256"].tobytes().decode() != fingerprint([text for text, *_ in rows]):
            raise ValueError(f"{VECTORS} belongs to other texts than the phrase book has now")
        vectors = stored["codes"].astype(np.float32) * stored["scale"][:, None]
    return _phrases(rows, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def fingerprint(texts: Sequence[str]) -> str:
    """Returns the sha256 of texts in their order."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def write_vectors(path: Path, phrases: Phrases) -> None:
    """Writes what `stored_phrases` reads: each vector as whole numbers of -127 to 127 and a factor."""
    scale = np.abs(phrases.vectors).max(1) / 127
    codes = np.rint(phrases.vectors / scale[:, None]).astype(np.int8)
    texts = np.frombuffer(fingerprint(phrases.texts).encode(), np.uint8)
    np.savez_compressed(path, codes=codes, scale=scale.astype(np.float32), texts_sha256=texts)


def _rows() -> list[tuple[str, int, int, str]]:
    """Returns text, thing, sort and photo of everything that a question is compared with."""
    things = whole_book().things
    place = {name: at for at, name in enumerate(things)}
    names = [(name, at, 0, "") for at, thing in enumerate(things.values()) for name in thing.called]
    uses = [(use, at, 1, "") for at, thing in enumerate(things.values()) for use in thing.uses]
    asked = [(each.question, place[each.thing], 2, each.photo) for each in example_questions() if each.thing]
    return [*names, *uses, *asked]


def _phrases(rows: list[tuple[str, int, int, str]], vectors: NDArray[np.float32]) -> Phrases:
    texts, thing, sort, photo = zip(*rows, strict=True)
    return Phrases(texts, np.array(thing), np.array(sort), photo, vectors)
