"""What the papers publish, to be set beside what is measured; marked as published wherever it is shown."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Published:
    """One value of a paper.

    Attributes:
        data: A data set of ours by its name, or another one as the paper calls it.
        measure: What was measured; empty where the data set is only named.
        group: Of which samples, `quality: none` say; empty for all.
        mean: The value; None where the text gives no number.
        sd: The standard deviation, where it is given.
        over: Of what the value is.
        source: Where it stands.
    """

    data: str
    measure: str = ""
    group: str = ""
    mean: float | None = None
    sd: float | None = None
    over: str = ""
    source: str = ""


@cache
def published() -> Sequence[Published]:
    """Returns all published values that are at hand."""
    text = files("foveate.analysis").joinpath("published.toml").read_text(encoding="utf-8")
    return tuple(Published(**value) for value in tomllib.loads(text)["value"])


def has_published(data: str) -> bool:
    """Returns whether any value of a data set is published, by its name with or without a split."""
    name = data.partition(":")[0]
    return any(value.data == name and value.measure for value in published())


def published_of(data: str, measure: str, group: str = "") -> Published | None:
    """Returns the published value of a measure, or None.

    Args:
        data: The data set's name, with or without a split.
        measure: What is measured.
        group: Of which samples.
    """
    name = data.partition(":")[0]
    return next((p for p in published() if (p.data, p.measure, p.group) == (name, measure, group)), None)
