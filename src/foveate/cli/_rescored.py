"""How `foveate release rescore` tells what mended targets change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from foveate.cli._output import print_json, remark, say
from foveate.cli.plugin_lists import print_rows

if TYPE_CHECKING:
    from foveate.releases.rescore import Rescored

_SHOWN = 20


def print_rescored(versions: Sequence[str], found: Sequence[Rescored], as_json: bool) -> None:
    """Prints each run's scores on both versions, the samples that make the difference, and the order of the runs."""
    from foveate.releases.ranks import order_told, ranks_of
    from foveate.reports.rescored import HEAD, SAMPLES, rows_of, told_of

    ranks = ranks_of(found)
    if as_json:
        runs, placed = [one.as_dict() for one in found], [one.as_dict() for one in ranks]
        print_json({"from": versions[0], "to": versions[1], "runs": runs, "ranks": placed})
        return
    for one in found:
        say(f"{one.source}, {one.split}: {one.before.n:,} samples before, {one.after.n:,} after")
        print_rows(list(HEAD), rows_of(one), right=list(HEAD[1:]))
        samples = [
            [moved.id, f"{moved.before:.3f}", f"{moved.after:.3f}", f"{moved.after - moved.before:+.3f}"]
            for moved in one.moved[:_SHOWN]
        ]
        if samples:
            print_rows(list(SAMPLES), samples, right=list(SAMPLES[1:]))
        if len(one.moved) > _SHOWN:
            say(f"… and {len(one.moved) - _SHOWN:,} more: --json has them all")
        say(told_of(one))
    for sentence in order_told(ranks):
        say(sentence)


def written(versions: Sequence[str], found: Sequence[Rescored], out: Path) -> None:
    """Writes the page, and says where."""
    from foveate.reports.rescored import write_rescored

    remark(f"{write_rescored(versions, found, out).page}: the page")
