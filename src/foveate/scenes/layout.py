"""Scenes as CLEVR's official files have them, with masks, boxes and evidence beside.

`scenes/…_scenes.json` and `questions/…_questions.json` are as CLEVR 1.0 has them; objects have `bbox` and `mask` more.
`CLEVR_Answers/…_question2bboxes.json` is as CLEVR-Answers has it, and `CLEVR_Answers/…_evidence.json` is ours: the
family of each question, and the objects that its answer rests on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from foveate.core.rle import encode, tight_box
from foveate.scenes.graph import RELATIONS
from foveate.scenes.questions import Question
from foveate.scenes.scene import Scene

# Questions come last: who finds them finds all.
FILES = {
    "scenes": "scenes/CLEVR_{split}_scenes.json",
    "boxes": "CLEVR_Answers/CLEVR_{split}_question2bboxes.json",
    "evidence": "CLEVR_Answers/CLEVR_{split}_evidence.json",
    "questions": "questions/CLEVR_{split}_questions.json",
}
_DIGITS = 6


def image_name(split: str, index: int) -> str:
    """Returns the name of a picture's file."""
    return f"CLEVR_{split}_{index:06d}.png"


def image_path(out: Path, split: str, index: int) -> Path:
    """Returns where a picture lies."""
    return out / "images" / split / image_name(split, index)


def portion_of(scene: Scene, split: str, index: int) -> dict[str, list[str]]:
    """Returns the rows that a scene has in each of `FILES`, as JSON: values of lists, members of objects."""
    objects = _objects(scene)
    boxes = [thing["bbox"] for thing in objects]
    first = index * len(scene.questions)
    numbered = list(enumerate(scene.questions, start=first))
    evidence = {str(n): {str(one): boxes[one] for one in question.evidence} for n, question in numbered}
    told = {str(n): {"family": question.family, "objects": list(question.evidence)} for n, question in numbered}
    return {
        "scenes": [_text(_scene(scene, objects, split, index))],
        "questions": [_text(_question(question, split, index, n)) for n, question in numbered],
        "boxes": [f"{_text(key)}: {_text(value)}" for key, value in evidence.items()],
        "evidence": [f"{_text(key)}: {_text(value)}" for key, value in told.items()],
    }


def beginning_of(name: str, split: str, version: int) -> str:
    """Returns what stands before the rows of a file."""
    info = {"split": split, "version": f"foveate scenes {version}", "license": "CC0 1.0", "date": ""}
    if name in {"scenes", "questions"}:
        return f'{{"info": {_text(info)}, "{name}": ['
    return "{"


def joined(name: str, beginning: str, rows: Iterable[str]) -> Iterator[str]:
    """Yields the parts of a file's text."""
    yield beginning
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{row}"
    yield "\n]}\n" if name in {"scenes", "questions"} else "\n}\n"


def _scene(scene: Scene, objects: list[dict[str, Any]], split: str, index: int) -> dict[str, Any]:
    directions = scene.arrangement.camera.directions
    return {
        "image_index": index,
        "image_filename": image_name(split, index),
        "split": split,
        "objects": objects,
        "relationships": {way: [list(beside) for beside in scene.graph.relationships[way]] for way in RELATIONS},
        "directions": {way: [round(part, _DIGITS) for part in vector] for way, vector in directions.items()},
    }


def _objects(scene: Scene) -> list[dict[str, Any]]:
    found = []
    for solid, mask in zip(scene.arrangement.solids, scene.masks, strict=True):
        packed = encode(mask)
        x0, y0, x1, y1 = tight_box(packed) or (0, 0, 0, 0)
        x, y, depth = scene.arrangement.camera.seen_at(solid.middle)
        found.append(
            {
                "shape": solid.shape,
                "size": solid.size,
                "color": solid.color,
                "material": solid.material,
                "3d_coords": [round(part, _DIGITS) for part in solid.middle],
                "pixel_coords": [int(x), int(y), round(depth, _DIGITS)],
                "rotation": round(solid.turned, _DIGITS),
                "bbox": [int(x0), int(y0), int(x1 - x0), int(y1 - y0)],
                "mask": {"size": list(packed.size_hw), "counts": packed.counts.decode("ascii")},
            }
        )
    return found


def _question(question: Question, split: str, index: int, number: int) -> dict[str, Any]:
    return {
        "image_index": index,
        "program": [
            {
                "inputs": list(step.inputs),
                "function": step.function,
                "value_inputs": [] if step.value is None else [step.value],
            }
            for step in question.program
        ],
        "question_index": number,
        "image_filename": image_name(split, index),
        "question_family_index": question.kind,
        "split": split,
        "answer": question.answer,
        "question": question.text,
    }


def _text(value: object) -> str:
    return json.dumps(value, separators=(", ", ": "))
