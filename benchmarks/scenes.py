"""How fast scenes are made, as images a second, and as a ratio to writing the finished pictures as PNG alone.

The parts are measured in one process, and all of it in two, as `foveate dataset make` works: pictures, questions, masks
and files, without the second or two in which processes start. Parts are told in time of the processor, which others on
the machine do not change much; all of it by the clock, too.

With `--answers DIR` it tells instead how the answers of the test split that was made there are spread: by family, and
how far one gets who knows the question's kind and says its most usual answer.

Run: python benchmarks/scenes.py [--images 200] [--workers 2] [--answers DIR]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2

from foveate.datasets._open import open_dataset
from foveate.scenes.layout import portion_of
from foveate.scenes.making import PORTION, Job, write_portion
from foveate.scenes.recipe import Recipe, SplitPlan, standard
from foveate.scenes.rendering import paint
from foveate.scenes.scene import Scene, make_scene, plan_scene
from foveate.scenes.sight import masks


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--answers", type=Path)
    asked = parser.parse_args()
    if asked.answers:
        answers(asked.answers)
        return
    cv2.setNumThreads(1)
    recipe = standard().model_copy(update={"splits": {"speed": SplitPlan(images=asked.images, seed=999)}})
    written = parts(recipe, min(asked.images, 100))
    clock, work = together(recipe, asked.images, asked.workers)
    print(
        f"\nall, {asked.workers} processes: {asked.images / clock:.1f} images/s by the clock; {work * 1e3:.1f} ms of a "
        f"processor an image, {work / written:.1f} times writing the PNG: {asked.workers / work:.1f} images/s on "
        f"{asked.workers} that do nothing else"
    )


def answers(root: Path) -> None:
    """Prints the answers of each family, and the share that the most usual answer of each kind gets right."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[tuple[object, str]]] = defaultdict(Counter)
    for truth in open_dataset("scenes:test", root).truths():
        family, (answer,) = str(truth.facts["family"]), truth.answers
        told[family][answer] += 1
        kinds[family][truth.facts["kind"], answer] += 1
    print("family        questions  the most usual answers")
    right = 0
    for family, counts in told.items():
        best: dict[object, int] = {}
        for (kind, _), count in kinds[family].items():
            best[kind] = max(best.get(kind, 0), count)
        right += sum(best.values())
        usual = ", ".join(f"{answer} {count / counts.total():.3f}" for answer, count in counts.most_common(5))
        print(f"{family:12}  {counts.total():>9,}  {usual}; by kind {sum(best.values()) / counts.total():.3f}")
    print(f"most usual answer of each kind: {right / sum(c.total() for c in told.values()):.3f} right")


def parts(recipe: Recipe, count: int) -> float:
    """Prints what each part takes in one process; returns the seconds in which a PNG is written."""
    took = dict.fromkeys(("arranging and asking", "painting", "masks and rows", "writing the PNG"), 0.0)
    with tempfile.TemporaryDirectory() as folder:
        for index in range(count):
            begun = time.process_time()
            found, graph, questions = plan_scene(recipe, 999, index)
            planned = time.process_time()
            image = paint(found.camera, found.solids, found.lamp, found.sight)
            painted = time.process_time()
            seen = masks(found.sight, len(found.solids))
            portion_of(Scene(found, graph, image, seen, questions), "speed", index)
            told = time.process_time()
            cv2.imwrite(str(Path(folder) / f"{index}.png"), image[:, :, ::-1])
            moments = (begun, planned, painted, told, time.process_time())
            for name, before, after in zip(took, moments, moments[1:], strict=False):
                took[name] += after - before
    floor = took["writing the PNG"] / count
    print("part                    ms an image   ratio to the PNG")
    for name, seconds in took.items():
        print(f"{name:22}  {seconds / count * 1e3:11.2f}   {seconds / count / floor:6.1f}")
    return floor


def together(recipe: Recipe, count: int, workers: int) -> tuple[float, float]:
    """Returns the seconds in which processes that are ready make the scenes, and processor seconds a scene."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(recipe, "speed", Path(folder))
        job.portions.mkdir(parents=True)
        (job.out / "images" / "speed").mkdir(parents=True)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            # A scene each, so that all have begun and imported.
            list(pool.map(warm, range(4 * workers)))
            begun = time.perf_counter()
            work = sum(pool.map(portion, [job] * count, range(0, count, PORTION)))
            return time.perf_counter() - begun, work / count


def portion(job: Job, first: int) -> float:
    """Makes a portion; returns the seconds of the processor that it took."""
    begun = time.process_time()
    write_portion(job, first)
    return time.process_time() - begun


def warm(index: int) -> None:
    """Makes a scene of another seed."""
    make_scene(standard(), 998, index)


if __name__ == "__main__":
    main()
