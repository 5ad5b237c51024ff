"""Time to find near hashes among 1,000, 10,000 and 100,000, beside comparing all with all in the same run.

    python benchmarks/near_duplicates.py

Hashes are drawn by a seed; one in ten is a copy of another with up to four bits changed. Comparing all with all is
measured up to 10,000, and its time for 100,000 is that of 10,000 times one hundred. Both must find the same pairs.
"""

from __future__ import annotations

import math
import sys
import time

import numpy as np

from foveate.analysis.near_duplicates import DISTANCE, Hashes, Pairs, near_pairs

COUNTS = (1_000, 10_000, 100_000)
MOST_BY_HAND = 10_000


def made(count: int, seed: int = 0) -> Hashes:
    """Returns hashes, one in ten of them near another."""
    rng = np.random.default_rng(seed)
    hashes = rng.integers(0, 2**64, count, dtype=np.uint64)
    for copy in range(0, count, 10):
        bits = rng.choice(64, rng.integers(0, DISTANCE + 1), replace=False).astype(np.uint64)
        changed = np.bitwise_or.reduce(np.uint64(1) << bits) if bits.size else np.uint64(0)
        hashes[copy] = hashes[rng.integers(count)] ^ changed
    return hashes


def all_with_all(hashes: Hashes) -> Pairs:
    """Returns the same pairs by comparing each with all behind it."""
    found = [np.zeros((0, 2), dtype=np.int64)]
    for row in range(len(hashes) - 1):
        near = np.flatnonzero(np.bitwise_count(hashes[row + 1 :] ^ hashes[row]) <= DISTANCE) + row + 1
        found.append(np.stack([np.full_like(near, row), near], axis=1))
    return np.concatenate(found)


def main() -> int:
    """Prints the table; returns the exit code."""
    print(f"{'hashes':>8} {'pairs':>7} {'seconds':>9} {'all with all':>13} {'ratio':>7}")
    spent: list[float] = []
    by_hand = 0.0
    for count in COUNTS:
        hashes = made(count)
        start = time.perf_counter()
        pairs = near_pairs(hashes)
        spent.append(time.perf_counter() - start)
        if count <= MOST_BY_HAND:
            start = time.perf_counter()
            if not np.array_equal(pairs, all_with_all(hashes)):
                print("the two do not find the same pairs")
                return 1
            by_hand = time.perf_counter() - start
        else:
            by_hand *= (count / MOST_BY_HAND) ** 2
        note = "" if count <= MOST_BY_HAND else " (reckoned)"
        print(f"{count:8,} {len(pairs):7,} {spent[-1]:9.3f} {by_hand:13.3f} {by_hand / spent[-1]:7.1f}{note}")
    growth = math.log(spent[-1] / spent[-2]) / math.log(COUNTS[-1] / COUNTS[-2])
    print(f"time grows with the count to the power {growth:.2f} from {COUNTS[-2]:,} to {COUNTS[-1]:,} (2 for all)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
