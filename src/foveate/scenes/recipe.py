"""What scenes are made by: how many, how hard, from which seeds; read from TOML, the standard one comes along."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from foveate.core.boxes import SizeHW

STANDARD = Path(__file__).with_name("standard.toml")
Family = Literal["zero_hop", "one_hop", "two_hop", "same_relate", "exist", "count", "compare"]
# Scenes of two seeds have no random number in common as long as no split has more.
MOST_IMAGES = 10_000_000


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SplitPlan(_Part):
    """How many scenes a split has, and the seed that they come from."""

    images: int = Field(ge=1, le=MOST_IMAGES)
    seed: int = Field(ge=0)


class Picture(_Part):
    """Size of the picture in pixels, and how much of each solid must be seen."""

    height: int
    width: int
    least_pixels: int
    least_share: float
    border: float

    @property
    def size_hw(self) -> SizeHW:
        """Height and width in pixels."""
        return self.height, self.width


class Jitter(_Part):
    """Half-widths of what is added to the camera's place."""

    distance: float
    elevation: float
    azimuth: float


class CameraPlan(_Part):
    """Where the camera stands: world units, degrees, and how many pixels a world unit has at the floor's middle."""

    distance: float
    elevation: float
    azimuth: float
    pixels_per_unit: float
    jitter: Jitter


class SolidsPlan(_Part):
    """How many solids, their radii, and where they may stand; world units."""

    least: int = Field(ge=2)
    most: int
    large: float
    small: float
    across: float
    nearest: float
    farthest: float
    gap: float
    margin: float


class QuestionsPlan(_Part):
    """How many questions of each family a scene has."""

    zero_hop: int
    one_hop: int
    two_hop: int
    same_relate: int
    exist: int
    count: int
    compare: int
    instead: tuple[Family, ...]

    @property
    def wanted(self) -> tuple[Family, ...]:
        """The family of each question of a scene, in their order."""
        counts: Mapping[Family, int] = {
            "zero_hop": self.zero_hop,
            "one_hop": self.one_hop,
            "two_hop": self.two_hop,
            "same_relate": self.same_relate,
            "exist": self.exist,
            "count": self.count,
            "compare": self.compare,
        }
        return tuple(family for family, count in counts.items() for _ in range(count))


class Recipe(_Part):
    """All that scenes depend on, beside the code."""

    version: int
    splits: Mapping[str, SplitPlan]
    picture: Picture
    camera: CameraPlan
    solids: SolidsPlan
    questions: QuestionsPlan


@cache
def standard() -> Recipe:
    """Returns the recipe of the data set `scenes`, which is frozen."""
    return Recipe.model_validate(tomllib.loads(STANDARD.read_text(encoding="utf-8")))
