"""These run the real encoder: the weights `all_minilm_l6_v2` must be in the cache, where the Makefile puts them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from foveate.perception import embed_text as module
from foveate.perception import sessions
from foveate.perception.embed_text import MOST_TOKENS, embed_text


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_kept", {})


def likeness(first: str, second: str) -> float:
    a, b = embed_text([first, second])
    return float(a @ b)


def test_vectors_are_of_unit_length_in_the_order_of_the_texts() -> None:
    texts = ["a cup of coffee", "dog", "", "dog", "Where do people sit when they watch television in the evening?"]
    vectors = embed_text(texts)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    assert (vectors[1] == vectors[3]).all()
    assert embed_text([]).shape == (0, 384)


def test_what_means_the_same_is_alike() -> None:
    asked = "What do we use to keep the rain off?"
    assert likeness(asked, "umbrella") > likeness(asked, "spoon") + 0.2
    assert likeness("a puppy", "a young dog") > likeness("a puppy", "a young cat") > likeness("a puppy", "a fridge")


def test_case_and_accents_do_not_matter() -> None:
    assert likeness("Café", "cafe") == pytest.approx(1, abs=1e-6)


def test_a_text_alone_and_among_others_is_the_same_up_to_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        f"{word} on the {place}" for word in ("cup", "cat", "old book", "traffic light") for place in ("sea", "bed")
    ]
    together = embed_text(texts)
    monkeypatch.setattr(module, "_kept", {})
    alone = np.concatenate([embed_text([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6


def test_a_text_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[tuple[int, ...]] = []

    def counted(name: str, values: Any) -> Any:
        shapes.append(values.shape)
        return sessions.run(name, values)

    monkeypatch.setattr(module, "run", counted)
    first = embed_text(["a red car", "a blue car", "a red car", "sea"])
    assert sorted(shapes) == [(1, 3), (2, 5)]
    assert (embed_text(["sea", "a red car"]) == first[[3, 0]]).all()
    assert len(shapes) == 2


def test_many_texts_go_in_bounded_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_AT_ONCE", 3)
    numbers = [f"number {one}" for one in range(1, 9)]
    assert embed_text(numbers) == pytest.approx(np.concatenate([embed_text([text]) for text in numbers]))


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_KEPT", 3)
    first = embed_text(["a", "b", "c"])
    assert len(module._kept) == 3
    again = embed_text(["d", "a"])
    assert len(module._kept) <= 3
    assert again[1] == pytest.approx(first[0], abs=1e-6)


def test_a_long_text_is_read_up_to_the_limit() -> None:
    assert likeness("word " * (MOST_TOKENS - 2), "word " * 900 + "other") == pytest.approx(1, abs=1e-6)
    assert likeness("word " * (MOST_TOKENS - 3) + "car", "word " * (MOST_TOKENS - 3) + "sea") < 0.9999


@pytest.mark.parametrize(
    "text", ["\0", "\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"), "🦄" * 300, "文字"]
)
def test_odd_texts_have_a_vector_too(text: str) -> None:
    assert np.isfinite(embed_text([text])).all()


def test_several_threads_at_once() -> None:
    texts = [f"thing {place}" for place in range(12)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda place: embed_text([texts[place % 12], "thing"]), range(36)))
    assert all((a == b).all() for a, b in zip(found[:12], found[12:24], strict=True))
