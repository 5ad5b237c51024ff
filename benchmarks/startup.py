"""How long `foveate --help` takes, as a ratio to the floor: Python importing the command-line library alone.

Run: python benchmarks/startup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 15


def seconds(*words: str) -> float:
    """Returns the median wall time of a command in seconds."""
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def main() -> None:
    """Prints both times and their ratio."""
    floor = seconds("-c", "import typer, rich")
    for name, words in {
        "foveate --help": ("-m", "foveate", "--help"),
        "import foveate": ("-c", "import foveate"),
    }.items():
        taken = seconds(*words)
        print(f"{name}: {taken * 1000:.0f} ms, {taken / floor:.2f} x `import typer, rich` ({floor * 1000:.0f} ms)")


if __name__ == "__main__":
    main()
