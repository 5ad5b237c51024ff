"""The file that a method was trained to: found, read, and what a run records of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from foveate.errors import InputError, UsageError
from foveate.formats.checkpoints import Checkpoint, read_checkpoint
from foveate.sources._files import stamp

_FOLDER = Path(__file__).parent / "trained"


def default_file(name: str) -> Path:
    """Returns where the checkpoint of a method lies that comes with the package; it may not be there."""
    return _FOLDER / f"{name}_scenes.safetensors"


def checkpoint_of(name: str, file: str) -> Checkpoint:
    """Returns the checkpoint that a method reads; the same one as before while the file stays as it is.

    Args:
        name: The method's, which is its network's.
        file: The option; empty for the one that comes with the package.

    Raises:
        UsageError: No file is given, and none comes with the package.
        InputError: It is none of ours, or of another network.
    """
    path = Path(file) if file else default_file(name)
    if not file and not path.is_file():
        raise UsageError(
            f"grounder {name}",
            "the file of the trained network is not given",
            f"Train one: foveate train {name}_scenes --data scenes --out DIR; pass --set file=DIR/best.safetensors.",
        )
    found = _read(path, stamp(path) if path.is_file() else (0, 0))
    network = found.card.config.get("network")
    if network != name:
        raise InputError(str(path), f"it is a checkpoint of {network}, not of {name}", f"Ask the grounder {network}.")
    _check_sizes(found)
    return found


def _check_sizes(checkpoint: Checkpoint) -> None:
    card = checkpoint.card
    pairs = (("vocabulary", len(card.words) + 2, "ids of words"), ("answers", len(card.answers), "answers"))
    for option, count, what in pairs:
        if card.config.get(option) != count:
            problem = f"its network is built for {card.config.get(option)} {what}, and its card lists {count:,}"
            raise InputError(str(checkpoint.path), problem, "Train it again.")


def trained_on(checkpoint: Checkpoint) -> dict[str, Any]:
    """Returns what a run records: the samples that the network was trained on, and the file."""
    return {**checkpoint.card.trained_on, "file": checkpoint.path.name, "sha256": checkpoint.sha256}


# Those of the methods that are kept warm; a hundred photos' instances share them.
@lru_cache(maxsize=4)
def _read(path: Path, _stamp: tuple[int, int]) -> Checkpoint:
    return read_checkpoint(path)
