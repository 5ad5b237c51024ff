"""What is in a scene, as questions see it: attributes by name, and which solid is on which side of which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from foveate.scenes.camera import Camera
from foveate.scenes.solids import Color, Material, Shape, Size, Solid

Attribute = Literal["size", "color", "material", "shape"]
Relation = Literal["left", "right", "front", "behind"]
# In the order in which they are said.
ATTRIBUTES: tuple[Attribute, ...] = ("size", "color", "material", "shape")
RELATIONS: tuple[Relation, ...] = ("left", "right", "front", "behind")
OPPOSITE: dict[Relation, Relation] = {"left": "right", "right": "left", "front": "behind", "behind": "front"}
VALUES: dict[Attribute, tuple[str, ...]] = {
    "size": get_args(Size),
    "color": get_args(Color),
    "material": get_args(Material),
    "shape": get_args(Shape),
}


@dataclass(frozen=True, slots=True)
class Graph:
    """A scene without its picture.

    Attributes:
        attributes: The attributes of each solid.
        relationships: By the relation, for each solid the numbers of those that are on that side of it.
    """

    attributes: tuple[dict[Attribute, str], ...]
    relationships: dict[Relation, tuple[tuple[int, ...], ...]]

    @property
    def everything(self) -> frozenset[int]:
        """The numbers of all solids."""
        return frozenset(range(len(self.attributes)))


def graph_of(solids: Sequence[Solid], camera: Camera) -> Graph:
    """Returns the graph of solids as the camera sees them.

    Left and right, front and behind are judged by the middles, along the floor: from the recipe's margin on.
    """
    attributes: tuple[dict[Attribute, str], ...] = tuple(
        {"size": one.size, "color": one.color, "material": one.material, "shape": one.shape} for one in solids
    )
    directions = camera.directions
    beside: dict[Relation, tuple[tuple[int, ...], ...]] = {}
    for relation in RELATIONS:
        x, y, _ = directions[relation]
        along = [x * one.x + y * one.y for one in solids]
        beside[relation] = tuple(
            tuple(other for other, far in enumerate(along) if far > here and other != number)
            for number, here in enumerate(along)
        )
    return Graph(attributes, beside)
