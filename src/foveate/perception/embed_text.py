"""Sentences as vectors whose likeness is that of their meaning: all-MiniLM-L6-v2."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foveate.perception.sessions import run

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]
WIDTH = 384
# What the encoder was trained for; the rest of a longer text is not read.
MOST_TOKENS = 256
_MOST_AT_ONCE = 64
_MOST_KEPT = 10_000

_kept: dict[str, Vectors] = {}
_lock = threading.Lock()


def embed_text(texts: Sequence[str]) -> Vectors:
    """Returns a vector for each text; the dot product of two is their likeness, -1 to 1.

    English only; upper and lower case are one. Vectors are kept, so that a text costs its few milliseconds once in a
    process. What stands beside a text changes its vector by rounding alone (1e-7).

    Args:
        texts: Sentences, phrases or words, of at most 256 tokens.

    Returns:
        ``float32 (N, 384)``, of unit length.

    References:
        Reimers, Gurevych: Sentence-BERT, EMNLP 2019; the model sentence-transformers/all-MiniLM-L6-v2.
    """
    with _lock:
        known = {text: _kept[text] for text in texts if text in _kept}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        known.update(zip(missing, _embedded(missing), strict=True))
        if len(_kept) + len(missing) > _MOST_KEPT:
            _kept.clear()
        _kept.update((text, known[text]) for text in missing)
    return np.stack([known[text] for text in texts]) if len(texts) else np.zeros((0, WIDTH), np.float32)


def _embedded(texts: list[str]) -> list[Vectors]:
    """Returns the vectors of texts; those of one length go together, since the network takes no padding."""
    vectors: list[Vectors] = [np.empty(0, np.float32)] * len(texts)
    tokens = [coded.ids for coded in _tokenizer().encode_batch(texts)] if texts else []
    lengths: defaultdict[int, list[int]] = defaultdict(list)
    for place, ids in enumerate(tokens):
        lengths[len(ids)].append(place)
    for places in lengths.values():
        for first in range(0, len(places), _MOST_AT_ONCE):
            batch = places[first : first + _MOST_AT_ONCE]
            found = run("all_minilm_l6_v2", np.array([tokens[place] for place in batch], dtype=np.int64))
            for place, vector in zip(batch, found, strict=True):
                vectors[place] = vector
    return vectors


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    from foveate.sources.weights import file_path

    tokenizer = Tokenizer.from_file(str(file_path("all_minilm_l6_v2", "tokenizer.json")))
    # The file asks for 128 tokens, whatever the text; the encoder's own limit is another.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    return tokenizer
