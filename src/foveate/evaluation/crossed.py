"""Two ways to part the samples, crossed; and what of the difference by one is due to its mix of the other.

Photos without a flaw may be hard because their regions are small. Direct standardisation tells: each group of `a` is
given the mix of `b` that the whole set has, ``sum_b share(b) * value(a, b)``, and groups are compared once more.

References:
    Kitagawa: Components of a Difference Between Two Rates, Journal of the American Statistical Association, 1955.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Group, Grouping
from foveate.analysis.groups import largest_groups
from foveate.evaluation._parts import Bounded, Drawn, Rows, Values, bounded, drawn_parts, measured_of, tells
from foveate.evaluation._slicings import LEAST
from foveate.evaluation.compare import Draws
from foveate.evaluation.results import Results
from foveate.evaluation.wording import digits, interval

# Of more groups than this the largest are crossed.
TOP = 20
# The lowest and the highest of small groups are so by chance; where two are as large as this, only such are compared.
_LARGE = 30


@dataclass(frozen=True)
class Cell:
    """The metric on some samples.

    Attributes:
        n: Over how many it is.
        value: None where there is none.
        low: Lower end of its 95 % interval; None of fewer than `LEAST` samples or photos.
        high: Upper end.
        few: Whether it is of fewer than `LEAST` samples, too few to say anything.
    """

    n: int
    value: float | None
    low: float | None
    high: float | None
    few: bool


@dataclass(frozen=True)
class Standardised:
    """A group of `a`, as it is and with the whole set's mix of `b`.

    Attributes:
        key: The group.
        value: As it is.
        same_mix: With the mix of the whole set.
        by_mix: `value` minus `same_mix`: what it owes to its own mix.
        mix_covered: The share of the whole set's mix in cells that are not `few`; those alone are used, and their
            shares made to add up to 1 again. Values of fewer than `LEAST` photos have no interval.
    """

    key: str
    value: Bounded
    same_mix: Bounded
    by_mix: Bounded
    mix_covered: float


@dataclass(frozen=True)
class Gap:
    """The lowest and the highest group of `a`, compared as they are and with one mix of `b`.

    Attributes:
        lowest: The one with the least value; of groups of at least 30 samples where there are two such.
        highest: The one with the greatest.
        as_it_is: The difference of their values.
        same_mix: The difference with one mix.
        over: The groups of `b` in which neither is `few`; the mix is of these.
        mix_covered: Their share of the whole set's mix.
    """

    lowest: str
    highest: str
    as_it_is: Bounded
    same_mix: Bounded
    over: Sequence[str]
    mix_covered: float


@dataclass(frozen=True)
class CrossTable:
    """One metric by two slicings, over the samples of which both are known.

    Attributes:
        metric: Its full name.
        a: The slicing of the rows.
        b: The slicing of the columns.
        n: How many samples both are known of.
        rows: The groups of `a`.
        columns: The groups of `b`.
        cells: Row by row.
        row_totals: Each group of `a`.
        column_totals: Each group of `b`.
        total: All of them.
        mix: The share of each group of `b` among all.
        standardised: Each group of `a` with that mix.
        gap: None where there are no two groups to compare.
        more: How many further groups of `a` and of `b` are left out, with their samples.
    """

    metric: str
    a: str
    b: str
    n: int
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    row_totals: Sequence[Cell]
    column_totals: Sequence[Cell]
    total: Cell
    mix: Sequence[float]
    standardised: Sequence[Standardised]
    gap: Gap | None
    more: tuple[int, int]

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate score --cross --json` prints."""
        return asdict(self)

    def finding(self) -> str:
        """Returns in words how much of the difference between groups the mix explains."""
        gap = self.gap
        if gap is None:
            return f"No two groups of {self.a} have {LEAST} samples in one group of {self.b}: nothing to compare."
        of = f"{', '.join(gap.over)} alone, {100 * gap.mix_covered:.0f} % of the samples"
        kept = "" if len(gap.over) == len(self.columns) else f" ({of}: in the others one has under {LEAST})"
        return (
            f"{self.a} “{gap.highest}” is above “{gap.lowest}” by {_told(gap.as_it_is)} as it is, "
            f"by {_told(gap.same_mix)} with one mix of {self.b}{kept}."
        )


def crossed(results: Results, a: Grouping, b: Grouping, metric: str, draws: Draws, *, top: int = TOP) -> CrossTable:
    """Returns a run by two slicings, with intervals, and each group of `a` with the whole set's mix of `b`.

    In each resample the mix is counted anew. A sample in several groups counts in each of them.

    Args:
        results: The run.
        a: What is compared.
        b: Whose mix is held equal.
        metric: Its name.
        draws: Resamples and seed; nothing is permuted.
        top: At most so many groups of each, the first in their order.

    Raises:
        UsageError: There is no such metric.
        InputError: It cannot measure these data.
    """
    found = measured_of(results, [metric])
    ours, theirs = largest_groups(a, top), largest_groups(b, top)
    both = np.intersect1d(_rows(ours), _rows(theirs))
    row_parts = [np.intersect1d(group.rows, both) for group in ours]
    column_parts = [np.intersect1d(group.rows, both) for group in theirs]
    cells = [np.intersect1d(row, column) for row in row_parts for column in column_parts]
    parts = [*cells, *row_parts, *column_parts, both]
    ((name, drawn),) = drawn_parts(found, parts, draws).items()
    wide, at = len(theirs), len(cells)
    pieces = (slice(0, at), slice(at, at + len(ours)), slice(at + len(ours), -1))
    inside, of_a, of_b = (drawn.of(piece) for piece in pieces)
    photos = [{results.groups[row] for row in rows} for rows in cells]
    grid = Grid(inside, of_a, of_b, photos, wide)
    told = [_cell(results, rows, drawn, part) for part, rows in enumerate(parts)]
    keys = [group.key for group in ours]
    return CrossTable(
        metric=name,
        a=a.name,
        b=b.name,
        n=len(both),
        rows=keys,
        columns=[group.key for group in theirs],
        cells=[told[start : start + wide] for start in range(0, at, wide)] if wide else [],
        row_totals=told[at : at + len(ours)],
        column_totals=told[at + len(ours) : -1],
        total=told[-1],
        mix=grid.mix[0].tolist(),
        standardised=[_standardised(grid, row, key) for row, key in enumerate(keys)],
        gap=_gap(grid, keys, [group.key for group in theirs]),
        more=(len(a.groups) - len(ours), len(b.groups) - len(theirs)),
    )


