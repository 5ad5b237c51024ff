"""How well `foveate audit` finds labels that are wrong: one in twenty of VizWiz's validation split is damaged.

Run: python -m benchmarks.audit VIZWIZ [--seeds 3]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from foveate.datasets._open import open_dataset
from foveate.evaluation.audit import audit
from tests.reference.planted import KINDS, found, methods, plant


def main() -> None:
    """Prints precision and recall with no, one, two and three methods."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path, help="the folder of val_grounding.json")
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    data = open_dataset("vizwiz_grounding:val", asked.root)
    truths, queries = list(data.truths()), list(data.queries(with_images=False))
    for right in ((), (0.7,), (0.7, 0.6), (0.7, 0.6, 0.5), (0.4, 0.35, 0.3)):
        rows, taken = [], []
        for seed in range(asked.seeds):
            planted = plant(data.name, truths, queries, seed)
            runs = methods(planted, seed, right)
            at = (20, len(planted.faults), 2 * len(planted.faults))
            start = time.perf_counter()
            told = found(audit(planted.labels, runs), planted.faults, at)
            taken.append(time.perf_counter() - start)
            of_kinds = [told.by_kind[kind] for kind in KINDS]
            rows.append([*told.precision.values(), *list(told.recall.values())[1:], *of_kinds])
        mean = np.mean(rows, axis=0)
        hits = ", ".join(f"{share:.0%}" for share in right) or "no method"
        wrong = len(planted.faults)
        print(f"\n{len(truths):,} labels, {wrong} of them planted, {asked.seeds} seeds; right: {hits}")
        for k, precision in zip(at, mean[:3], strict=True):
            print(f"  precision of the first {k:<4} {precision:.3f} (by chance {wrong / len(truths):.3f})")
        for k, recall in zip(at[1:], mean[3:5], strict=True):
            print(f"  recall in the first {k:<7} {recall:.3f}")
        print("  recall there by kind: " + ", ".join(f"{k} {v:.2f}" for k, v in zip(KINDS, mean[5:], strict=True)))
        print(f"  {min(taken):.1f} s")


if __name__ == "__main__":
    main()
