"""Where a run's numbers come from: code, packages and machine, so that they can be had again."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

# The packages whose version can change a prediction or a score.
_PACKAGES = ("numpy", "onnxruntime", "opencv-python-headless", "pillow", "rapidocr")


def provenance(method: str | None = None) -> dict[str, Any]:
    """Returns versions of the code, Python and packages, and the kind of machine; nothing about the person.

    Args:
        method: The module of the method; the distributions that bring it are named with their versions.
    """
    return {
        "foveate": _version("foveate"),
        "revision": _revision(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "packages": {name: _version(name) for name in (*_PACKAGES, *_distributions(method))},
    }


def _distributions(module: str | None) -> list[str]:
    package = (module or "foveate").partition(".")[0]
    return [] if package == "foveate" else packages_distributions().get(package, [])


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _revision() -> str | None:
    """Returns the git commit that the code runs from, with `+` where files differ, or None outside a checkout."""
    folder = Path(__file__).resolve().parents[3]
    if not (folder / ".git").exists():
        return None
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        return commit + ("+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True, timeout=20)
    return done.stdout.strip()
