"""How much of the lamp a place sees, and how much of the sky: soft shadows by rays to 16 places of the lamp.

On the floor this is found for every second pixel of every second row, in the part of the picture that a solid's
shadow can reach, and drawn out between; what changes there changes slowly. On solids it is found for each point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.scenes.camera import Camera, Vector
from foveate.scenes.draws import Draws
from foveate.scenes.solids import Floats, Solid, crossing, dot

_PLACES = 16
_GOLDEN = 2.399963229728653
# How many of 16 bits are set.
_BITS = np.array([bin(number).count("1") for number in range(1 << _PLACES)], dtype=np.uint8)
# Beyond so many times its reach a solid takes no noticeable part of the sky.
_FAR = 4.0
_SKY = 0.85
_AWAY = 1e-6


@dataclass(frozen=True, slots=True)
class Lamp:
    """A round lamp above the floor.

    Attributes:
        place: Its middle.
        radius: Its radius; the wider, the softer the shadows.
        power: How bright it is; 1 is usual.
    """

    place: Vector
    radius: float
    power: float

    @property
    def places(self) -> Floats:
        """Places spread evenly over it ``(3, 16)``, level with the floor."""
        number = np.arange(_PLACES)
        far = self.radius * np.sqrt((number + 0.5) / _PLACES)
        x, y = np.round(np.cos(number * _GOLDEN), 9), np.round(np.sin(number * _GOLDEN), 9)
        return np.stack([self.place[0] + far * x, self.place[1] + far * y, np.full(_PLACES, self.place[2])])


def lamp_for(camera: Camera, draws: Draws) -> Lamp:
    """Returns a lamp behind the camera's left shoulder, high above."""
    left, behind = camera.directions["left"], camera.directions["behind"]
    aside, back, high = draws.uniform(2.5, 6.5), draws.uniform(-1.0, 5.0), draws.uniform(11.0, 14.0)
    x, y = (aside * left[k] - back * behind[k] for k in (0, 1))
    return Lamp((x, y, high), draws.uniform(0.7, 1.3), draws.uniform(0.9, 1.1))


