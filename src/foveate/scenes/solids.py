"""Solids on a floor, and where rays cross them: all exact, in NumPy, by operations that every machine rounds alike.

The world's z goes up, the floor is z = 0. Points and rays are ``float64 (3, N)``; a ray is a point and a direction of
any length, and places along it are multiples of the direction. All solids are convex, so that a ray is inside one
between one entry and one exit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Shape = Literal["cube", "sphere", "cylinder"]
Size = Literal["small", "large"]
Color = Literal["gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"]
Material = Literal["rubber", "metal"]
# The same extent for the eye: a cube as wide as a ball looks larger, since its corners are seen.
_CUBE, _TUBE, _TALL = 0.66, 0.82, 0.76
_NONE = 1e-12


@dataclass(frozen=True, slots=True)
class Solid:
    """One solid that stands on the floor.

    Attributes:
        shape: A cube turned about the upright axis, a sphere, or an upright cylinder.
        size: Its size's name.
        color: Its colour's name.
        material: Matt rubber or shiny metal.
        x: Its place on the floor, world units.
        y: Its place on the floor, world units.
        radius: Half of its extent, world units: a sphere's radius.
        turned: How far it is turned about the upright axis, degrees.
    """

    shape: Shape
    size: Size
    color: Color
    material: Material
    x: float
    y: float
    radius: float
    turned: float

    @property
    def half(self) -> tuple[float, float, float]:
        """Half of its extents along its own three axes."""
        r = self.radius
        if self.shape == "cube":
            return _CUBE * r, _CUBE * r, _CUBE * r
        return (r, r, r) if self.shape == "sphere" else (_TUBE * r, _TUBE * r, _TALL * r)

    @property
    def middle(self) -> tuple[float, float, float]:
        """Its middle."""
        return self.x, self.y, self.half[2]

    @property
    def reach(self) -> float:
        """The radius of the ball around its middle that holds it."""
        a, b, c = self.half
        if self.shape == "sphere":
            return self.radius
        return float(np.sqrt(a * a + (b * b if self.shape == "cube" else 0.0) + c * c))

    @property
    def foot(self) -> float:
        """The radius of the circle on the floor, around its place, that it stays above."""
        a, b, _ = self.half
        return float(np.sqrt(a * a + b * b)) if self.shape == "cube" else a

    @property
    def axis(self) -> tuple[float, float]:
        """Cosine and sine of its turn, rounded so that they do not depend on a machine's library."""
        angle = np.deg2rad(self.turned)
        return round(float(np.cos(angle)), 9), round(float(np.sin(angle)), 9)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where rays enter and leave a solid.

    Attributes:
        enter: The place along each ray ``(N,)``; infinite where the ray passes by.
        leave: The same; minus infinite where the ray passes by.
        side: Which side is entered: of cubes 0 to 5, of cylinders 0 (round) or 1 (flat), of spheres 0.
    """

    enter: Floats
    leave: Floats
    side: NDArray[np.int8]


def crossing(solid: Solid, origin: Floats, ray: Floats) -> Crossing:
    """Returns where rays cross a solid's surface.

    Args:
        solid: The solid.
        origin: Where the rays begin, ``(3, N)`` or ``(3, 1)``.
        ray: Their directions ``(3, N)`` or ``(3, 1)``.
    """
    local, along = _local(solid, origin), _turned(solid, ray)
    if solid.shape == "sphere":
        enter, leave = _round(local, along, solid.radius, (0, 1, 2))
        side = np.zeros(enter.shape, np.int8)
    elif solid.shape == "cube":
        enter, leave, side = _slabs(solid, local, along)
    else:
        enter, leave = _round(local, along, solid.half[0], (0, 1))
        low, high = _slab(local[2], along[2], solid.half[2])
        side = (low > enter).astype(np.int8)
        enter, leave = np.maximum(enter, low), np.minimum(leave, high)
    past = enter >= leave
    return Crossing(np.where(past, np.inf, enter), np.where(past, -np.inf, leave), side)


def normals(solid: Solid, points: Floats, side: NDArray[np.int8]) -> Floats:
    """Returns the outward unit normals ``(3, N)`` at points of a solid's surface, entered by the sides given."""
    local = _local(solid, points)
    if solid.shape == "sphere":
        return local / solid.radius
    found = np.zeros_like(local)
    if solid.shape == "cylinder":
        flat = side == 1
        found[:2] = np.where(flat, 0.0, local[:2] / solid.half[0])
        found[2] = np.where(flat, np.sign(local[2]), 0.0)
        return found
    for axis in range(3):
        found[axis] = np.where(side // 2 == axis, np.where(side % 2 == 0, -1.0, 1.0), 0.0)
    c, s = solid.axis
    return np.stack([c * found[0] - s * found[1], s * found[0] + c * found[1], found[2]])


def cushioned(solid: Solid, points: Floats, normal: Floats, amount: float) -> Floats:
    """Returns a cube's unit normals as if its faces were cushions: bent outward towards the edges, by so much there.

    The outline stays; what the faces mirror changes from place to place, as on cubes of cast metal.
    """
    bent = _local(solid, points) / solid.half[0]
    c, s = solid.axis
    bent = amount * bent * bent * bent
    return unit(normal + np.stack([c * bent[0] - s * bent[1], s * bent[0] + c * bent[1], bent[2]]))


def dot(a: Floats, b: Floats) -> Floats:
    """Returns the inner products ``(N,)``, in an order of sums that no library changes."""
    product: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


def unit(a: Floats) -> Floats:
    """Returns the directions ``(3, N)`` of length 1."""
    return a / np.sqrt(dot(a, a))


def _local(solid: Solid, points: Floats) -> Floats:
    x, y, z = solid.middle
    return _turned(solid, np.stack([points[0] - x, points[1] - y, points[2] - z]))


def _turned(solid: Solid, vectors: Floats) -> Floats:
    """Returns vectors in the solid's own axes; only a cube's differ from the world's."""
    if solid.shape != "cube":
        return vectors
    c, s = solid.axis
    return np.stack([c * vectors[0] + s * vectors[1], c * vectors[1] - s * vectors[0], vectors[2]])


def _round(local: Floats, along: Floats, radius: float, axes: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Returns where rays enter and leave a sphere (three axes) or an endless tube (two)."""
    a = sum((along[k] * along[k] for k in axes), np.zeros(()))
    b = sum((local[k] * along[k] for k in axes), np.zeros(()))
    c = sum((local[k] * local[k] for k in axes), np.zeros(())) - radius * radius
    a = np.maximum(a, _NONE)
    inside = b * b - a * c
    root = np.sqrt(np.maximum(inside, 0.0))
    hit = inside > 0
    return np.where(hit, (-b - root) / a, np.inf), np.where(hit, (root - b) / a, -np.inf)


def _slab(local: Floats, along: Floats, half: float) -> tuple[Floats, Floats]:
    """Returns where rays enter and leave what lies between two planes."""
    safe = np.where(np.abs(along) < _NONE, _NONE, along)
    one, two = (-half - local) / safe, (half - local) / safe
    return np.minimum(one, two), np.maximum(one, two)


def _slabs(solid: Solid, local: Floats, along: Floats) -> tuple[Floats, Floats, NDArray[np.int8]]:
    found = [_slab(local[k], along[k], solid.half[k]) for k in range(3)]
    enter, leave, side = found[0][0], found[0][1], np.where(along[0] > 0, 0, 1).astype(np.int8)
    for axis in (1, 2):
        low, high = found[axis]
        side = np.where(low > enter, np.where(along[axis] > 0, 2 * axis, 2 * axis + 1), side).astype(np.int8)
        enter, leave = np.maximum(enter, low), np.minimum(leave, high)
    return enter, leave, side
