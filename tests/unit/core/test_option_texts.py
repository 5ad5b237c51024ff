"""Options as they are typed, read by the annotation of the parameter that takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from foveate.core.option_texts import option_value
from foveate.errors import UsageError


@pytest.mark.parametrize(
    ("text", "hint", "value"),
    [
        ("box", Literal["box", "mask"], "box"),
        ("3", int | None, 3),
        ("3", int | str | None, "3"),
        ("a.npz", str | Path | None, "a.npz"),
        ("No", bool, False),
        ("0.25", float, 0.25),
        ("12", int, 12),
        ("12", str, "12"),
    ],
)
def test_values_by_their_annotation(text: str, hint: Any, value: object) -> None:
    found = option_value("prior.x", text, hint)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "hint", "told"),
    [
        ("bx", Literal["box", "mask"], "bx is none of box, mask"),
        ("perhaps", bool, "perhaps is neither yes nor no"),
        ("many", int, "many is no whole number"),
        ("many", float, "many is no number"),
        ("-1", int, "-1 is not 0 or more"),
        ("inf", float, "inf is not 0 or more"),
        ("nan", float, "nan is not 0 or more"),
    ],
)
def test_what_is_none_of_the_values_is_one_sentence(text: str, hint: Any, told: str) -> None:
    with pytest.raises(UsageError, match=f"prior.x: {told}"):
        option_value("prior.x", text, hint)
