"""A picture of solids on a floor: matt and shiny, soft light and shadows, smooth edges; alike on every machine.

Light is reckoned in linear numbers and written by a square root (a gamma of 2): additions, products, divisions and
roots are rounded alike everywhere, powers and sines are not.

References:
    Phong: Illumination for Computer Generated Pictures, CACM 1975, and Blinn: Models of Light Reflection, SIGGRAPH 1977
    (highlights); Schlick: An Inexpensive BRDF Model, Eurographics 1994 (reflection at a flat angle).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.rle import MaskArray
from foveate.scenes.camera import Camera
from foveate.scenes.shadows import Lamp, floor_points, on_floor, on_solid, sky_share
from foveate.scenes.sight import Sight, edges, look, look_at, masks
from foveate.scenes.solids import Color, Floats, Solid, crossing, cushioned, dot, normals, unit

# The colours of CLEVR, as they are written in pictures.
COLORS: dict[Color, tuple[int, int, int]] = {
    "gray": (87, 87, 87),
    "red": (173, 35, 35),
    "blue": (42, 75, 215),
    "green": (29, 105, 20),
    "brown": (129, 74, 25),
    "purple": (129, 38, 192),
    "cyan": (41, 208, 208),
    "yellow": (255, 238, 51),
}
_FLOOR = (0.39, 0.385, 0.375)
_SKY, _GROUND, _LAMP, _FILL = 0.42, 0.16, 0.95, 0.14
_HORIZON, _ZENITH = 0.42, 1.05
_CUSHION = 0.6
# Subpixels, in pixels from the middle.
_PARTS = ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))


@dataclass(frozen=True, slots=True)
class Rendered:
    """A picture with what is true of it.

    Attributes:
        image: ``uint8 (H, W, 3)``, RGB.
        masks: The pixels of each solid, ``bool (H, W)``.
        alone: How many pixels each would have if it stood alone.
    """

    image: NDArray[np.uint8]
    masks: tuple[MaskArray, ...]
    alone: tuple[int, ...]


def render(camera: Camera, solids: Sequence[Solid], lamp: Lamp) -> Rendered:
    """Returns the picture of solids under a lamp."""
    sight, alone = look(camera, solids)
    return Rendered(paint(camera, solids, lamp, sight), masks(sight, len(solids)), alone)


def paint(camera: Camera, solids: Sequence[Solid], lamp: Lamp, sight: Sight) -> NDArray[np.uint8]:
    """Returns the picture ``uint8 (H, W, 3)`` of what `look` has found."""
    rough = edges(sight)
    pixels, corners = np.flatnonzero(~rough.ravel()), np.flatnonzero(rough.ravel())
    width = camera.size_hw[1]
    y, x = np.divmod(np.concatenate([pixels, np.repeat(corners, len(_PARTS))]), width)
    at = y * width + x
    x, y = x + 0.5, y + 0.5
    dx, dy = np.tile(np.array(_PARTS), (len(corners), 1)).T
    x[len(pixels) :] += dx
    y[len(pixels) :] += dy
    fine = look_at(camera, solids, x[len(pixels) :], y[len(pixels) :])
    seen = Sight(
        *(
            np.concatenate([whole.ravel()[pixels], part])
            for whole, part in (
                (sight.solid, fine.solid),
                (sight.depth, fine.depth),
                (sight.side, fine.side),
            )
        )
    )
    light = np.clip(_shaded(_Scene(camera, solids, lamp), seen, camera.rays(x, y), at), 0.0, 1.0)
    linear = np.empty((3, sight.solid.size))
    linear[:, pixels] = light[:, : len(pixels)]
    parts = light[:, len(pixels) :].reshape(3, -1, len(_PARTS))
    linear[:, corners] = (parts[..., 0] + parts[..., 1] + parts[..., 2] + parts[..., 3]) / len(_PARTS)
    written = np.floor(np.sqrt(linear) * 255.0 + 0.5).astype(np.uint8)
    return np.ascontiguousarray(written.T.reshape(*camera.size_hw, 3))


@dataclass(frozen=True, slots=True)
class _Scene:
    camera: Camera
    solids: Sequence[Solid]
    lamp: Lamp

    @property
    def fill(self) -> Floats:
        """The direction of the weak light from the other side ``(3, 1)``."""
        right = self.camera.right
        return unit(np.array([[1.5 * right[0]], [1.5 * right[1]], [1.0]]))


def _shaded(scene: _Scene, seen: Sight, rays: Floats, at: NDArray[np.intp]) -> Floats:
    """Returns the light ``(3, N)`` that comes along rays.

    Args:
        scene: What is there.
        seen: What the rays meet first.
        rays: Their directions ``(3, N)``.
        at: The pixel that each belongs to, as a number in the picture.
    """
    light = np.empty_like(rays)
    lit, sky = on_floor(scene.camera, scene.solids, scene.lamp)
    floor = np.flatnonzero(seen.solid < 0)
    points = floor_points(scene.camera, rays[:, floor])
    light[:, floor] = _floor_light(scene.lamp, points, lit.ravel()[at[floor]], sky.ravel()[at[floor]])
    place = np.array(scene.camera.place).reshape(3, 1)
    for number, solid in enumerate(scene.solids):
        here = np.flatnonzero(seen.solid == number)
        if not len(here):
            continue
        points = place + seen.depth[here] * rays[:, here]
        normal = normals(solid, points, seen.side[here])
        view = unit(-rays[:, here])
        if solid.shape == "cube" and solid.material == "metal":
            normal = cushioned(solid, points, normal, _CUSHION)
        light[:, here] = _solid_light(scene, number, points, normal, view)
    return light


def _floor_light(lamp: Lamp, points: Floats, lit: Floats, sky: Floats) -> Floats:
    """Returns the light of the floor at points: brightest below the lamp."""
    to_lamp = np.array(lamp.place).reshape(3, 1) - points
    square = dot(to_lamp, to_lamp)
    # As bright as 1 right below, and falling with the square of the distance and the angle.
    high = lamp.place[2]
    direct = high * high * high / (square * np.sqrt(square))
    amount = _SKY * sky + 0.8 * lamp.power * direct * lit
    return np.stack([shade * amount for shade in _FLOOR])


def _solid_light(scene: _Scene, number: int, points: Floats, normal: Floats, view: Floats) -> Floats:
    """Returns the light of a solid at points of it."""
    solid = scene.solids[number]
    to_lamp = unit(np.array(scene.lamp.place).reshape(3, 1) - points)
    facing = np.maximum(dot(normal, to_lamp), 0.0)
    lit = on_solid(scene.solids, number, points, scene.lamp) * scene.lamp.power
    matt = _matt(scene, normal, facing * lit)
    shine = dot(normal, unit(to_lamp + view))
    shine = np.where(facing > 0, np.maximum(shine, 0.0), 0.0)
    if solid.material == "rubber":
        bright = 0.05 * _power(shine, 4) * lit
        return np.stack([shade * matt + bright for shade in _shade(solid.color)])
    flat = 1 - np.maximum(dot(normal, view), 0.0)
    rim = 0.75 * _power(flat, 2) * flat
    mirrored = _mirrored(scene, number, points, normal, view)
    bright = (1.6 * _power(shine, 8) + 0.25 * _power(shine, 5)) * lit
    if solid.shape == "cube":
        bright += 0.4 * _power(shine, 4) * lit
    if solid.shape == "cylinder":
        bright += 0.5 * _streak(normal, unit(to_lamp + view)) * lit
    found = np.empty_like(points)
    for k, shade in enumerate(_shade(solid.color)):
        # Metal colours what it mirrors; at a flat angle it mirrors white.
        tint = min(0.08 + 1.15 * shade, 1.0)
        found[k] = 0.2 * shade * matt + (tint + (1 - tint) * rim) * mirrored[k] + bright * (0.45 + 0.55 * tint)
    return found


def _streak(normal: Floats, halfway: Floats) -> Floats:
    """Returns the upright streak of light on turned metal, whose fine rings spread the lamp's image up and down."""
    level = np.sqrt(halfway[0] * halfway[0] + halfway[1] * halfway[1])
    facing = (normal[0] * halfway[0] + normal[1] * halfway[1]) / np.maximum(level, 1e-9)
    return _power(np.maximum(facing, 0.0), 5)


