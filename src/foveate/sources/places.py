"""What is at a path. A path that may not be looked at, or that no file can have, holds nothing instead of raising.

`pathlib` raises for these; whoever then opens the path gets the system's reason and tells it.
"""

from __future__ import annotations

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Returns whether anything can be seen there."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Returns whether a file can be seen there."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Returns whether a folder can be seen there."""
    return os.path.isdir(path)  # noqa: PTH112
