"""What looks private: patterns with check digits, real photos with and without faces, and the maker's decisions."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.analysis.photo_work import Settings
from foveate.datasets._open import open_dataset
from foveate.errors import InputError
from foveate.perception.private_text import KINDS, hidden, iban, luhn, private_text
from foveate.releases.private import Flag, PrivateLook, look_at_photos
from foveate.releases.review import read_review, refuse_open, reviewed, write_review
from tests.helpers import write


def kinds(*lines: str) -> list[str]:
    return [found.kind for found in private_text(lines)]


def test_check_digits_of_published_examples() -> None:
    # Test numbers that the card networks publish, and the example of ISO 13616's registry.
    assert all(map(luhn, ["4111111111111111", "5555555555554444", "378282246310005", "6011111111111117"]))
    assert iban("DE89 3704 0044 0532 0130 00")
    assert not iban("DE89 3704 0044 0532 0130 01")


@given(st.text("0123456789", min_size=13, max_size=19), st.integers(0, 18), st.integers(1, 9))
def test_one_wrong_digit_is_always_found(digits: str, place: int, more: int) -> None:
    at = place % len(digits)
    wrong = digits[:at] + str((int(digits[at]) + more) % 10) + digits[at + 1 :]
    assert not (luhn(digits) and luhn(wrong))


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["4111 1111 1111 1111"], ["card_number"]),
        (["4111-1111-1111-1111"], ["card_number"]),
        (["4111 1111 1111 1112"], []),
        (["4111", "1111", "1111", "1111"], ["card_number"]),
        (["4111", "1111", "1111", "1112"], []),
        (["1111111111111111"], []),
        (["VALID", "THRU", "09/27"], ["expiry_date"]),
        (["EXP 09/27"], ["expiry_date"]),
        (["BEST BEFORE", "EXP 09/27"], []),
        (["09/27"], []),
        (["DE89370400440532013000"], ["account_number"]),
        (["write to ann.lee@example.org!"], ["e_mail"]),
        (["Call 212-669-7043"], ["phone_number"]),
        (["+44 20 7946 0958"], ["phone_number"]),
        (["1-800-487-5866"], []),
        (["NET WT 12.5 OZ (354 g)"], []),
        (["71 SOUTH WACKER DRIVE"], ["street_address"]),
        (["Chicago, IL 60606"], ["street_address"]),
        (["PASSPORT"], ["identity_paper"]),
        (["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"], ["machine_readable_zone"]),
        (["Dear Mrs. Lee,", "Amount due: $12"], ["letter", "letter"]),
        (["Rx# 1234567", "Refills: 2"], ["letter", "letter"]),
        (["Chicken noodle soup", "Serving size 1 cup"], []),
    ],
)
def test_what_looks_private(lines: list[str], found: list[str]) -> None:
    assert kinds(*lines) == found


def test_a_finding_does_not_spread_what_it_warns_of() -> None:
    (found,) = private_text(["Card 4111 1111 1111 1111"])
    assert found.said == "41…11"
    assert "1111 1111" not in found.said
    assert hidden("ab") == "ab"


def test_numbers_of_barcodes_are_rarely_cards() -> None:
    """Of random 13-digit numbers one in ten has a right last digit, and more than half begin as no card does."""
    rng = random.Random(0)
    found = sum(kinds("".join(rng.choices("0123456789", k=13))) == ["card_number"] for _ in range(2000))
    assert 0.03 < found / 2000 < 0.07


@pytest.fixture(scope="module", name="looked")
def _looked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    photos = {q.image_name: q.image for q in open_dataset("photos").queries() if q.image is not None}
    chosen = {name: photos[name] for name in ("astronaut.png", "coffee.png", "flower.jpg", "grace_hopper.jpg")}
    made = look_at_photos(chosen, Settings(cache=tmp_path_factory.mktemp("looked"))).made
    return {name: [flag["kind"] for flag in flags] for name, flags in made.items()}


def test_faces_of_real_photos_are_flagged_and_things_are_not(looked: dict[str, list[str]]) -> None:
    assert "face" in looked["astronaut.png"]
    assert "face" in looked["grace_hopper.jpg"]
    assert looked["coffee.png"] == []
    assert looked["flower.jpg"] == []


LOOK = PrivateLook(
    {
        "a.jpg": [Flag("face", "sure to 0.90", (1, 2, 3, 4))],
        "b.jpg": [Flag("e_mail", "an…rg")],
        "c.jpg": [],
        "d.jpg": [],
    },
    {"d.jpg": "it is cut off"},
    4,
)


def test_decisions_are_listed_read_back_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "review.csv"
    assert write_review(LOOK, out) == 3
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["image"] for row in rows] == ["a.jpg", "b.jpg", "d.jpg"]
    assert rows[0]["reasons"] == "a face (sure to 0.90) at 1 2 3 4"
    assert rows[1]["reasons"] == "an e-mail address (an…rg) in the words"
    assert rows[2]["reasons"] == "it could not be looked at: it is cut off"
    assert read_review(out) == {}
    with pytest.raises(
        InputError, match=r"nobody has decided on 3 photos with what looks private: a\.jpg, b\.jpg, d\.jpg"
    ):
        refuse_open(reviewed(LOOK, {}), "kitchen")
    write(
        out,
        "image,reasons,decision,note\na.jpg,,keep,she agreed\nb.jpg,,leave_out,\nc.jpg,,leave_out,blurred\nd.jpg,,,\n",
    )
    found = reviewed(LOOK, read_review(out))
    assert (found.kept, found.left_out, found.open) == (("a.jpg",), ("b.jpg", "c.jpg"), ("d.jpg",))
    assert found.as_dict() == {
        "looked": True,
        "photos_looked_at": 4,
        "photos_unread": 1,
        "flagged": 3,
        "flagged_by": {"e_mail": 1, "face": 1},
        "kept_after_review": 1,
        "left_out": 2,
        "not_reviewed": 1,
    }
    again = tmp_path / "again.csv"
    write_review(LOOK, again, read_review(out))
    assert "a.jpg,a face (sure to 0.90) at 1 2 3 4,keep,she agreed" in again.read_text()


def test_a_decision_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="blur is no decision. Write keep or leave_out"):
        read_review(write(tmp_path / "r.csv", "image,decision\na.jpg,blur\n"))


def test_every_kind_is_told() -> None:
    assert all(KINDS[kind] for kind in KINDS)
    assert reviewed(None, {}).as_dict() == {"looked": False}
