"""Small releases that several tests need, made through the front door."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
from typer.testing import CliRunner

from foveate.cli.release import app
from tests.helpers import write

SIZE = {"width": 64, "height": 48}


def run(*words: Any) -> Any:
    """Runs `foveate release` in this process."""
    return CliRunner().invoke(app, [str(word) for word in words])


def row(number: int, box: Sequence[float] | None = (8, 8, 24, 40), **more: Any) -> dict[str, Any]:
    """Returns a sample as a line has it."""
    targets = [] if box is None else [{"box": list(box), "answer": "red"}]
    image = f"photo{number:02}.png"
    return {
        "id": image,
        "image": image,
        **SIZE,
        "question": "What colour?",
        "answers": ["red"],
        "targets": targets,
        **more,
    }


def lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Writes samples as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write(path, "".join(json.dumps(one) + "\n" for one in rows))


def noisy_photo(path: Path, seed: int) -> Path:
    """Writes a photo like no other; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    small = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    PIL.Image.fromarray(small).resize((64, 48), PIL.Image.Resampling.NEAREST).save(path)
    return path


def released(folder: Path, count: int = 12, version: str = "1.0.0", *words: Any) -> Path:
    """Makes the release `kitchen` of boxes in two splits below FOVEATE_HOME; returns where its samples came from."""
    source = lines(folder / "in" / "kitchen.jsonl", [row(number) for number in range(count)])
    split = () if "--keep-splits" in words else ("--split", "train=0.5,val=0.5")
    done = run("new", source, "--name", "kitchen", "--version", version, "--evaluate-as", "box", *split, *words)
    assert done.exception is None, done.output
    return source
