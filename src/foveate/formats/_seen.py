"""Refuses an id that comes twice, in about five bytes a row as long as none does."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from foveate.errors import InputError
from foveate.formats._keys import Keys, Repeats


class Seen:
    """Notes the ids of rows by their keys; when one is found again, the ids are read once more to make sure.

    From then on the ids that stand more than once in the file are remembered as they are, and only these.

    Args:
        again: Yields of every row its id, or None where it has none, and where it stands; in the order of the rows.
    """

    def __init__(self, again: Callable[[], Iterable[tuple[str | None, str]]]) -> None:
        self._again = again
        self._keys = Keys()
        self._passed_over: set[int] = set()
        self._repeats: Repeats | None = None
        self._first: dict[str, str] = {}

    def note(self, sample: str, row: int, where: str) -> None:
        """Notes an id.

        Args:
            sample: The id.
            row: How many rows came before, of those that `again` yields.
            where: The row, for messages.

        Raises:
            InputError: A row that was noted has it.
        """
        if self._repeats is None:
            if not self._keys.add(sample):
                return
            self._make_sure(row)
        if sample in self._first:
            raise InputError(
                f"{where}, {sample}",
                f"the id is here a second time, first {_beside(self._first[sample], where)}",
                "Keep one, or pass --skip-invalid to keep the first.",
            )
        if self._repeats is not None and sample in self._repeats:
            self._first[sample] = where

    def pass_over(self, row: int) -> None:
        """Notes a row that was not taken, so that its id is still free."""
        if self._repeats is None:
            self._passed_over.add(row)

    def _make_sure(self, end: int) -> None:
        self._repeats = Repeats(lambda: (sample for sample, _ in self._again() if sample is not None))
        for row, (sample, where) in enumerate(self._again()):
            if row >= end:
                break
            if sample is not None and row not in self._passed_over and sample in self._repeats:
                self._first[sample] = where
        self._keys = Keys()
        self._passed_over.clear()


def _beside(first: str, where: str) -> str:
    """Returns where a row stands, without the file where that is the same one."""
    file, _, row = first.rpartition(", ")
    return row if where.startswith(f"{file}, ") else first
