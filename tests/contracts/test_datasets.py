"""What every data set promises, tried on its own tiny copy in the official layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foveate import plugins
from foveate.core.cards import DatasetCard
from foveate.core.queries import Image
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import UsageError

NAMES = list(plugins.modules("datasets"))


def opened(name: str, root: Path) -> list[Dataset]:
    module = plugins.load("datasets", name)
    module.write_tiny(root)
    return [open_dataset(f"{name}:{split}", root) for split in module.CARD.splits]


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name: str) -> None:
    card: DatasetCard = plugins.load("datasets", name).CARD
    assert card.name == name
    assert card.title
    assert card.summary.endswith(".")
    assert card.licence
    assert card.splits
    assert card.evaluate_as in {"box", "mask", "answer"}


@pytest.mark.parametrize("name", NAMES)
def test_queries_and_truths_belong_together(name: str, tmp_path: Path) -> None:
    for data in opened(name, tmp_path):
        queries, truths = list(data.queries()), list(data.truths())
        ids = [query.id for query in queries]
        assert len(ids) >= 3
        assert len(set(ids)) == len(ids)
        assert ids == [truth.id for truth in truths]
        assert [q.id for q, _ in data.samples()] == ids
        if data.card.evaluate_as == "answer":
            assert not any(truth.targets for truth in truths)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_known_of_a_sample_is_explained_by_the_card(name: str, tmp_path: Path) -> None:
    for data in opened(name, tmp_path):
        known = {fact for truth in data.truths() for fact in truth.facts}
        assert known <= set(data.card.facts)
        assert all(sentence for sentence in data.card.facts.values())


@pytest.mark.parametrize("name", NAMES)
def test_photos_are_lazy_upright_and_of_the_stated_size(name: str, tmp_path: Path) -> None:
    for data in opened(name, tmp_path):
        for query in data.queries():
            assert isinstance(query.image, Image)
            assert query.image.size_hw == query.size_hw
            pixels = query.image.load()
            assert pixels.dtype == np.uint8
            assert pixels.shape == (*query.image.size_hw, 3)


@pytest.mark.parametrize("name", NAMES)
def test_reading_twice_gives_the_same(name: str, tmp_path: Path) -> None:
    for data in opened(name, tmp_path):
        assert list(data.queries()) == list(data.queries())
        assert list(data.truths()) == list(data.truths())
        assert fingerprint(list(data.queries())) == fingerprint(list(data.queries())[::-1])


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_split_lists_those_there_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no split nowhere. Name one: "):
        open_dataset(f"{name}:nowhere", tmp_path)