def on_floor(camera: Camera, solids: Sequence[Solid], lamp: Lamp) -> tuple[Floats, Floats]:
    """Returns the shares of the lamp and of the sky that the floor sees at each pixel ``(H, W)``.

    It is as if nothing hid the floor from the camera.
    """
    height, width = (side // 2 for side in camera.size_hw)
    dark = np.zeros((height, width), np.uint16)
    sky = np.ones((height, width))
    for solid in solids:
        window = _window(camera, _shadow_discs(solid, lamp))
        if window:
            dark[window] |= _hidden(solid, _floor(camera, window), lamp).reshape(dark[window].shape)
        window = _window(camera, [(solid.x, solid.y, _FAR * solid.reach)])
        if window:
            sky[window] *= 1 - _taken(solid, _floor(camera, window)).reshape(sky[window].shape)
    return _doubled(1 - _BITS[dark] / _PLACES), _doubled(sky)


def on_solid(solids: Sequence[Solid], number: int, points: Floats, lamp: Lamp) -> Floats:
    """Returns the share of the lamp that points ``(3, N)`` of a solid see past the other solids, ``(N,)``."""
    dark = np.zeros(points.shape[1], np.uint16)
    for other, solid in enumerate(solids):
        if other != number and _may_hide(solid, solids[number], lamp):
            dark |= _hidden(solid, points, lamp)
    return np.asarray(1 - _BITS[dark] / _PLACES, dtype=np.float64)


def sky_share(solids: Sequence[Solid], points: Floats) -> Floats:
    """Returns the share of the sky that points ``(3, N)`` of the floor see between the solids, ``(N,)``."""
    share = np.ones(points.shape[1])
    for solid in solids:
        share *= 1 - _taken(solid, points)
    return share


def _taken(solid: Solid, points: Floats) -> Floats:
    """Returns how much of the sky a ball of the solid's extent takes from points of the floor."""
    x, y, z = solid.middle
    away = np.stack([x - points[0], y - points[1], z - points[2]])
    square = dot(away, away)
    radius = min(solid.reach, z * 1.25)
    return np.asarray(_SKY * np.minimum(z * radius * radius / (square * np.sqrt(square)), 1.0), dtype=np.float64)


def _hidden(solid: Solid, points: Floats, lamp: Lamp) -> NDArray[np.uint16]:
    """Returns which of the lamp's places a solid hides from points, one bit each ``(N,)``."""
    places = lamp.places
    rays = (places[:, :, None] - points[:, None, :]).reshape(3, -1)
    begin = np.repeat(points[:, None, :], _PLACES, axis=1).reshape(3, -1)
    found = crossing(solid, begin, rays)
    hit = ((found.leave > _AWAY) & (found.enter < 1)).reshape(_PLACES, -1)
    bits = np.zeros(points.shape[1], np.uint16)
    for place in range(_PLACES):
        bits |= hit[place].astype(np.uint16) << place
    return bits


def _may_hide(solid: Solid, receiver: Solid, lamp: Lamp) -> bool:
    """Returns whether a solid can come between another and the lamp, judged by the balls that hold them."""
    a, b, c = np.array(receiver.middle), np.array(lamp.place), np.array(solid.middle)
    along = float((c - a) @ (b - a) / ((b - a) @ (b - a)))
    if along <= 0:
        return math.dist(a, c) < solid.reach + receiver.reach
    return math.dist(a + along * (b - a), c) < solid.reach + receiver.reach + lamp.radius * along + 0.05


def _shadow_discs(solid: Solid, lamp: Lamp) -> list[tuple[float, float, float]]:
    """Returns discs on the floor (x, y, radius) whose common hull holds the solid's shadow."""
    high = 2 * solid.half[2]
    grown = lamp.place[2] / (lamp.place[2] - high)
    x = lamp.place[0] + (solid.x - lamp.place[0]) * grown
    y = lamp.place[1] + (solid.y - lamp.place[1]) * grown
    soft = lamp.radius * (grown - 1)
    return [(solid.x, solid.y, solid.foot), (x, y, solid.foot * grown + soft)]


def _window(camera: Camera, discs: Sequence[tuple[float, float, float]]) -> tuple[slice, slice] | None:
    """Returns the rows and columns of the halved picture in which discs of the floor lie; None if none do."""
    corners = [
        camera.seen_at((x + a * radius, y + b * radius, 0.0))
        for x, y, radius in discs
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    height, width = (side // 2 for side in camera.size_hw)
    left, right = (min(max(int(f(c[0] for c in corners) / 2) + s, 0), width) for f, s in ((min, -1), (max, 2)))
    top, bottom = (min(max(int(f(c[1] for c in corners) / 2) + s, 0), height) for f, s in ((min, -1), (max, 2)))
    return (slice(top, bottom), slice(left, right)) if top < bottom and left < right else None


def _floor(camera: Camera, window: tuple[slice, slice]) -> Floats:
    """Returns the points of the floor ``(3, N)`` at the pixels of the halved picture."""
    y, x = np.mgrid[window] * 2.0 + 1.0
    return floor_points(camera, camera.rays(x.ravel(), y.ravel()))


def floor_points(camera: Camera, rays: Floats) -> Floats:
    """Returns where rays of the camera meet the floor ``(3, N)``; it looks down, so that all do."""
    far = -camera.place[2] / rays[2]
    x, y = (camera.place[k] + far * rays[k] for k in (0, 1))
    return np.stack([x, y, np.zeros_like(x)])


def _doubled(halved: Floats) -> Floats:
    """Returns a picture of twice the height and width, drawn out evenly between the pixels' middles."""
    rows = _doubled_rows(halved)
    return np.ascontiguousarray(_doubled_rows(np.ascontiguousarray(rows.T)).T)


def _doubled_rows(halved: Floats) -> Floats:
    padded = np.concatenate([halved[:1], halved, halved[-1:]])
    found = np.empty((2 * len(halved), halved.shape[1]))
    found[0::2] = 0.75 * halved + 0.25 * padded[:-2]
    found[1::2] = 0.75 * halved + 0.25 * padded[2:]
    return found
