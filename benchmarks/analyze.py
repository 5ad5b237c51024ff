"""Time and memory of `foveate analyze --json` by the number of samples, each in a process of its own.

    python benchmarks/analyze.py [--largest 100000]

Prints seconds of one core, peak memory, and how both grow from one size to the next: 1.00 is linear.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (1_131, 10_000, 100_000)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--child", type=Path)
    parser.add_argument("--write", type=int)
    wanted = parser.parse_args()
    if wanted.child and wanted.write:
        write(wanted.child, wanted.write)
        return
    if wanted.child:
        measure(wanted.child)
        return
    print(f"{'samples':>9}  {'seconds':>8}  {'megabytes':>9}  growth of time, of memory above the smallest")
    before: tuple[int, float, float] | None = None
    with tempfile.TemporaryDirectory() as folder:
        for n in (size for size in SIZES if size <= wanted.largest):
            root = Path(folder, str(n))
            # Written by a process of its own: what starts another one hands its own peak of memory on to it.
            run(root, "--write", str(n))
            told = run(root)
            seconds, megabytes = json.loads(told)
            growth = ""
            if before:
                times = math.log(n / before[0])
                growth = f"{math.log(seconds / before[1]) / times:.2f}, {math.log(megabytes / before[2]) / times:.2f}"
            print(f"{n:>9,}  {seconds:>8.1f}  {megabytes:>9.0f}  {growth}", flush=True)
            before = n, seconds, megabytes


def run(root: Path, *more: str) -> str:
    """Returns what this script prints in another process."""
    command = [sys.executable, __file__, "--child", str(root), *more]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measure(root: Path) -> None:
    """Prints seconds and the memory that the analysis added at its peak, in megabytes."""
    from foveate.analysis.analyze import analyze, as_json

    began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    as_json(analyze("vizwiz_grounding:val", root))
    seconds = time.process_time() - start
    print(json.dumps([seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - began) / 1024]))


def write(root: Path, n: int) -> None:
    """Writes so many samples in the official layout: wavy outlines on photos of 480 x 360 pixels."""
    root.mkdir()
    rng = random.Random(0)
    records = {}
    for number in range(n):
        x, y, radius = rng.uniform(100, 380), rng.uniform(100, 260), rng.uniform(10, 95)
        corners = rng.choice((4, 4, 8, 12, 24, 40))
        angles = [2 * math.pi * corner / corners for corner in range(corners)]
        reach = [radius * rng.uniform(0.6, 1) for _ in angles]
        outline = [{"x": x + r * math.cos(a), "y": y + r * math.sin(a)} for r, a in zip(reach, angles, strict=True)]
        records[f"photo_{number:07d}.jpg"] = {
            "width": 480,
            "height": 360,
            "question": f"What is this {rng.choice(('cup', 'box', 'can', 'sign'))}?",
            "answers": ["tea"] * 10,
            "most_common_answer": "tea",
            "answer_grounding": outline,
        }
    (root / "val_grounding.json").write_text(json.dumps(records))


if __name__ == "__main__":
    main()
