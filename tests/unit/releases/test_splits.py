"""Splits by hash: exact shares, and nothing that is there ever moves."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.errors import UsageError
from foveate.releases.groups import coco_number, joined
from foveate.releases.splits import divide, place_of, shares_of, split_of

SHARES = shares_of("train=0.65,val=0.11,test=0.24")
names = st.lists(st.text(min_size=1, max_size=6), unique=True, max_size=30)


def groups_of(found: list[str], cuts: list[int]) -> list[tuple[str, ...]]:
    """Returns names in groups of up to three."""
    groups, at = [], 0
    for size in [*cuts, *[1] * len(found)]:
        if at < len(found):
            groups.append(tuple(found[at : at + size]))
            at += size
    return groups


cut = st.lists(st.integers(1, 3), max_size=10)


def test_a_place_is_salted_sha256_as_anybody_can_compute_it() -> None:
    digest = hashlib.sha256(b"7:kitchena.jpg").digest()
    assert place_of("a.jpg", "kitchen") == int.from_bytes(digest[:8], "big")
    # Salt and key side by side must not be another salt and key.
    assert place_of("b", "a") != place_of("", "ab")


def test_the_edges_of_shares_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    at = {"low": 0, "edge": 2**63, "below": 2**63 - 1, "top": 2**64 - 1}
    monkeypatch.setattr("foveate.releases.splits.place_of", lambda key, salt: at[key])
    halves = {"train": Fraction(1, 2), "val": Fraction(1, 2)}
    assert [split_of(key, "", halves) for key in at] == ["train", "val", "train", "val"]
    with pytest.raises(ValueError, match="less than 1"):
        split_of("edge", "", {"train": Fraction(1, 2)})


@given(names, cut, st.text(max_size=3))
def test_groups_stay_together_in_any_order_of_theirs(found: list[str], cuts: list[int], salt: str) -> None:
    groups = groups_of(found, cuts)
    divided = divide(groups, SHARES, salt).split
    assert set(divided) == set(found)
    assert all(len({divided[name] for name in group}) == 1 for group in groups)
    assert divide([group[::-1] for group in groups[::-1]], SHARES, salt).split == divided


@given(names, cut, cut, st.data())
def test_what_is_added_moves_nothing(found: list[str], cuts: list[int], others: list[int], data: st.DataObject) -> None:
    many = data.draw(st.integers(0, len(found)))
    before = divide(groups_of(found[:many], cuts), SHARES, "kitchen").split
    # The later groups are any others: new photos may join old ones, and bridge groups that were apart.
    after = divide(groups_of(found, others), SHARES, "kitchen", before=before)
    assert {name: after.split[name] for name in before} == before
    assert set(after.split) == set(found)
    for group in groups_of(found, others):
        had = {before[name] for name in group if name in before}
        assert (tuple(sorted(group)) in after.bridged) == (len(had) > 1)
        if len(had) < 2:
            assert len({after.split[name] for name in group}) == 1


@given(names)
def test_strangers_do_not_matter_to_a_photo(found: list[str]) -> None:
    alone = {name: divide([(name,)], SHARES, "s").split[name] for name in found}
    assert divide([(name,) for name in found], SHARES, "s").split == alone


def test_of_many_photos_each_split_has_its_share() -> None:
    every = [f"{number:012}.jpg" for number in range(20_000)]
    split = divide([(name,) for name in every], SHARES, "kitchen").split
    for name, share in SHARES.items():
        # Four standard deviations of a binomial.
        expected = float(share) * len(every)
        assert abs(sum(one == name for one in split.values()) - expected) < 4 * (expected * (1 - float(share))) ** 0.5


def test_photos_of_an_older_set_take_their_whole_group_along() -> None:
    divided = divide([("a", "b"), ("c",)], shares_of("train=0.0001,val=0.9999"), "s", fixed={"b": "train"})
    assert divided.split == {"a": "train", "b": "train", "c": "val"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("train=0.5", "the shares are 0.5 together, not 1"),
        ("train=0.5,val=0.6", "1.1 together"),
        ("train", "train is no name"),
        ("train=x", "is no name of its own with a share"),
        ("train=0.5,train=0.5", "is no name of its own"),
        ("a b=1", "is no name of its own"),
        ("train=1,val=0", "val=0 is no name"),
        ("", "nothing is no name"),
    ],
)
def test_shares_that_are_none_are_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        shares_of(text)


def test_tenths_are_exact() -> None:
    assert shares_of("a=0.1,b=0.2,c=0.7") == {"a": Fraction(1, 10), "b": Fraction(1, 5), "c": Fraction(7, 10)}


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1)))
def test_groups_are_the_connected_parts(found: list[str], sets: list[list[str]]) -> None:
    inside = [members for members in sets if set(members) <= set(found)]
    groups = joined(found, inside)
    assert sorted(name for group in groups for name in group) == sorted(found)
    home = {name: group for group in groups for name in group}
    assert all(len({home[name] for name in members}) == 1 for members in inside)
    # Nothing is together without a reason: leaving a name's sets away leaves it alone.
    for group in groups:
        linked = {name for members in inside for name in members if len(set(members)) > 1}
        assert len(group) == 1 or set(group) <= linked


def test_a_photo_of_coco_is_known_by_its_number() -> None:
    assert coco_number("train2014/COCO_train2014_000000123456.jpg") == "000000123456"
    assert coco_number("VizWiz_val_00000001.jpg") is None
