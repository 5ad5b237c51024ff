"""What would measure a row of a paper's table: commands that run, or a sentence where none would."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from foveate import plugins
from foveate.evaluation.published import Method, Paper


def commands(paper: Paper, method: Method, splits: Sequence[str], root: str | None) -> list[str]:
    """Returns, for the splits on which a method was not measured, what would measure it.

    Args:
        paper: What is published.
        method: The row.
        splits: The splits.
        root: The folder of the data set; None where that is not known, which stands as `DIR`.
    """
    found = [line for split in splits for line in _commands(paper, method, split, root or "DIR")]
    if found:
        return [f"Files: {paper.downloads}.", *method.steps, *found]
    if method.steps:
        return list(method.steps)
    return [f"Not built here yet: it needs {method.needs}."]


def _commands(paper: Paper, method: Method, split: str, root: str) -> Iterator[str]:
    data = f"{paper.dataset}:{split}"
    if split in method.files:
        yield shlex.join(["foveate", "score", f"{root}/{method.files[split]}", "--dataset", data, "--root", root])
    elif method.grounder in plugins.modules("grounders"):
        out = f"runs/{method.key}-{split}"
        options = [part for name, value in method.options.items() for part in ("--set", f"{name}={value}")]
        asked = ["foveate", "ground", data, "--root", root, "--grounder", method.grounder]
        yield shlex.join([*asked, *options, "--out", out])
        yield shlex.join(["foveate", "score", out])
