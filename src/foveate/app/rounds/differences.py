"""What two reviewers say of the same samples, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.app.rounds.models import Mark, Sample, Turn


@dataclass(frozen=True)
class Pair:
    """A sample and what is said of it.

    Attributes:
        sample: The sample.
        first: What the first list says; None where it says nothing.
        second: What the second list says.
    """

    sample: Sample
    first: Mark | None
    second: Mark | None


def differences(turn: Turn, *, flagged: bool = False) -> list[int]:
    """Returns the numbers of the samples of which two reviewers say different things, in the data set's order.

    Args:
        turn: A round that is closed.
        flagged: Instead, of all that either flags.
    """
    said: dict[int, set[bool]] = {}
    rows = Mark.objects.filter(turn=turn).order_by("sample__position").values_list("sample", "flag")
    for sample, flag in rows:
        said.setdefault(sample, set()).add(flag)
    return [sample for sample, flags in said.items() if (True in flags if flagged else len(flags) == 2)]


def pairs_of(turn: Turn, samples: Sequence[int]) -> list[Pair]:
    """Returns what both say of some samples, in the order in which these are given."""
    said = {(mark.sample_id, mark.place): mark for mark in Mark.objects.filter(turn=turn, sample__in=samples)}
    found = Sample.objects.select_related("screening").defer("line").in_bulk(list(samples))
    return [Pair(found[number], said.get((number, 1)), said.get((number, 2))) for number in samples]
