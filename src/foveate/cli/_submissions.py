"""Submissions as commands are given them: a file, or a project that is here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foveate.annotation.submissions import Submission


def is_project(given: Path) -> bool:
    """Returns whether what stands in the place of a file is a project's short name: neither a file nor called so."""
    return given.name == str(given) and not given.suffix and not given.exists()


def read_sent(path: Path, skip_invalid: bool) -> list[Submission]:
    """Returns the submissions of a file, which are of one project; says how many were passed over.

    Raises:
        InputError: The file is missing or broken, or of several projects.
    """
    from foveate.annotation.submissions import one_project, read_submissions
    from foveate.cli._output import remark
    from foveate.formats.tables import refuse

    skipped: list[str] = []
    on_invalid = (lambda error: skipped.append(error.fault)) if skip_invalid else refuse
    found = read_submissions(path, on_invalid)
    if skipped:
        remark(f"{len(skipped):,} invalid skipped, first: {skipped[0]}")
    one_project(found, str(path))
    return found
