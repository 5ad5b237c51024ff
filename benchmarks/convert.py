"""Time and memory of the canonical forms: writing, opening, reading and converting, 1,000 to 1,000,000 rows.

Each figure is of a process of its own, so that its peak is its own; `base` is the peak of one that only imports.

    python benchmarks/convert.py [--full]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

COUNTS = (1_000, 10_000, 100_000)
FULL = (*COUNTS, 1_000_000)
STEPS = ("base", "write", "open", "read", "floor", "convert")


def made(count: int) -> Iterator[object]:
    """Yields samples like VizWiz's: ten answers and a polygon of twelve corners."""
    from foveate.core.queries import Query
    from foveate.core.regions import Polygon
    from foveate.core.truths import Target, Truth
    from foveate.formats._sample_forms import Sample

    for number in range(count):
        name = f"photo_{number:08d}.jpg"
        corners = tuple((100.5 + 7 * k + number % 90, 80.25 + (k * k * 13 + number) % 300) for k in range(12))
        target = Target(Polygon((corners,)), "a cup")
        truth = Truth(name, ("a cup",) * 7 + ("mug",) * 3, (target,), size_hw=(480, 640), facts={"flaw": "none"})
        yield Sample(Query(name, name, None, "What can I drink from?", (480, 640)), truth)


def step(what: str, path: Path, count: int) -> None:
    """Does one step and prints its seconds and the peak memory of the process, in MB."""
    from foveate.datasets._convert import convert
    from foveate.datasets._open import open_dataset
    from foveate.formats import samples_jsonl, samples_parquet
    from foveate.formats.sample_forms import FORMS

    start = time.perf_counter()
    if what == "write":
        FORMS[path.suffix[1:]].write(made(count), path)  # type: ignore[arg-type]
    elif what == "open":
        next(open_dataset(str(path)).queries())
    elif what == "read":
        total = sum(1 for _ in open_dataset(str(path)).queries(with_images=False))
        if total != count:
            raise SystemExit(f"{total} rows read, {count} written")
    elif what == "floor":
        _floor(path)
    elif what == "convert":
        other = samples_parquet if path.suffix == ".jsonl" else samples_jsonl
        convert(open_dataset(str(path)), path.with_name(f"other{other.FORM.suffixes[0]}"))
    seconds = time.perf_counter() - start
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def _floor(path: Path) -> None:
    """Reads the rows as plain values with the library alone: what no reader can be faster than."""
    if path.suffix == ".jsonl":
        with path.open(encoding="utf-8") as file:
            for line in file:
                json.loads(line)
        return
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(path).iter_batches(batch_size=1_024):
        batch.to_pylist()


def main() -> None:
    """Prints a table a form."""
    counts = FULL if "--full" in sys.argv else COUNTS
    for suffix in (".jsonl", ".parquet"):
        print(f"\n{suffix[1:]}: seconds and peak MB; `floor` is the library alone")
        print(f"{'rows':>9} {'file MB':>8} " + " ".join(f"{name:>14}" for name in STEPS) + f" {'read/floor':>11}")
        for count in counts:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"samples{suffix}"
                figures = {name: _child(name, path, count) for name in STEPS}
                shown = " ".join(f"{seconds:7.2f} {peak:6.0f}" for seconds, peak in figures.values())
                ratio = figures["read"][0] / figures["floor"][0]
                print(f"{count:9,} {path.stat().st_size / 1e6:8.1f} {shown} {ratio:11.1f}", flush=True)


def _child(what: str, path: Path, count: int) -> tuple[float, float]:
    words = [sys.executable, __file__, "--step", what, str(path), str(count)]
    seconds, peak = json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return seconds, peak


if __name__ == "__main__":
    if "--step" in sys.argv:
        _, _, name, place, rows = sys.argv
        step(name, Path(place), int(rows))
    else:
        main()
