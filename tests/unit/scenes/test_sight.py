"""What is seen where, against geometry worked out in another way: closed forms, hulls, marches along rays."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from foveate.scenes.camera import Camera, looking
from foveate.scenes.draws import Draws
from foveate.scenes.recipe import standard
from foveate.scenes.sight import edges, look, look_at, masks
from foveate.scenes.solids import Shape, Solid, crossing, normals

SIZE = (96, 144)
CAMERA = looking(18.0, 36.0, 25.0, 220.0, SIZE)


def solid(shape: Shape, x: float = 0.0, y: float = 0.0, radius: float = 0.75, turned: float = 33.0) -> Solid:
    return Solid(shape, "large", "red", "rubber", x, y, radius, turned)


def pixel_rays(camera: Camera) -> NDArray[np.float64]:
    """Unit rays of all pixels, by a matrix of the camera's axes: not how the package does it."""
    height, width = camera.size_hw
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    local = np.stack([x - width / 2, height / 2 - y, np.full_like(x, camera.focal)], axis=-1)
    rays = local @ np.array([camera.right, camera.up, camera.ahead])
    return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True))


def test_the_axes_of_a_camera_are_at_right_angles_and_the_floors_middle_is_in_the_picture() -> None:
    axes = np.array([CAMERA.right, CAMERA.up, CAMERA.ahead])
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-8)
    x, y, depth = CAMERA.seen_at((0.0, 0.0, 0.0))
    np.testing.assert_allclose((x, y, depth), (72, 48, 18), atol=1e-6)
    # A point to the right is to the right, one behind is above, one higher is above.
    for name, toward in (("right", (1, 0)), ("behind", (0, -1)), ("above", (0, -1))):
        there = CAMERA.seen_at(CAMERA.directions[name])
        assert (there[0] - x) * toward[0] + (there[1] - y) * toward[1] > 5
        back = CAMERA.directions[{"right": "left", "behind": "front", "above": "below"}[name]]
        assert np.allclose(back, [-part for part in CAMERA.directions[name]])


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (2.5, -2.0), (-3.0, 2.0)])
def test_a_spheres_outline_is_a_cone_of_known_angle(x: float, y: float) -> None:
    ball = solid("sphere", x, y)
    sight, alone = look(CAMERA, [ball])
    away = np.array(ball.middle) - np.array(CAMERA.place)
    distance = float(np.linalg.norm(away))
    # A ray meets the ball where its angle to the middle is below asin(r / d).
    cosine = pixel_rays(CAMERA) @ (away / distance)
    expected = cosine > math.sqrt(1 - (ball.radius / distance) ** 2)
    (mask,) = masks(sight, 1)
    assert np.array_equal(mask, expected)
    assert alone == (int(expected.sum()),)
    # It is nearest where the ray goes through the middle.
    row, column = np.unravel_index(int(cosine.argmax()), SIZE)
    depth_of_ray = float(pixel_rays(CAMERA)[row, column] @ np.array(CAMERA.ahead))
    assert sight.depth[row, column] / depth_of_ray == pytest.approx(distance - ball.radius, abs=0.01)


@pytest.mark.parametrize("turned", [0.0, 33.0, 45.0, 200.0])
def test_a_cubes_outline_is_the_hull_of_its_corners(turned: float) -> None:
    cube = solid("cube", 1.0, -1.0, turned=turned)
    half, angle = cube.half[0], math.radians(turned)
    corners = [
        (
            cube.x + half * (a * math.cos(angle) - b * math.sin(angle)),
            cube.y + half * (a * math.sin(angle) + b * math.cos(angle)),
            half * (1 + c),
        )
        for a, b, c in product((-1, 1), repeat=3)
    ]
    hull = shapely.convex_hull(shapely.MultiPoint([CAMERA.seen_at(corner)[:2] for corner in corners]))
    x, y = np.meshgrid(np.arange(SIZE[1]) + 0.5, np.arange(SIZE[0]) + 0.5)
    (mask,) = masks(look(CAMERA, [cube])[0], 1)
    assert np.array_equal(mask, shapely.contains_xy(hull, x, y))


def test_a_cylinders_outline_is_the_hull_of_its_rims() -> None:
    tube = solid("cylinder", -2.0, 1.0)
    radius, high = tube.half[0], 2 * tube.half[2]
    rims = [
        (tube.x + radius * math.cos(a), tube.y + radius * math.sin(a), z)
        for a in np.linspace(0, 2 * math.pi, 2_000)
        for z in (0.0, high)
    ]
    hull = shapely.convex_hull(shapely.MultiPoint([CAMERA.seen_at(point)[:2] for point in rims]))
    x, y = np.meshgrid(np.arange(SIZE[1]) + 0.5, np.arange(SIZE[0]) + 0.5)
    (mask,) = masks(look(CAMERA, [tube])[0], 1)
    assert np.array_equal(mask, shapely.contains_xy(hull, x, y))


