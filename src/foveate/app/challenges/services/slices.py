"""The first rows of a board by parts of the samples, after the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.analysis.columns import Grouping
from foveate.app.challenges.models import Entry
from foveate.app.challenges.services import finding
from foveate.app.challenges.services.board import Board
from foveate.app.challenges.services.board_rows import Row
from foveate.app.challenges.services.kept import Kept
from foveate.app.challenges.services.order import columns_of
from foveate.challenges.disclosure import names_of
from foveate.challenges.in_slices import SliceOfBoard, in_slices, slicings_of

MOST_ROWS = 10
_ways: Kept[dict[str, Grouping]] = Kept(8)
_kept: Kept[dict[str, list[SliceOfBoard]]] = Kept(16)


@dataclass(frozen=True)
class BoardInSlices:
    """A board by parts of the samples.

    Attributes:
        rows: The rows that are told, best first.
        ways: By slicing its slices, each with a value a row.
        notes: By slicing the rule behind it, where there is one.
    """

    rows: Sequence[Row]
    ways: dict[str, list[SliceOfBoard]]
    notes: dict[str, str]


def slices_of_board(board: Board) -> BoardInSlices | None:
    """Returns the first rows by parts of the samples; None where that is not to be known (yet), or there is no row.

    Raises:
        InputError: The frozen data or an entry's columns are missing or broken.
    """
    rows = [row for row in board.rows[:MOST_ROWS] if row.entry is not None and row.place is not None]
    if board.how != "all" or not rows or not board.phase.pack:
        return None
    pack, metric = finding.pack_of(board.phase), names_of(board.defined)[board.defined.main]
    ways = _ways.of(board.phase.pack, lambda: slicings_of(pack))
    entries = [row.entry for row in rows if row.entry is not None]

    def made() -> dict[str, list[SliceOfBoard]]:
        found = Entry.objects.select_related("phase").in_bulk(entries)
        columns = [columns_of(board, found[key], metric) for key in entries]
        return {name: in_slices(grouping, columns, metric, pack.n) for name, grouping in ways.items()}

    name = (board.phase.pk, board.phase.challenge.made_at, board.phase.fingerprint, metric, tuple(entries))
    notes = {name: grouping.note for name, grouping in ways.items()}
    return BoardInSlices(rows, _kept.of(name, made), notes)
