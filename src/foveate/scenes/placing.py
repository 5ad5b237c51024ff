"""Solids at random places: each is seen, and none is neither left nor right, or neither before nor behind another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from foveate.errors import UsageError
from foveate.scenes.camera import Camera, placed
from foveate.scenes.draws import Draws
from foveate.scenes.recipe import Recipe, SolidsPlan
from foveate.scenes.shadows import Lamp, lamp_for
from foveate.scenes.sight import Sight, look
from foveate.scenes.solids import Color, Material, Shape, Size, Solid

_TRIES = 40
_SCENES = 5_000


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Solids under a lamp before a camera, and what is seen of them."""

    camera: Camera
    lamp: Lamp
    solids: tuple[Solid, ...]
    sight: Sight


def arrange(recipe: Recipe, draws: Draws) -> Arrangement:
    """Returns a random arrangement that the recipe allows.

    Raises:
        UsageError: None was found: so many solids of these sizes have no room.
    """
    for _ in range(_SCENES):
        camera = placed(recipe.camera, recipe.picture.size_hw, draws)
        lamp = lamp_for(camera, draws)
        solids = _put(recipe, camera, draws)
        if solids is None:
            continue
        sight, alone = look(camera, solids)
        seen = np.bincount(sight.solid[sight.solid >= 0], minlength=len(solids))
        share = recipe.picture.least_share
        if all(n >= max(recipe.picture.least_pixels, share * all_of) for n, all_of in zip(seen, alone, strict=True)):
            return Arrangement(camera, lamp, solids, sight)
    raise UsageError("scenes", "solids of this recipe find no room", "Take fewer or smaller ones, or a smaller margin.")


def _put(recipe: Recipe, camera: Camera, draws: Draws) -> tuple[Solid, ...] | None:
    count = draws.whole(recipe.solids.least, recipe.solids.most)
    solids: list[Solid] = []
    while len(solids) < count:
        drawn = _solid(recipe.solids, camera, draws)
        for _ in range(_TRIES):
            if _fits(drawn, solids, recipe, camera):
                break
            drawn = _moved(drawn, recipe.solids, camera, draws)
        else:
            return None
        solids.append(drawn)
    return tuple(solids)


def _solid(plan: SolidsPlan, camera: Camera, draws: Draws) -> Solid:
    size = draws.pick(get_args(Size))
    return _moved(
        Solid(
            shape=draws.pick(get_args(Shape)),
            size=size,
            color=draws.pick(get_args(Color)),
            material=draws.pick(get_args(Material)),
            x=0.0,
            y=0.0,
            radius=plan.large if size == "large" else plan.small,
            turned=draws.uniform(0.0, 360.0),
        ),
        plan,
        camera,
        draws,
    )


def _moved(solid: Solid, plan: SolidsPlan, camera: Camera, draws: Draws) -> Solid:
    """Returns the solid at another place of the part of the floor that the camera sees well."""
    aside, away = draws.uniform(-plan.across, plan.across), draws.uniform(plan.nearest, plan.farthest)
    right, behind = camera.directions["right"], camera.directions["behind"]
    x, y = (aside * right[k] + away * behind[k] for k in (0, 1))
    return Solid(solid.shape, solid.size, solid.color, solid.material, x, y, solid.radius, solid.turned)


def _fits(solid: Solid, others: Sequence[Solid], recipe: Recipe, camera: Camera) -> bool:
    x0, y0, x1, y1 = camera.around(solid)
    height, width = camera.size_hw
    border = recipe.picture.border
    if x0 < border or y0 < border or x1 > width - border or y1 > height - border:
        return False
    right, behind = camera.directions["right"], camera.directions["behind"]
    for other in others:
        dx, dy = solid.x - other.x, solid.y - other.y
        if math.sqrt(dx * dx + dy * dy) < solid.foot + other.foot + recipe.solids.gap:
            return False
        if any(abs(dx * way[0] + dy * way[1]) < recipe.solids.margin for way in (right, behind)):
            return False
    return True
