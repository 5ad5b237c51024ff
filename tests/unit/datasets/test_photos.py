from __future__ import annotations

from pathlib import Path

import pytest

from foveate.datasets._open import open_dataset
from foveate.datasets.photos import members
from foveate.errors import InputError


def test_the_real_photos_hold_every_box() -> None:
    """Needs the photos, which `make test` fetches first; there is no network here."""
    truths = {truth.id: truth for truth in open_dataset("photos").truths()}
    for query in open_dataset("photos").queries():
        assert query.size_hw is not None
        for target in truths[query.id].targets:
            assert target.shape.xyxy[2] <= query.size_hw[1]
            assert target.shape.xyxy[3] <= query.size_hw[0]


def test_there_are_questions_that_no_photo_answers() -> None:
    assert any(not truth.targets for truth in open_dataset("photos").truths())


def test_each_photo_is_pinned_once() -> None:
    assert len({member.sha256 for member in members()}) == len(members()) == 4


def test_a_root_without_the_photos(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"coffee\.png: the photo is not there"):
        list(open_dataset("photos", tmp_path).queries())
