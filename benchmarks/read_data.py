"""How long official files take to open and to read, and how much memory, as ratios to `json.load` in the same run.

The files are synthetic, in the official layouts, at 1,000, 10,000 and 100,000 entries. Every figure is of a process of
its own: seconds until the first query, seconds for all queries or truths one at a time, peak memory above that of the
imports. `json.load` of the same file is the floor: it types nothing and checks nothing.

With `--rows` it is Parquet of so many rows that is read, pair by pair: the floor is pyarrow's own reading of it into
Python's values, and the peak above that of a first row is told twice, as the system and as Python counts it.

Run: python benchmarks/read_data.py [--quick] [--only NAME] [--sizes N …]
     python benchmarks/read_data.py --rows 10000 100000 1000000
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyarrow.parquet import ParquetFile

from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.datasets._open import open_dataset
from foveate.formats import samples_parquet
from foveate.formats._sample_forms import Sample

SIZES = (1_000, 10_000, 100_000)
PER_PHOTO = 10


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no 100,000")
    parser.add_argument("--one", nargs=3, metavar=("WHAT", "NAME", "ROOT"), help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=MADE, help="one data set alone")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="other numbers of entries")
    parser.add_argument("--rows", nargs="+", type=int, help="Parquet of so many rows")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(one(*asked.one)))
        return
    if asked.rows:
        parquet_table(asked.rows)
        return
    heads = (
        "entries",
        "first query",
        "all queries",
        "all truths",
        "us a truth",
        "peak",
        "json.load",
        "its peak",
        "ratio",
    )
    print(f"{'data set':<17}" + "".join(f"{head:>12}" for head in heads))
    for name, (write, main_file) in MADE.items():
        for count in () if asked.only not in (None, name) else asked.sizes[:-1] if asked.quick else asked.sizes:
            with tempfile.TemporaryDirectory() as folder:
                write(Path(folder), count)
                row(name, count, Path(folder), main_file)


def row(name: str, count: int, root: Path, main_file: str) -> None:
    """Prints the figures of one data set at one size."""
    first, queries, truths = (alone(what, name, root) for what in ("first", "queries", "truths"))
    floor = alone("load", name, root / main_file) if main_file.endswith("json") else None
    cells = [f"{count:,}", f"{first['seconds'] * 1e3:.1f} ms", f"{queries['seconds']:.2f} s"]
    cells += [f"{truths['seconds']:.2f} s", f"{truths['seconds'] / count * 1e6:.1f}", f"{truths['megabytes']:.1f} MB"]
    if floor:
        cells += [f"{floor['seconds']:.2f} s", f"{floor['megabytes']:.1f} MB"]
        cells += [f"{truths['seconds'] / floor['seconds']:.1f}"]
    print(f"{name:<17}" + "".join(f"{cell:>12}" for cell in cells))


def alone(what: str, name: str, root: Path) -> dict[str, float]:
    """Returns seconds and megabytes of one reading in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", what, name, str(root)], check=True, capture_output=True, text=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def parquet_table(sizes: list[int]) -> None:
    """Prints the figures of Parquet."""
    heads = ("rows", "seconds", "us a row", "pyarrow", "ratio", "peak", "by Python")
    print("".join(f"{head:>12}" for head in heads))
    for count in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.parquet"
            samples_parquet.write(map(sample, range(count)), path)
            ours, traced, floor = (alone(what, "own", path) for what in ("pairs", "traced", "pyarrow"))
        cells = [f"{count:,}", f"{ours['seconds']:.2f} s", f"{ours['seconds'] / count * 1e6:.1f}"]
        cells += [f"{floor['seconds']:.2f} s", f"{ours['seconds'] / floor['seconds']:.1f}"]
        cells += [f"{ours['megabytes']:.1f} MB", f"{traced['megabytes']:.1f} MB"]
        print("".join(f"{cell:>12}" for cell in cells), flush=True)


def sample(number: int) -> Sample:
    """Returns a sample with a box."""
    name = f"{number:012d}.jpg"
    truth = Truth(name, ("red",), (Target(Box((1, 2, 30, 40)), "red"),), size_hw=(480, 640))
    return Sample(Query(name, name, None, f"What is number {number}?", (480, 640)), truth)


def one_of_parquet(what: str, path: Path) -> dict[str, float]:
    """Returns what one reading of Parquet takes, after that of a first row; it runs in the child."""
    next(open_dataset("own", path).pairs())
    before, start = peak(), time.perf_counter()
    if what == "pyarrow":
        for batch in ParquetFile(path).iter_batches(batch_size=1024):
            batch.to_pylist()
        return {"seconds": time.perf_counter() - start, "megabytes": peak() - before}
    if what == "traced":
        tracemalloc.start()
    for _ in open_dataset("own", path).pairs():
        pass
    seconds = time.perf_counter() - start
    megabytes = tracemalloc.get_traced_memory()[1] / 2**20 if what == "traced" else peak() - before
    return {"seconds": seconds, "megabytes": megabytes}


