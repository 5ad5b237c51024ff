"""How sure the order of a board is, after the end: from the columns that scoring left beside the entries."""

from __future__ import annotations

from foveate.app.challenges.models import Entry
from foveate.app.challenges.services import entry_files, finding
from foveate.app.challenges.services.board import Board
from foveate.app.challenges.services.kept import Kept
from foveate.challenges.disclosure import names_of
from foveate.challenges.order import Order, order_of
from foveate.challenges.scoring import measure, read_columns
from foveate.errors import InputError
from foveate.evaluation.measured import Columns
from foveate.runs.forms import form_of

# Each pair of them is compared; twenty take a second, and no table of more is read.
MOST_ROWS = 20
_kept: Kept[Order | None] = Kept(16)


def order_of_board(board: Board) -> Order | None:
    """Returns how sure the order of the first rows is; None where that is not to be known (yet), or there is one row.

    Rows are named by their places on the board, from 0.

    Raises:
        InputError: The frozen data or an entry's columns are missing or broken.
    """
    rows = [row for row in board.rows[:MOST_ROWS] if row.entry is not None and row.place is not None]
    if board.how != "all" or len(rows) < 2 or not board.phase.pack:
        return None
    entries = tuple(row.entry for row in rows)
    main = board.defined.main
    name = (board.phase.pk, board.phase.challenge.made_at, board.phase.fingerprint, main, entries)
    return _kept.of(name, lambda: _made(board, [entry for entry in entries if entry is not None]))


def _made(board: Board, keys: list[int]) -> Order | None:
    pack, metric = finding.pack_of(board.phase), names_of(board.defined)[board.defined.main]
    found = Entry.objects.select_related("phase").in_bulk(keys)
    columns = {str(place): columns_of(board, found[key], metric) for place, key in enumerate(keys)}
    return order_of(columns, list(pack.groups.values()), metric)


def columns_of(board: Board, entry: Entry, metric: str) -> Columns:
    """Returns an entry's columns, a row a sample of the phase's data.

    Raises:
        InputError: They are of other data, or broken, or neither they nor the entry's file are there.
    """
    columns = _columns(board, entry, metric)
    n = finding.pack_of(board.phase).n
    if any(len(column) != n for column in columns.values()):
        raise InputError(board.phase.name, "an entry's columns are not of the phase's data", "Score it again.")
    return columns


def _columns(board: Board, entry: Entry, metric: str) -> Columns:
    """Returns those that its scoring wrote; measured anew where they are not there any more."""
    written = entry_files.columns_path(entry)
    if written.is_file() and metric in (kept := read_columns(written)):
        return kept[metric]
    file = entry_files.scored_of(entry)
    if file is None:
        raise InputError(f"entry {entry.number}", "its file is not here any more", "Restore it from a backup.")
    return measure(finding.pack_of(board.phase), file, form_of(file), [metric]).columns[metric]
