"""A pinhole camera above the floor: rays of pixels, pixels of points, and what left and behind mean for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.scenes.draws import Draws
from foveate.scenes.recipe import CameraPlan
from foveate.scenes.solids import Floats, Solid

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Camera:
    """Where it stands and where it looks; world units.

    Attributes:
        place: Its place.
        ahead: The unit vector that it looks along; places along its rays are depths.
        right: The unit vector to the picture's right, level with the floor.
        up: The unit vector to the picture's top.
        focal: Its focal length in pixels.
        size_hw: Height and width of the picture.
    """

    place: Vector
    ahead: Vector
    right: Vector
    up: Vector
    focal: float
    size_hw: SizeHW

    @property
    def directions(self) -> dict[str, Vector]:
        """The directions along the floor that questions are about, and up and down; unit vectors."""
        x, y, _ = self.right
        # The part of `ahead` along the floor is `right`, a quarter turned.
        named = {"left": (-x, -y, 0.0), "behind": (-y, x, 0.0), "above": (0.0, 0.0, 1.0)}
        named |= {"right": (x, y, 0.0), "front": (y, -x, 0.0), "below": (0.0, 0.0, -1.0)}
        return named

    def rays(self, x: Floats, y: Floats) -> Floats:
        """Returns the directions ``(3, N)`` of places in the picture (pixels, ``(N,)``); of depth 1 each."""
        height, width = self.size_hw
        across, upward = (x - width / 2) / self.focal, (height / 2 - y) / self.focal
        return np.stack([self.ahead[k] + across * self.right[k] + upward * self.up[k] for k in range(3)])

    def seen_at(self, point: Vector) -> Vector:
        """Returns the place of a point in the picture, x and y in pixels, and its depth in world units."""
        height, width = self.size_hw
        away = [a - b for a, b in zip(point, self.place, strict=True)]
        depth = _dot(away, self.ahead)
        x = width / 2 + self.focal * _dot(away, self.right) / depth
        return x, height / 2 - self.focal * _dot(away, self.up) / depth, depth

    def around(self, solid: Solid) -> tuple[float, float, float, float]:
        """Returns a box in the picture, ``xyxy`` pixels, that holds all of a solid; it may reach over the edge."""
        x, y, depth = self.seen_at(solid.middle)
        # A ball's outline is an ellipse, longest away from the picture's middle: by at most 1 / cos² of its angle.
        height, width = self.size_hw
        aside = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / self.focal**2
        reach = self.focal * solid.reach / (depth - solid.reach) * (1 + aside)
        return x - reach, y - reach, x + reach, y + reach


def placed(plan: CameraPlan, size_hw: SizeHW, draws: Draws) -> Camera:
    """Returns a camera near the place that the plan names."""
    jitter = plan.jitter
    distance = plan.distance + draws.uniform(-jitter.distance, jitter.distance)
    elevation = plan.elevation + draws.uniform(-jitter.elevation, jitter.elevation)
    azimuth = plan.azimuth + draws.uniform(-jitter.azimuth, jitter.azimuth)
    return looking(distance, elevation, azimuth, plan.pixels_per_unit * plan.distance, size_hw)


def looking(distance: float, elevation: float, azimuth: float, focal: float, size_hw: SizeHW) -> Camera:
    """Returns a camera that looks at the floor's middle.

    Args:
        distance: From there, world units.
        elevation: The angle above the floor, degrees.
        azimuth: How far it has gone round, degrees; at 0 it looks along +y.
        focal: Its focal length in pixels.
        size_hw: Height and width of the picture.
    """
    # Rounded, since libraries differ in the last digit of sines.
    ce, se = (round(float(f(np.deg2rad(elevation))), 9) for f in (np.cos, np.sin))
    ca, sa = (round(float(f(np.deg2rad(azimuth))), 9) for f in (np.cos, np.sin))
    ahead = (-sa * ce, ca * ce, -se)
    place = (-distance * ahead[0], -distance * ahead[1], -distance * ahead[2])
    return Camera(place, ahead, (ca, sa, 0.0), (-sa * se, ca * se, ce), focal, size_hw)


def _dot(a: list[float] | Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
