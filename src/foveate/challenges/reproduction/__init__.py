"""Entries that are programs: a container or a sandboxed process is given photos and questions, and writes the answer.

`run(work, limits, engine)` runs one; `engine_named` gives Docker, Podman, or the sandbox for machines without either.
"""

from foveate.challenges.reproduction.engines import ENGINES, engine_named
from foveate.challenges.reproduction.outcome import Outcome
from foveate.challenges.reproduction.running import Work, run

__all__ = ["ENGINES", "Outcome", "Work", "engine_named", "run"]
