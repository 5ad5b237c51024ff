from __future__ import annotations

import hashlib

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.scenes.camera import looking
from foveate.scenes.recipe import standard
from foveate.scenes.rendering import COLORS, render
from foveate.scenes.scene import make_scene
from foveate.scenes.shadows import Lamp, on_floor, on_solid
from foveate.scenes.solids import Color, Material, Shape, Solid

SIZE = (96, 144)
CAMERA = looking(18.0, 36.0, 0.0, 220.0, SIZE)
NEAR = looking(18.0, 36.0, 0.0, 666.0, (320, 480))
LAMP = Lamp((-4.0, -3.0, 12.5), 1.0, 1.0)


def solid(
    shape: Shape = "sphere",
    x: float = 0.0,
    y: float = 0.0,
    color: Color = "red",
    material: Material = "rubber",
    radius: float = 0.75,
) -> Solid:
    return Solid(shape, "large", color, material, x, y, radius, 20.0)


def hue_of(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    linear = (pixels.reshape(-1, 3) / 255.0) ** 2
    mean = linear.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


@pytest.mark.parametrize("color", list(COLORS))
def test_matt_solids_have_the_hue_of_their_colour(color: Color) -> None:
    drawn = render(CAMERA, [solid("cylinder", color=color)], LAMP)
    truth = (np.array(COLORS[color]) / 255) ** 2
    # Of all colours of CLEVR its own is the nearest, up to a little white of the lamp.
    hues = {
        name: (np.array(rgb) / 255) ** 2 / np.linalg.norm((np.array(rgb) / 255) ** 2) for name, rgb in COLORS.items()
    }
    seen = hue_of(drawn.image[drawn.masks[0]])
    assert float(seen @ (truth / np.linalg.norm(truth))) > 0.99
    near = max(hues, key=lambda name: float(seen @ hues[name]))
    # Red and brown are close in hue; brightness tells them apart.
    assert near == color


@pytest.mark.parametrize("shape", ["cube", "sphere", "cylinder"])
def test_metal_mirrors_what_is_white_and_rubber_has_its_own_colour_only(shape: Shape) -> None:
    spread = {}
    for material in ("rubber", "metal"):
        drawn = render(CAMERA, [solid(shape, material=material)], LAMP)
        pixels = drawn.image[drawn.masks[0]].astype(float)
        spread[material] = np.median(pixels.min(axis=1) / pixels.max(axis=1))
    # 35 of 173, as the colour is written.
    assert abs(spread["rubber"] - 35 / 173) < 0.02
    assert spread["metal"] > 1.7 * spread["rubber"]


def test_metal_mirrors_what_is_beside_it() -> None:
    ball = solid(material="metal", color="gray")
    aside = solid(x=1.8, color="red")
    alone, both = render(CAMERA, [ball], LAMP), render(CAMERA, [ball, aside], LAMP)
    mine = both.masks[0]
    assert np.array_equal(mine, alone.masks[0])
    before, after = (drawn.image[mine].astype(int) for drawn in (alone, both))
    redder = (after[:, 0] - after[:, 1]) - (before[:, 0] - before[:, 1])
    columns = np.nonzero(mine)[1]
    assert redder.max() > 40
    assert columns[redder > 40].min() > columns.mean()  # On the side where it stands.


def test_the_floors_shadow_is_where_the_lamp_is_hidden() -> None:
    ball = solid()
    small = Lamp((-6.0, 0.0, 12.0), 1e-6, 1.0)
    lit, sky = on_floor(NEAR, [ball], small)
    # A point lamp: a place is dark if the line to the lamp passes the middle at less than the radius.
    height, width = NEAR.size_hw
    y, x = np.mgrid[0:height:2, 0:width:2] + 1.0
    local = np.stack([x - width / 2, height / 2 - y, np.full_like(x, NEAR.focal)], axis=-1)
    rays = local @ np.array([NEAR.right, NEAR.up, NEAR.ahead])
    place = np.array(NEAR.place)
    points = place + rays * (-place[2] / rays[..., 2])[..., None]
    to_lamp = np.array(small.place) - points
    to_lamp /= np.linalg.norm(to_lamp, axis=-1, keepdims=True)
    to_ball = np.array(ball.middle) - points
    aside = np.linalg.norm(np.cross(to_lamp, to_ball), axis=-1)
    dark = aside < ball.radius
    # Between the halved picture's pixels it is drawn out, so only places well inside or outside are compared.
    safe_dark, safe_lit = aside < ball.radius - 0.15, aside > ball.radius + 0.15
    shown = lit[1::2, 1::2]
    assert dark.sum() > 30
    assert np.all(shown[safe_dark] == 0)
    assert np.all(shown[safe_lit] == 1)
    assert sky.min() < 0.5
    assert sky.max() <= 1
    assert sky[0, 0] > 0.99


def test_wide_lamps_give_soft_shadows() -> None:
    soft, _ = on_floor(NEAR, [solid()], Lamp((-6.0, 0.0, 12.0), 2.0, 1.0))
    hard, _ = on_floor(NEAR, [solid()], Lamp((-6.0, 0.0, 12.0), 1e-6, 1.0))
    between = [int(((lit > 0.1) & (lit < 0.9)).sum()) for lit in (soft, hard)]
    assert between[0] > 2 * between[1]
    assert soft.min() == 0


def test_solids_shade_one_another_on_the_side_away_from_the_lamp() -> None:
    lamp = Lamp((-20.0, 0.0, 8.0), 0.5, 1.0)
    tall, low = solid("cube", x=-1.0), solid("sphere", x=0.6, radius=0.45)
    top_of = np.array([[low.x], [low.y], [2 * low.radius]])
    west = np.array([[low.x - low.radius], [low.y], [low.radius]])
    points = np.hstack([top_of, west])
    lit = on_solid([tall, low], 1, points, lamp)
    assert lit[1] == 0
    assert on_solid([low], 0, points, lamp).tolist() == [1, 1]


def test_masks_are_those_of_the_pixels_middles_and_edges_are_smooth() -> None:
    drawn = render(CAMERA, [solid("cube", color="yellow")], LAMP)
    rows, columns = np.nonzero(drawn.masks[0])
    inside = drawn.image[rows, columns].astype(int)
    # Yellow inside, grey outside; only at the outline there is anything between.
    yellow = drawn.image.astype(int)[..., 0] - drawn.image.astype(int)[..., 2]
    outside = yellow[~drawn.masks[0]]
    assert np.median(inside[:, 0] - inside[:, 2]) > 100
    between = (yellow > 15) & (yellow < 60)
    assert 0 < between.sum() < 4 * (len(rows) ** 0.5) * 2
    assert (outside > 15).sum() < 150


# Of the seed 7: a change of any digit is another data set.
GOLDEN = "37acb6e849234aa8"


def test_the_pictures_of_the_standard_recipe_are_frozen() -> None:
    pixels = hashlib.sha256()
    for index in range(3):
        pixels.update(make_scene(standard(), 7, index).image.tobytes())
    assert pixels.hexdigest()[:16] == GOLDEN
