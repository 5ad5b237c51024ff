"""One scene: its picture, its masks and its questions, from a seed and a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.rle import MaskArray
from foveate.scenes.draws import Draws
from foveate.scenes.graph import Graph, graph_of
from foveate.scenes.placing import Arrangement, arrange
from foveate.scenes.questions import Question, questions_of
from foveate.scenes.recipe import Recipe
from foveate.scenes.rendering import paint
from foveate.scenes.sight import masks


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene with its questions.

    Attributes:
        arrangement: The solids, the camera and the lamp.
        graph: The same as questions see it.
        image: ``uint8 (H, W, 3)``, RGB.
        masks: The pixels in which each solid is seen, ``bool (H, W)``.
        questions: What is asked.
    """

    arrangement: Arrangement
    graph: Graph
    image: NDArray[np.uint8]
    masks: tuple[MaskArray, ...]
    questions: tuple[Question, ...]


def make_scene(recipe: Recipe, seed: int, index: int) -> Scene:
    """Returns the scene of a seed's number; the same wherever and whenever it is made.

    Raises:
        UsageError: The recipe leaves no room for its solids.
    """
    found, graph, questions = plan_scene(recipe, seed, index)
    image = paint(found.camera, found.solids, found.lamp, found.sight)
    return Scene(found, graph, image, masks(found.sight, len(found.solids)), questions)


def plan_scene(recipe: Recipe, seed: int, index: int) -> tuple[Arrangement, Graph, tuple[Question, ...]]:
    """Returns all of a scene but its picture.

    Raises:
        UsageError: The recipe leaves no room for its solids.
    """
    draws = Draws(seed, index)
    while True:
        found = arrange(recipe, draws)
        graph = graph_of(found.solids, found.camera)
        questions = questions_of(graph, recipe.questions, draws)
        if questions is not None:
            return found, graph, questions
