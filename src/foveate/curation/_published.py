"""The counts that the paper gives of its own screening."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Counts:
    """What is published of one step; None is not published.

    Attributes:
        before: How many came into it.
        removed: How many it took away.
        left: How many remained.
        note: What must be known beside them.
    """

    before: int | None = None
    removed: int | None = None
    left: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """The paper's funnel.

    Attributes:
        source: Where it is published.
        datasets: The data sets that it is about, by the names of their plugins.
        whole: How many samples it began with.
        screened: Those of the data sets that are what the screening left.
        steps: Counts by the name of the step.
    """

    source: str
    datasets: tuple[str, ...]
    whole: int
    screened: tuple[str, ...]
    steps: Mapping[str, Counts]


def published() -> Published:
    """Returns the counts of `published.toml`."""
    values = tomllib.loads(files("foveate.curation").joinpath("published.toml").read_text(encoding="utf-8"))
    steps = {name: Counts(**counts) for name, counts in values["steps"].items()}
    return Published(values["source"], tuple(values["datasets"]), values["whole"], tuple(values["screened"]), steps)


def paper_of(dataset: str) -> Published | None:
    """Returns the published counts, where they are about a data set; None elsewhere.

    Args:
        dataset: The name of its plugin, without a split.
    """
    found = published()
    return found if dataset in found.datasets else None
