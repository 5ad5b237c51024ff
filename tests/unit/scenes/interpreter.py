"""A tiny interpreter of CLEVR's programs on a scene's JSON, written apart from the package's: by recursion."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


class NotUniqueError(Exception):
    """`unique` was given none or several."""


def give(program: list[Json], scene: Json, at: int = -1) -> Any:
    """Returns what a step gives: a list of objects, one object's number, a value."""
    step = program[at]
    given = [give(program, scene, n) for n in step["inputs"]]
    name, values = step["function"], step["value_inputs"]
    objects = scene["objects"]
    if name == "scene":
        return list(range(len(objects)))
    if name.startswith("filter_"):
        return [n for n in given[0] if objects[n][name[7:]] == values[0]]
    if name == "unique":
        if len(given[0]) != 1:
            raise NotUniqueError
        return given[0][0]
    if name == "relate":
        x, y, z = scene["directions"][values[0]]
        here = objects[given[0]]["3d_coords"]
        far = [x * (o["3d_coords"][0] - here[0]) + y * (o["3d_coords"][1] - here[1]) for o in objects]
        assert z == 0
        return [n for n, along in enumerate(far) if along > 0.1]
    if name.startswith("same_"):
        return [n for n, o in enumerate(objects) if n != given[0] and o[name[5:]] == objects[given[0]][name[5:]]]
    if name.startswith("query_"):
        return objects[given[0]][name[6:]]
    if name.startswith("equal_"):
        return "yes" if given[0] == given[1] else "no"
    if name == "count":
        return str(len(given[0]))
    assert name == "exist"
    return "yes" if given[0] else "no"


def evidence(program: list[Json], scene: Json) -> list[int]:
    """Returns the objects that the answer rests on."""
    last = program[-1]
    if last["function"].startswith("equal_"):
        return sorted({give(program, scene, program[n]["inputs"][0]) for n in last["inputs"]})
    found = give(program, scene, last["inputs"][0])
    return found if isinstance(found, list) else [found]
