from __future__ import annotations

import pytest

from foveate.assist.desk.pace import Pace
from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.shelf import Kept, Shelf
from foveate.assist.desk.states import FullError, GoneError
from foveate.errors import InputError
from tests.unit.assist.desk.fakes import a_photo

MEBI = (1024, 1024 // 3)  # A photo of about one mebibyte, never more.


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def shelf(**limits: float) -> tuple[Shelf, Clock, list[int]]:
    clock, left = Clock(), list[int]()

    def gone(kept: Kept) -> None:
        left.append(int(kept.photo.pixels[0, 0, 0]))

    return Shelf(DeskSettings(**limits), clock, gone), clock, left  # type: ignore[arg-type]


def test_a_photo_is_kept_for_a_while_after_it_was_last_used() -> None:
    photos, clock, left = shelf(kept_seconds=10)
    first, second = photos.put(a_photo(1), "a"), photos.put(a_photo(2), "a")
    clock.now += 6
    assert photos.get(first).photo.pixels[0, 0, 0] == 1
    assert photos.expire() == 4
    clock.now += 4
    assert photos.expire() == 6
    assert left == [2]
    with pytest.raises(GoneError, match="no longer"):
        photos.get(second)
    photos.get(first).needed = 1
    clock.now += 60
    assert photos.expire() is None
    assert photos.get(first).who == "a"
    photos.clear()
    assert left == [2, 1]


def test_secrets_are_long_and_never_the_same() -> None:
    photos, *_ = shelf(photos_each=200)
    keys = {photos.put(a_photo(), "a") for _ in range(100)}
    assert len(keys) == 100
    assert min(map(len, keys)) >= 32


def test_the_longest_unused_makes_room_but_nothing_that_is_needed() -> None:
    photos, clock, left = shelf(kept_mebibytes=3, photos_each=9)
    keys = []
    for value in (1, 2, 3):
        clock.now += 1
        keys.append(photos.put(a_photo(value, MEBI), "abc"[value - 1]))
    clock.now += 1
    photos.get(keys[0])
    photos.put(a_photo(4, MEBI), "d")
    assert left == [2]
    for key in (keys[0], keys[2]):
        photos.get(key).needed = 1
    photos.put(a_photo(5, MEBI), "e")
    assert left == [2, 4]
    for kept in photos._kept.values():
        kept.needed = 1
    with pytest.raises(FullError, match="as many photos as it can"):
        photos.put(a_photo(6, MEBI), "f")
    with pytest.raises(InputError, match="more pixels than are kept"):
        photos.put(a_photo(7, (2048, 2048)), "g")


def test_one_asker_fills_only_their_own_part() -> None:
    photos, clock, left = shelf(photos_each=2)
    photos.put(a_photo(1), "b")
    own = []
    for value in (2, 3, 4):
        clock.now += 1
        own.append(photos.put(a_photo(value), "a"))
    assert left == [2]
    for key in own[1:]:
        photos.get(key).needed = 1
    with pytest.raises(FullError, match="2 of your photos"):
        photos.put(a_photo(5), "a")


def test_settings_are_above_nothing() -> None:
    with pytest.raises(ValueError, match="seconds is a number above 0, not 0"):
        DeskSettings(seconds=0)


def test_the_pace_is_that_of_the_most_alike() -> None:
    pace = Pace()
    assert pace.about("ask", "warm") is None
    pace.record("ask", "cold", 9.0)
    assert pace.about("ask", "warm") == pace.about("read", "started") == 9.0
    for seconds in (1.0, 3.0, 2.0):
        pace.record("ask", "started", seconds)
    assert pace.about("ask", "warm") == pace.about("ask", "started") == 2.0
    pace.record("ask", "warm", 0.1)
    assert (pace.about("ask", "warm"), pace.about("ask", "cold")) == (0.1, 9.0)
    for _ in range(15):
        pace.record("ask", "cold", 4.0)
    assert pace.about("ask", "cold") == 4.0
