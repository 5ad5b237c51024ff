"""How much a desk takes on."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """The limits of a desk.

    Attributes:
        processes: How many works are done at once, each in a process of its own; a network takes several cores by
            itself (`FOVEATE_THREADS`), so that one is enough for most machines.
        seconds: A work that takes longer is ended, and its process with it; what a method loads for the first photo is
            part of its first work.
        start_seconds: A process that has not begun after so long is given up.
        mebibytes: A process that takes more memory while it works is ended (on Linux; elsewhere only time is watched).
        idle_seconds: A process without work for so long is ended, and its memory given back.
        most_waiting: How many works may wait in all.
        most_each: How many works of one asker may wait.
        warm_photos: Of how many photos a process keeps what it saw, so that the next question about them is quick.
        warm_mebibytes: How much the pixels of these may take, so that large ones do not fill the process; one may be
            larger.
        kept_seconds: How long a photo is kept after it was last used.
        kept_mebibytes: How much all photos may take together; the one that was used longest ago goes first.
        photos_each: How many photos of one asker are kept.
        answers_each: How many finished works about one photo are kept.
    """

    processes: int = 1
    seconds: float = 60.0
    start_seconds: float = 60.0
    mebibytes: int = 3072
    idle_seconds: float = 600.0
    most_waiting: int = 100
    most_each: int = 3
    warm_photos: int = 8
    warm_mebibytes: int = 256
    kept_seconds: float = 600.0
    kept_mebibytes: int = 512
    photos_each: int = 3
    answers_each: int = 20

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise ValueError(f"{field.name} is a number above 0, not {getattr(self, field.name)}")
