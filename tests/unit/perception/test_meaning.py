from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.perception import meaning
from foveate.perception.meaning import Phrases, findable, kinds_of, look_for, stored_phrases, things_of
from foveate.perception.phrase_book import phrase_book, whole_book
from foveate.perception.questions import understand
from foveate.perception.words import content_stems


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Bags of stems: alike where they share words."""
    vectors = np.zeros((len(texts), 2048), dtype=np.float32)
    vectors[:, 0] = 1e-3
    for row, text in enumerate(texts):
        for stem in content_stems(text):
            vectors[row, int.from_bytes(hashlib.sha256(stem.encode()).digest()[:2]) % 2048] += 1
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


@pytest.fixture(scope="module")
def phrases() -> Phrases:
    return meaning.embedded_phrases(embed)


def best(likely: dict[str, float]) -> str:
    return max(likely, key=lambda thing: likely[thing])


def test_the_most_alike_phrase_decides(phrases: Phrases) -> None:
    likely = things_of("What shears wool from a sheep for winter warmth?", embed, phrases)
    assert list(likely) == list(whole_book().things)
    assert sum(likely.values()) == pytest.approx(1)
    assert best(things_of("Which animal purrs and has whiskers?", embed, phrases)) == "cat"
    assert best(things_of("What sweeps dirt off the floor?", embed, phrases)) == "broom"


def test_kinds_leave_the_rest_to_other_things(phrases: Phrases) -> None:
    kinds = kinds_of("Which animal purrs and has whiskers?", embed, phrases)
    assert list(kinds) == list(phrase_book().things)
    others = kinds_of("What sweeps dirt off the floor?", embed, phrases)
    assert findable(kinds) > 0.8 > 0.2 > findable(others)


def test_a_score_is_that_of_the_rule() -> None:
    at = list(whole_book().things).index("cat")
    phrases = Phrases(
        ("cat", "purr", "mew", "what purrs"),
        np.array([at, at, at, at]),
        np.array([0, 1, 1, 2]),
        ("", "", "", "here.jpg"),
        np.array([[0.6, 0.8], [1.0, 0.0], [0.8, 0.6], [0.8, 0.6]], dtype=np.float32),
    )
    scores = meaning.scores_of(np.array([1.0, 0.0], dtype=np.float32), phrases)
    votes = 0.05 * np.log(np.exp(1 / 0.05) + 2 * np.exp(0.8 / 0.05))
    assert scores[at] == pytest.approx(14 * votes + 6 * 1.0 + 4 * 0.6, abs=1e-4)
    assert np.delete(scores, at).tolist() == [0.0] * (len(scores) - 1)


def test_examples_about_scored_photos_can_be_left_out(phrases: Phrases) -> None:
    photos = {photo for photo in phrases.photo if photo}
    assert len(photos) == 3
    rest = phrases.without(photos)
    assert len(rest.texts) == len(phrases.texts) - 3
    assert rest.vectors.shape == (len(rest.texts), 2048)
    assert not photos & set(rest.photo)
    assert len(phrases.without([]).texts) == len(phrases.texts)


def test_the_package_carries_the_vectors_of_its_own_texts(phrases: Phrases) -> None:
    stored = stored_phrases()
    assert stored.texts == phrases.texts
    assert stored.thing.tolist() == phrases.thing.tolist()
    assert stored.vectors.shape == (len(phrases.texts), 384)
    assert np.allclose(np.linalg.norm(stored.vectors, axis=1), 1, atol=1e-5)


def test_vectors_of_other_texts_are_refused() -> None:
    with (
        mock.patch.object(meaning, "fingerprint", return_value="another"),
        pytest.raises(ValueError, match="other texts"),
    ):
        stored_phrases.__wrapped__()


def test_written_vectors_are_read_as_they_were(tmp_path: Path, phrases: Phrases) -> None:
    meaning.write_vectors(tmp_path / meaning.VECTORS, phrases)
    with mock.patch.object(meaning, "files", return_value=tmp_path):
        read = stored_phrases.__wrapped__()
    assert np.abs(read.vectors - phrases.vectors).max() < 0.01


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What color is the cat's bowl?", {"bowl": 1.0, "cat": 0.5}),
        ("How many helmets are there?", {"helmet": 1.0}),
        ("What does the sign say?", {"sign": 1.0}),
        ("Where is my laptop?", {"laptop": 1.0}),
        ("What color is my lurgy?", {}),
        ("What color is this?", {}),
        ("Describe the picture.", {}),
        ("What is this?", {}),
    ],
)
def test_what_a_question_names_is_looked_for(question: str, things: dict[str, float]) -> None:
    assert look_for(understand(question)[0]) == things


def test_what_it_describes_is_looked_for_by_meaning_or_words(phrases: Phrases) -> None:
    asked = understand("What sweeps the floor?")[0]
    for found in (look_for(asked), look_for(asked, embed, phrases)):
        assert next(iter(found)) == "broom"
        assert list(found.values()) == sorted(found.values(), reverse=True)


def test_a_name_that_the_book_lacks_is_looked_for_by_meaning(phrases: Phrases) -> None:
    asked = understand("Is there a bleating flock?")[0]
    assert asked.about == "bleating flock"
    assert next(iter(look_for(asked, embed, phrases))) == "sheep"