def part_of_mix(covered: float) -> str:
    """Returns of how much of the whole set's mix a value is, in words; empty where it is of all.

    Example:
        >>> part_of_mix(0.18), part_of_mix(1.0)
        ('of 18 %', '')
    """
    return "" if covered > 1 - 1e-9 else f"of {100 * covered:.0f} %"


@dataclass(frozen=True)
class Grid:
    """What was drawn of a cross-table.

    Attributes:
        cells: Row by row.
        rows: The totals of `a`.
        columns: The totals of `b`.
        photos: Of each cell.
        wide: How many columns.
    """

    cells: Drawn
    rows: Drawn
    columns: Drawn
    photos: Sequence[Set[str]]
    wide: int

    @property
    def mix(self) -> Values:
        """The share of each group of `b` among all ``(1 + R, B)``."""
        n = self.columns.n
        return np.asarray(np.divide(n, n.sum(axis=1, keepdims=True), out=np.zeros_like(n), where=n > 0))

    def row(self, number: int) -> slice:
        """Returns where the cells of a row are."""
        return slice(number * self.wide, (number + 1) * self.wide)

    def enough(self, number: int) -> NDArray[np.bool_]:
        """Returns which cells of a row have enough samples to be told ``(B,)``."""
        return np.asarray(self.cells.n[0, self.row(number)] >= LEAST)

    def tells(self, number: int, over: NDArray[np.bool_]) -> bool:
        """Returns whether the cells of a row in some groups of `b` are of enough photos to tell an interval."""
        kept = [photos for photos, there in zip(self.photos[self.row(number)], over, strict=True) if there]
        return self.rows.n[0, number] >= LEAST and len(set().union(*kept)) >= LEAST

    def same_mix(self, number: int, over: NDArray[np.bool_]) -> Values:
        """Returns the value of a row with the mix of some groups of `b` ``(1 + R,)``; NaN without any."""
        values = self.cells.values[:, self.row(number)]
        weights = self.mix * (over & np.isfinite(values))
        total = weights.sum(axis=1)
        summed = (weights * np.nan_to_num(values)).sum(axis=1)
        return np.asarray(np.divide(summed, total, out=np.full(total.shape, np.nan), where=total > 0))


def _rows(groups: Sequence[Group]) -> Rows:
    return np.unique(np.concatenate([group.rows for group in groups])) if groups else np.empty(0, dtype=np.int64)


def _cell(results: Results, rows: Rows, drawn: Drawn, part: int) -> Cell:
    n = round(float(np.nan_to_num(drawn.n[0, part])))
    found = bounded(drawn.values[:, part], told=tells(results, rows, n, LEAST))
    return Cell(n, found.value, found.low, found.high, n < LEAST)


def _standardised(grid: Grid, row: int, key: str) -> Standardised:
    enough = grid.enough(row)
    value, same = grid.rows.values[:, row], grid.same_mix(row, enough)
    whole, part = grid.tells(row, np.ones_like(enough)), grid.tells(row, enough)
    covered = float((grid.mix[0] * enough).sum())
    return Standardised(
        key, bounded(value, told=whole), bounded(same, told=part), bounded(value - same, told=part), covered
    )


def _gap(grid: Grid, rows: Sequence[str], columns: Sequence[str]) -> Gap | None:
    values = grid.rows.values[0]
    there = [row for row in range(len(rows)) if grid.rows.n[0, row] >= LEAST and np.isfinite(values[row])]
    large = [row for row in there if grid.rows.n[0, row] >= _LARGE]
    there = large if len(large) > 1 else there
    if len(there) < 2:
        return None
    lowest, highest = min(there, key=lambda row: values[row]), max(there, key=lambda row: values[row])
    common = grid.enough(lowest) & grid.enough(highest)
    if lowest == highest or not common.any():
        return None
    whole, part = (all(grid.tells(row, over) for row in (lowest, highest)) for over in (np.ones_like(common), common))
    return Gap(
        rows[lowest],
        rows[highest],
        bounded(grid.rows.values[:, highest] - grid.rows.values[:, lowest], told=whole),
        bounded(grid.same_mix(highest, common) - grid.same_mix(lowest, common), told=part),
        [key for key, kept in zip(columns, common, strict=True) if kept],
        float((grid.mix[0] * common).sum()),
    )


def _told(found: Bounded) -> str:
    return f"{digits(found.value, sign=True)} ({interval(found.low, found.high, sign=True)})"