@pytest.mark.parametrize("shape", ["cube", "sphere", "cylinder"])
def test_rays_enter_and_leave_where_a_march_along_them_does(shape: Shape) -> None:
    one = solid(shape, 0.3, -0.2)
    rng = np.random.default_rng(4)
    origin = rng.uniform(-3, 3, (3, 60))
    ray = np.array(one.middle).reshape(3, 1) + rng.normal(0, 0.4, (3, 60)) - origin
    found = crossing(one, origin, ray)
    steps = np.linspace(-1.0, 3.0, 8_001)
    inside = _inside(one, origin[:, :, None] + ray[:, :, None] * steps)
    hit = inside.any(axis=1)
    assert 15 < hit.sum() < 60
    first, last = inside.argmax(axis=1), len(steps) - 1 - inside[:, ::-1].argmax(axis=1)
    np.testing.assert_allclose(found.enter[hit], steps[first[hit]], atol=1e-3)
    np.testing.assert_allclose(found.leave[hit], steps[last[hit]], atol=1e-3)
    # The march may step over a corner that is only just touched.
    assert np.all((found.leave - found.enter)[~hit & np.isfinite(found.enter)] < 1e-3)
    points = origin[:, hit] + found.enter[hit] * ray[:, hit]
    normal = normals(one, points, found.side[hit])
    np.testing.assert_allclose((normal**2).sum(axis=0), 1.0, atol=1e-6)
    assert np.all((normal * ray[:, hit]).sum(axis=0) < 1e-9)  # They look towards where the ray comes from.
    assert not _inside(one, points + 1e-3 * normal).any()
    assert _inside(one, points - 1e-3 * normal).mean() > 0.95  # All but those right at an edge.


def _inside(one: Solid, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    x, y, z = points[0] - one.x, points[1] - one.y, points[2]
    if one.shape == "sphere":
        return np.asarray(x**2 + y**2 + (z - one.radius) ** 2 < one.radius**2)
    if one.shape == "cylinder":
        return np.asarray((x**2 + y**2 < one.half[0] ** 2) & (z > 0) & (z < 2 * one.half[2]))
    turned = (x + 1j * y) * np.exp(-1j * np.radians(one.turned))
    side = one.half[0]
    return np.asarray((abs(turned.real) < side) & (abs(turned.imag) < side) & (z > 0) & (z < 2 * side))


def test_the_nearer_solid_hides_the_other_in_whatever_order_they_come() -> None:
    behind = CAMERA.directions["behind"]
    near, far = solid("cube"), solid("sphere", 1.6 * behind[0], 1.6 * behind[1])
    (first, second), (one, other) = (masks(look(CAMERA, order)[0], 2) for order in ([near, far], [far, near]))
    assert np.array_equal(first, other)
    assert np.array_equal(second, one)
    (alone,) = masks(look(CAMERA, [far])[0], 1)
    assert np.array_equal(first, masks(look(CAMERA, [near])[0], 1)[0])
    assert np.array_equal(second, alone & ~first)
    assert 0 < second.sum() < alone.sum()
    assert look(CAMERA, [near, far])[1] == (int(first.sum()), int(alone.sum()))


def test_looking_at_single_places_gives_what_whole_pictures_have() -> None:
    solids = [solid("cube"), solid("sphere", 1.5, 1.0), solid("cylinder", -1.5, 0.5)]
    sight, _ = look(CAMERA, solids)
    y, x = (part.ravel() + 0.5 for part in np.mgrid[: SIZE[0], : SIZE[1]])
    single = look_at(CAMERA, solids, x, y)
    for whole, part in ((sight.solid, single.solid), (sight.depth, single.depth), (sight.side, single.side)):
        assert np.array_equal(whole.ravel(), part)


def test_edges_are_where_a_neighbour_differs() -> None:
    sight, _ = look(CAMERA, [solid("cube"), solid("cylinder", 2.0, 1.0)])
    found = edges(sight)
    code = [list(zip(*pair, strict=True)) for pair in zip(sight.solid.tolist(), sight.side.tolist(), strict=True)]
    height, width = SIZE
    for row in range(height):
        for column in range(width):
            beside = [(row + a, column + b) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            differs = any(code[r][c] != code[row][column] for r, c in beside if 0 <= r < height and 0 <= c < width)
            assert found[row, column] == differs


def test_the_box_around_a_solid_holds_all_that_is_seen_of_it() -> None:
    draws, plan = Draws(3, 1), standard().solids
    shapes: tuple[Shape, ...] = ("cube", "sphere", "cylinder")
    for number in range(30):
        x, y = draws.uniform(-plan.across, plan.across), draws.uniform(plan.nearest, plan.farthest)
        one = solid(shapes[number % 3], x, y, turned=draws.uniform(0, 360))
        (mask,) = masks(look(CAMERA, [one])[0], 1)
        rows, columns = np.nonzero(mask)
        x0, y0, x1, y1 = CAMERA.around(one)
        assert len(rows)
        assert x0 <= columns.min() + 0.5
        assert y0 <= rows.min() + 0.5
        assert columns.max() + 0.5 <= x1
        assert rows.max() + 0.5 <= y1
