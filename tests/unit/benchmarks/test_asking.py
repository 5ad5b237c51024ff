from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks import _asking
from benchmarks._variants import Variant, changed
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.grounders import pocket
from foveate.perception import propose
from foveate.perception.example_questions import example_questions
from foveate.perception.meaning import Phrases, stored_phrases
from foveate.perception.phrase_book import phrase_book
from tests.unit.benchmarks.made import dog

RIGHT, NEAR, FAR = (20.0, 20.0, 60.0, 60.0), (20.0, 20.0, 60.0, 50.0), (100.0, 20.0, 160.0, 60.0)


def proposals(*things: tuple[str, tuple[float, float, float, float]]) -> propose.Proposals:
    places = list(phrase_book().things)
    return propose.Proposals(
        np.array([xyxy for _, xyxy in things]).reshape(-1, 4),
        np.array([places.index(kind) for kind, _ in things], dtype=np.int64),
        np.linspace(0.9, 0.1, len(things)),
    )


def test_the_phrases_lack_the_question_that_is_asked_and_nothing_else() -> None:
    whole = stored_phrases().without(each.photo for each in example_questions())
    left = _asking.without("what animal can BARK")
    assert set(whole.texts) - set(left.texts) == {"What animal can bark?"}
    assert len(left.texts) == len(whole.texts) - 1 == len(_asking.without("Where is the dog?").texts) - 1


def test_the_phrases_lack_the_questions_about_the_cups_photos() -> None:
    assert "what do we use to strike when we play tennis" in stored_phrases().texts
    assert "what do we use to strike when we play tennis" not in _asking.without("Where is the dog?").texts


def test_the_best_box_is_the_nearest_of_the_kind_or_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = proposals(("cat", RIGHT), ("dog", FAR), ("dog", NEAR))
    monkeypatch.setattr(propose, "propose", lambda image: found)
    sample = dog(tmp_path)
    (of_kind,), (of_all,) = (_asking.best_boxes([sample], of_kind=only) for only in (True, False))
    assert of_kind.final is not None
    assert of_all.final is not None
    assert (of_kind.final.shape, of_all.final.shape) == (Box(NEAR), Box(RIGHT))


def test_a_box_of_another_kind_is_no_box_of_the_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propose, "propose", lambda image: proposals(("cat", RIGHT)))
    assert [each.status for each in _asking.best_boxes([dog(tmp_path)], of_kind=True)] == ["no_region"]


def test_pocket_reads_the_phrases_without_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Reading:
        def __init__(self, phrases: Phrases | None = None) -> None:
            self.phrases = phrases

        def prepare(self, image: object, size_hw: object) -> None:
            pass

        def ground(self, question: str) -> Prediction:
            assert self.phrases is not None
            return Prediction("", "no_region", reason="read" if question in self.phrases.texts else "unread")

    monkeypatch.setattr(pocket, "Grounder", Reading)
    query = replace(dog(tmp_path).query, question="What animal can bark?")
    assert [each.reason for each in _asking.asked([query], _asking.Unread())] == ["unread"]


def test_without_boxes_there_is_no_best_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propose, "propose", lambda image: proposals())
    assert [each.status for each in _asking.best_boxes([dog(tmp_path)], of_kind=False)] == ["no_region"]
    assert [each.status for each in _asking.asked([dog(tmp_path).query], _asking.MostConfident())] == ["no_region"]


def test_the_most_confident_box_is_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propose, "propose", lambda image: proposals(("cat", FAR), ("dog", RIGHT)))
    (said,) = _asking.asked([dog(tmp_path).query], _asking.MostConfident())
    assert said.final is not None
    assert said.final.shape == Box(FAR)


def test_a_network_looks_once_at_a_photo_and_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[tuple[int, ...]] = []

    def look(image: NDArray[np.uint8], sides: tuple[int, ...] = (608,)) -> propose.Proposals:
        looks.append(sides)
        return proposals(("dog", RIGHT))

    monkeypatch.setattr(propose, "propose", look)
    black, white = np.zeros((4, 6, 3), np.uint8), np.full((4, 6, 3), 255, np.uint8)
    with _asking.remembered():
        for image in (black, white, black.copy(), black.reshape(6, 4, 3)):
            propose.propose(image)
        for _ in range(2):
            propose.propose(black, sides=(416,))
    assert looks == [(608,), (608,), (608,), (416,)]
    assert propose.propose is look


def test_photos_are_asked_one_after_the_other_and_decoded_once(tmp_path: Path) -> None:
    class Counting:
        prepared = 0

        def prepare(self, image: object, size_hw: object) -> None:
            self.prepared += 1

        def ground(self, question: str) -> Prediction:
            return Prediction("", "no_region", reason=question)

    grounder = Counting()
    first, second = (dog(tmp_path / name).query for name in ("a", "b"))
    said = _asking.asked([first, second, first], grounder)
    assert [each.reason for each in said] == ["Where is the dog?"] * 3
    assert grounder.prepared == 3  # One name, but two files: never taken for one photo.


def test_a_variant_is_in_place_only_while_it_is_asked() -> None:
    with changed(Variant("one box", {"foveate.perception.propose:MOST_BOXES": lambda now: now - 999})) as there:
        assert there
        assert propose.MOST_BOXES == 1
    assert propose.MOST_BOXES == 1000


def test_a_variant_of_what_is_not_there_says_so_and_changes_nothing() -> None:
    places = {
        "foveate.perception.propose:MOST_BOXES": lambda now: 1,
        "foveate.perception.propose:nothing": lambda now: 1,
    }
    with changed(Variant("of another version", places)) as there:
        assert not there
    assert propose.MOST_BOXES == 1000
