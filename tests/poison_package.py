"""A package of one metric, `poison`, that does what an entry tells it: crash, take memory, never end, leave a process.

Made on the spot in a folder of its own, so that only children that are given it (`PYTHONPATH`) know it.
"""

from __future__ import annotations

from pathlib import Path

# What a file of predictions says by the left side of its first box.
CALM, CRASH, MEMORY, ENDLESS, LEAVE, SECRETS, FLOOD, FAIL, EXIT, SILENT = range(10)

_MODULE = """
import os, signal, subprocess, sys
import numpy as np
from foveate.core.cards import MetricCard

CARD = MetricCard(name="poison", summary="Poison.", shapes=("box",), low=0.0, high=1.0, better="higher",
                  states="all count", reference="the tests")
CASES = ()

def measure(predictions, truths):
    first = next((p for p in predictions if p is not None and p.final is not None), None)
    wish = int(first.final.shape.xyxy[0]) if first is not None else 0
    if wish == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    if wish == 2:
        bytearray(1 << 40)
    while wish == 3:
        pass
    if wish == 4:
        held = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open(os.environ["HOME"] + "/left", "w").write(str(held.pid))
    if wish == 5:
        open(os.environ["HOME"] + "/seen", "w").write(repr(sorted(os.environ)))
    while wish == 6:
        sys.stdout.write("x" * 100_000)
        sys.stderr.write("target: 1 2 3 4 " * 1000)
    if wish == 7:
        raise SystemExit("target: 1 2 3 4")
    if wish == 8:
        os._exit(3)
    if wish == 9:
        os.closerange(3, 64)
        while True:
            pass
    return {"all": np.ones(len(truths))}

def reduce(columns, weights, parameter=None):
    n = weights @ columns["all"]
    return {"value": np.ones(len(weights)), "value_scored": np.ones(len(weights)), "n": n}
"""


def write(folder: Path) -> Path:
    """Writes it; returns the folder that goes into `PYTHONPATH`."""
    about = folder / "poison-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: poison\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[foveate.metrics]\npoison = poison_metric\n")
    (folder / "poison_metric.py").write_text(_MODULE)
    return folder


def table(wish: int = CALM, *, rows: int = 3) -> str:
    """Returns an entry for the three questions of `toloka_vqa.write_tiny`."""
    lines = [f"https://example.invalid/wsdmcup2023/{number:012d}.jpg,{wish},4,24,40" for number in range(rows)]
    return "\n".join(["image,left,top,right,bottom", *lines]) + "\n"
