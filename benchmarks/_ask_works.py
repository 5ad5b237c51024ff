"""Works that `benchmarks/ask.py` sends; in a module of their own, since the desk's processes import it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NoReturn

from foveate.assist.desk.warm import Warm
from foveate.assist.photos import Photo


@dataclass(frozen=True)
class Crash:
    """Ends its process as a library's fault does, after it has seen the photo."""

    grounder: str
    kind: str = "crash"

    def do(self, photo: Photo, warm: Warm) -> NoReturn:
        """Never returns."""
        warm.asker(self.grounder, photo).ask("What is this?")
        os.abort()
