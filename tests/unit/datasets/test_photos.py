from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from foveate.core.overlap import mask_iou
from foveate.core.regions import Box, Polygon
from foveate.core.rle import area
from foveate.core.truths import Truth
from foveate.datasets._open import open_dataset
from foveate.datasets.photos import CARD, _declared, _outlines, members, question_types, write_tiny
from foveate.errors import InputError
from tests.helpers import REPOSITORY, save_photo

SAMPLES = {query.id: (query, truth) for query, truth in open_dataset("photos").samples()}
TRUTHS = {name: truth for name, (_, truth) in SAMPLES.items()}
NUMBERS = {"coins#count": 24, "motorcycle#wheels": 2, "rocket#towers": 4, "china#roofs": 4, "flower#count": 2}


def of_type(kind: str) -> list[Truth]:
    return [TRUTHS[name] for name, its_kind in question_types().items() if its_kind == kind]


def test_a_dozen_photos_and_questions_of_every_type() -> None:
    assert {query.image_name for query, _ in SAMPLES.values()} == {photo["file"] for photo in _declared()}
    assert len(_declared()) == 12
    counts = Counter(question_types().values())
    assert counts.total() == len(SAMPLES) == CARD.splits["all"]
    assert set(counts) == {
        "object", "use", "colour", "text", "counting", "yes_no", "whole_image", "what_is_this", "unanswerable",
    }  # fmt: skip
    assert min(counts.values()) >= 4


def test_the_real_photos_are_of_the_declared_sizes() -> None:
    """Needs the photos, which `make test` fetches first; there is no network here."""
    for query, truth in SAMPLES.values():
        assert query.image is not None
        assert query.image.size_hw == query.size_hw == truth.size_hw


def test_answers_are_accepted_ones_and_no_votes() -> None:
    for truth in TRUTHS.values():
        assert 1 <= len(truth.answers) <= 10
        assert len({answer.lower() for answer in truth.answers}) == len(truth.answers)
        assert not truth.polled
    assert {truth.answers[0] for truth in of_type("yes_no")} == {"yes", "no"}


def test_only_what_no_photo_answers_is_without_a_target() -> None:
    unanswerable = of_type("unanswerable")
    assert [truth for truth in TRUTHS.values() if not truth.targets] == unanswerable
    assert all(not truth.answerable and truth.answers == ("unanswerable",) for truth in unanswerable)


def test_what_is_counted_is_outlined_one_by_one() -> None:
    for name, number in NUMBERS.items():
        truth = TRUTHS[name]
        assert truth.match == "union"
        assert truth.answers[0] == str(len(truth.targets)) == str(number)


def test_the_coins_lie_apart() -> None:
    truth = TRUTHS["coins#count"]
    assert truth.size_hw is not None
    masks = [target.shape.rle(truth.size_hw) for target in truth.targets]
    one, other = zip(*combinations(masks, 2), strict=True)
    assert mask_iou(one, other, empty=0.0).max() == 0
    largest = TRUTHS["coins#largest"].targets[0].shape.rle(truth.size_hw)
    assert area(largest) == max(map(area, masks))


def test_a_whole_image_is_the_whole_image() -> None:
    for truth in of_type("whole_image"):
        assert truth.size_hw is not None
        height, width = truth.size_hw
        assert [target.shape for target in truth.targets] == [Box((0, 0, width, height))]


def test_things_joined_are_one_target() -> None:
    cup, together = TRUTHS["coffee#what"].targets
    assert isinstance(cup.shape, Polygon)
    assert isinstance(together.shape, Polygon)
    assert together.shape.parts[: len(cup.shape.parts)] == cup.shape.parts
    assert len(together.shape.parts) == 3


def test_every_outline_is_asked_for() -> None:
    named = {
        (photo["file"], name)
        for photo in _declared()
        for question in photo["questions"]
        for target in question["targets"]
        for name in target.split("+")
        if name != "image"
    }
    assert named == {(file, name) for file, things in _outlines().items() for name in things}


def test_each_photo_is_pinned_once_and_its_author_is_credited() -> None:
    assert len({member.sha256 for member in members()}) == len(members()) == 12
    notice = " ".join((REPOSITORY / "NOTICE").read_text(encoding="utf-8").split())
    for photo in _declared():
        assert f"{photo['file']} ({photo['author']}, {photo['licence']}" in notice
        assert photo["author"] in str(CARD.citation)


def test_a_root_without_the_photos(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"coffee\.png: the photo is not there"):
        list(open_dataset("photos", tmp_path).queries())


def test_a_root_with_another_photo_of_the_name(tmp_path: Path) -> None:
    write_tiny(tmp_path)
    save_photo(tmp_path / "chelsea.png")
    with pytest.raises(InputError, match=r"chelsea\.png: the photo is 64 wide and 48 high, not 451 wide and 300 high"):
        list(open_dataset("photos", tmp_path).queries())
