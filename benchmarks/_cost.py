"""What a question costs, each sort in a process of its own: seconds of the first and the next, and memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

PHOTOS = 16
# The next question is of the same sort and about the same photo, in other words.
ROUTES = {
    "a thing, no text read": ("Where is the person?", "Which animal barks?"),
    "a thing, else text": ("Where is the person?", "Which animal barks?"),
    "text": ("What does it say?", "What is the largest word?"),
    "what is this": ("What is this?", "What am I holding?"),
    "a colour": ("What colour is this?", "What colour is the person's shirt?"),
    "a number": ("How many people are there?", "How many cars are there?"),
    "yes or no": ("Is there a person?", "Is there a dog?"),
}


def cost(photos: Sequence[Path]) -> None:
    """Prints a row for each sort of question, and how long the command takes to start."""
    from benchmarks import startup

    from foveate.perception.sessions import threads

    print(f"\n{len(photos)} photos, {threads()} threads; cold: opening the networks, and the first photo; seconds, MB")
    head = ("cold", "first p50", "p95", "next p50", "p95", "peak")
    print(f"{'':24} " + " ".join(f"{each:>9}" for each in head))
    for route in ROUTES:
        words = [sys.executable, __file__, route, *map(str, photos)]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        figures = json.loads(done.stdout)
        print(f"{route:24} " + " ".join(f"{each:9.3f}" for each in figures[:-1]) + f" {figures[-1]:9.0f}", flush=True)
    startup.main()


def measured(route: str, photos: Sequence[Path]) -> tuple[float, ...]:
    """Returns the seconds of the first photo, of the first and the next question about the others, and the peak.

    Returns:
        Cold; median and 95th percentile of the first question; the same of the next; peak memory in MB.
    """
    from foveate.grounders import pocket
    from foveate.perception import read_text
    from foveate.sources.images import FileImage

    if "no text" in route:
        read_text.read_text = lambda *_, **__: ()
    first, then = ROUTES[route]
    spent = []
    for path in photos:
        image = FileImage(path)
        start = time.perf_counter()
        grounder = pocket.Grounder()
        grounder.prepare(image, image.size_hw)
        grounder.ground(first)
        middle = time.perf_counter()
        grounder.ground(then)
        spent.append((middle - start, time.perf_counter() - middle))
    rows = np.array(spent)
    figures = (float(np.quantile(rows[1:, column], q)) for column in (0, 1) for q in (0.5, 0.95))
    return float(rows[0].sum()), *figures, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], [Path(word) for word in sys.argv[2:]])))
