"""Works about an answer that is there: what is private in the photo, and the map of where the method looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foveate.assist.asking import DEFAULT_GROUNDER, check_question
from foveate.assist.photos import Photo

if TYPE_CHECKING:
    from foveate.assist.desk.warm import Warm
    from foveate.assist.picture import Picture
    from foveate.assist.placing import Style
    from foveate.assist.private import Found


@dataclass(frozen=True, slots=True)
class FindPrivate:
    """Looks for what is private in the photo: faces, screens, cards and letters."""

    @property
    def kind(self) -> str:
        """Finding."""
        return "find private"

    def do(self, photo: Photo, warm: Warm) -> tuple[Found, ...]:
        """Returns what was found, whatever the answer is."""
        from foveate.assist.private import find_private

        return warm.once(photo, "private", lambda: find_private(photo.pixels))


@dataclass(frozen=True, slots=True)
class DrawMap:
    """Asks a method again, for the map of where it looked; drawn there, since a map is larger than its picture.

    Raises:
        UsageError: The question is empty or too long.
    """

    question: str
    grounder: str = DEFAULT_GROUNDER
    style: Style = "plain"
    language: str | None = None

    def __post_init__(self) -> None:
        check_question(self.question)

    @property
    def kind(self) -> str:
        """Its own, since a map takes longer than an answer."""
        return f"map {self.grounder}"

    def do(self, photo: Photo, warm: Warm) -> Picture | None:
        """Returns the picture; None where the method has no map."""
        from foveate.assist.maps import map_picture

        answered = warm.asker(self.grounder, photo).ask(self.question, with_map=True)
        return map_picture(photo.pixels, answered.explanation, self.style, self.language)