def _matt(scene: _Scene, normal: Floats, direct: Floats) -> Floats:
    """Returns how bright a white matt surface is: the lamp, the sky above, the floor below and a weak light aside."""
    upward = 0.5 + 0.5 * normal[2]
    aside = np.maximum(dot(normal, scene.fill), 0.0)
    found: Floats = _LAMP * direct + _SKY * upward + _GROUND * (1 - upward) + _FILL * aside
    return found


def _mirrored(scene: _Scene, number: int, points: Floats, normal: Floats, view: Floats) -> Floats:
    """Returns what a mirror shows ``(3, N)``: the sky, the floor, or other solids, matt."""
    ray = 2 * dot(normal, view) * normal - view
    found = _surroundings(scene, points, ray)
    nearest = np.full(points.shape[1], np.inf)
    for other, solid in enumerate(scene.solids):
        if other == number:
            continue
        crossed = crossing(solid, points, ray)
        hit = np.flatnonzero((crossed.enter > 0) & (crossed.enter < nearest))
        if not len(hit):
            continue
        nearest[hit] = crossed.enter[hit]
        there = points[:, hit] + crossed.enter[hit] * ray[:, hit]
        across = normals(solid, there, crossed.side[hit])
        to_lamp = unit(np.array(scene.lamp.place).reshape(3, 1) - there)
        matt = _matt(scene, across, np.maximum(dot(across, to_lamp), 0.0) * scene.lamp.power)
        found[:, hit] = np.stack([shade * matt for shade in _shade(solid.color)])
    return found


def _surroundings(scene: _Scene, points: Floats, ray: Floats) -> Floats:
    """Returns the light of the sky or the floor from directions of length 1."""
    upward = np.maximum(ray[2], 0.0)
    sky = _HORIZON + (_ZENITH - _HORIZON) * upward
    down = ray[2] < -0.02
    far = np.where(down, points[2] / np.where(down, -ray[2], 1.0), 0.0)
    there = points + far * ray
    there[2] = 0.0
    open_to_sky = sky_share(scene.solids, there)
    floor = _floor_light(scene.lamp, there, open_to_sky, open_to_sky)
    # The floor goes over into the horizon far away.
    near = np.where(down, 1 / (1 + (far / 9.0) * (far / 9.0)), 0.0)
    return np.where(down, near * floor + (1 - near) * 0.8 * _HORIZON, sky)


def _shade(color: Color) -> tuple[float, ...]:
    return tuple((part / 255) * (part / 255) for part in COLORS[color])


def _power(value: Floats, doublings: int) -> Floats:
    """Returns a value to the power of two to so many."""
    for _ in range(doublings):
        value = value * value
    return value