def one(what: str, name: str, root: str) -> dict[str, float]:
    """Returns what one reading takes; it runs in the child."""
    if what in {"pairs", "traced", "pyarrow"}:
        return one_of_parquet(what, Path(root))
    if what == "load":
        before, start = peak(), time.perf_counter()
        json.loads(Path(root).read_bytes())
        return {"seconds": time.perf_counter() - start, "megabytes": peak() - before}
    # The modules of the data set are loaded by a first opening, whose folder is empty.
    with tempfile.TemporaryDirectory() as empty:
        open_dataset(name, empty)
    before, start = peak(), time.perf_counter()
    data = open_dataset(name, root)
    if what == "first":
        next(data.queries())
    else:
        for _ in data.queries() if what == "queries" else data.truths():
            pass
    return {"seconds": time.perf_counter() - start, "megabytes": peak() - before}


def peak() -> float:
    """Returns the peak memory of this process so far in megabytes (Linux; `ru_maxrss` begins with the parent's)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def write_gqa(root: Path, count: int) -> None:
    """Writes GQA's val_balanced: ten questions a photo, sixteen objects a scene graph."""
    questions = {
        f"{20_000_000 + n}": {
            "semantic": [{"operation": "select", "dependencies": [], "argument": f"thing ({n})"}] * 3,
            "entailed": [],
            "equivalent": [str(n)],
            "question": f"What is hanging above the thing number {n}?",
            "imageId": str(n // PER_PHOTO),
            "isBalanced": True,
            "groups": {"global": "thing", "local": "14-thing"},
            "answer": "picture",
            "semanticStr": "select: thing (0)->relate: _,hanging above,s (12) [0]->query: name [1]",
            "annotations": {"answer": {"0": "12"}, "question": {}, "fullAnswer": {"1": "12"}},
            "types": {"detailed": "relS", "semantic": "rel", "structural": "query"},
            "fullAnswer": "The picture is hanging above the thing.",
        }
        for n in range(count)
    }
    thing = {"name": "thing", "x": 5, "y": 6, "w": 70, "h": 80, "attributes": ["red"], "relations": []}
    scene = {"width": 640, "height": 480, "objects": {str(n): thing for n in range(16)}}
    save(root / "val_balanced_questions.json", questions)
    save(root / "val_sceneGraphs.json", {str(n): scene for n in range(count // PER_PHOTO)})


def write_vqa(root: Path, count: int) -> None:
    """Writes the questions and annotations of VQA v2, val2014."""
    answers = [{"answer": "net", "answer_confidence": "yes", "answer_id": n} for n in range(1, 11)]
    ids = [{"question_id": n * 1000, "image_id": n // PER_PHOTO} for n in range(count)]
    kinds = {"question_type": "what is", "answer_type": "other", "multiple_choice_answer": "net"}
    save(
        root / "v2_OpenEnded_mscoco_val2014_questions.json",
        {"questions": [i | {"question": "What is it?"} for i in ids]},
    )
    save(root / "v2_mscoco_val2014_annotations.json", {"annotations": [i | kinds | {"answers": answers} for i in ids]})


def write_vg(root: Path, count: int) -> None:
    """Writes Visual Genome's questions and sizes."""
    photos = [
        {"id": photo, "qas": [asked(photo * PER_PHOTO + n, photo) for n in range(PER_PHOTO)]}
        for photo in range(count // PER_PHOTO)
    ]
    save(root / "question_answers.json", photos)
    save(root / "image_data.json", [{"image_id": photo["id"], "width": 640, "height": 480} for photo in photos])


def asked(number: int, photo: int) -> dict[str, Any]:
    """Returns one of Visual Genome's questions."""
    text = {"question": "What is on the curtains?", "answer": "Sailboats."}
    return {"qa_id": number, "image_id": photo, **text, "a_objects": [], "q_objects": []}


def write_coco(root: Path, count: int) -> None:
    """Writes COCO's val2017: ten instances a photo, each of a kind of its own, thirty corners each."""
    outline = [[side for n in range(30) for side in (100.5 + n, 100.25 + n * n % 50)]]
    images = [{"id": n, "file_name": f"{n:012d}.jpg", "width": 640, "height": 480} for n in range(count // PER_PHOTO)]
    instances = [
        {"id": n, "image_id": n // PER_PHOTO, "category_id": n % PER_PHOTO, "iscrowd": 0, "segmentation": outline}
        for n in range(count)
    ]
    kinds = [{"id": n, "name": f"kind {n}"} for n in range(PER_PHOTO)]
    save(root / "instances_val2017.json", {"images": images, "annotations": instances, "categories": kinds})


def write_toloka(root: Path, count: int) -> None:
    """Writes a split of the cup, and as many empty photos: what takes time is to list the folder."""
    (root / "images").mkdir()
    with (root / "train.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["image", "width", "height", "left", "top", "right", "bottom", "question"])
        for n in range(count):
            rows.writerow([f"{n:012d}.jpg", 640, 480, 10, 20, 200, 300, "Where can we sit?"])
            (root / "images" / f"{n:012d}.jpg").touch()


def save(path: Path, value: Any) -> None:
    """Writes JSON."""
    path.write_text(json.dumps(value))


MADE: dict[str, tuple[Callable[[Path, int], None], str]] = {
    "gqa:val_balanced": (write_gqa, "val_balanced_questions.json"),
    "vqa_v2:val2014": (write_vqa, "v2_mscoco_val2014_annotations.json"),
    "visual_genome_qa": (write_vg, "question_answers.json"),
    "coco:val2017": (write_coco, "instances_val2017.json"),
    "toloka_vqa:train": (write_toloka, "train.csv"),
}


if __name__ == "__main__":
    main()
