"""Our graphs against PyTorch: live where it is installed, everywhere against what it gave (`torch_witness.py`)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from foveate.formats.torch_legacy import read_torch_legacy
from foveate.perception.embed_text import embed_text
from foveate.perception.sessions import run
from foveate.sources.weights import file_path
from tests.reference import torch_witness as witness

pytestmark = pytest.mark.reference


@pytest.fixture(scope="module")
def stored() -> Any:
    return json.loads(witness.STORED.read_text(encoding="utf-8"))


def test_sentences_are_those_of_pytorch(stored: Any) -> None:
    assert list(stored["sentences"]) == list(witness.SENTENCES)
    vectors = embed_text(witness.SENTENCES)
    assert np.abs(vectors - np.array(list(stored["sentences"].values()))).max() < 1e-4


def test_names_of_photos_are_those_of_pytorch(stored: Any) -> None:
    assert set(stored["photos"]) == set(witness.PHOTOS)
    for name, photo in witness.middles().items():
        chances = run("efficientnet_lite2", photo)[0]
        wanted = stored["photos"][name]
        assert len(wanted) == 10
        assert [chances[int(place)] for place in wanted] == pytest.approx(list(wanted.values()), abs=1e-4)
        assert np.argsort(-chances)[0] == int(next(iter(wanted)))


# Similarities that the model is known for; the stored vectors of PyTorch above are the witness.
PUBLISHED = (
    ("The new movie is awesome", "The new movie is so great", 0.8939),
    ("The cat sits outside", "The cat plays in the garden", 0.6788),
    ("I love pasta", "Do you like pizza?", 0.5096),
)


@pytest.mark.parametrize(("first", "second", "similarity"), PUBLISHED)
def test_similarities_are_the_published_ones(first: str, second: str, similarity: float) -> None:
    a, b = embed_text([first, second])
    assert float(a @ b) == pytest.approx(similarity, abs=1e-4)


def test_live_sentences() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    for text in witness.SENTENCES:
        assert np.abs(embed_text([text])[0] - witness.sentence(text)).max() < 1e-4


def test_live_names_of_photos() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    for photo in witness.middles().values():
        assert np.abs(run("efficientnet_lite2", photo)[0] - witness.lite2(photo)).max() < 1e-4


def test_live_arrays_are_read_as_pytorch_reads_them() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    arrays, state = read_torch_legacy(file_path("efficientnet_lite2", witness.LITE2)), witness.lite2_state()
    assert arrays.keys() == state.keys()
    assert sum(not array.is_contiguous() for array in state.values()) == 65
    for name, array in state.items():
        assert arrays[name].dtype == array.numpy().dtype
        assert (arrays[name] == array.numpy()).all()
