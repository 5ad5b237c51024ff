"""GQA: questions made from scene graphs, and the boxes of the objects that their answers name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.truths import Fact, Match, Target, Truth
from foveate.datasets._official import Edges, chosen, optional_file, photo_of
from foveate.datasets._options import AbsentError, HiddenError, Options, needed_root, official_file, size_if_readable
from foveate.datasets._tiny import TINY_BOXES, write_tiny_photos
from foveate.errors import some
from foveate.formats.gqa import GqaQuestion, GqaScene, read_questions, read_scenes
from foveate.sources.folders import PhotoFolder

CARD = DatasetCard(
    name="gqa",
    title="GQA",
    summary="Questions made from scene graphs of photos of Visual Genome; the targets are the boxes of the answer.",
    licence="CC BY 4.0; photos: those of Visual Genome, as their owners at Flickr and MS COCO state",
    citation="Hudson, Manning: GQA: A New Dataset for Real-World Visual Reasoning and Compositional Question "
    "Answering. CVPR 2019",
    homepage="the web site of GQA, section Download: questions (version 1.2), scene graphs (version 1.1), images",
    splits={
        "train_balanced": 943_000,
        "val_balanced": 132_062,
        "testdev_balanced": 12_578,
        "test_balanced": None,
        "challenge_balanced": None,
        "train_all": 14_305_356,
        "val_all": 2_011_853,
        "testdev_all": 172_174,
        "test_all": 1_340_048,
        "challenge_all": None,
    },
    evaluate_as="box",
    options={"targets": "boxes (the default: scene graphs are needed for train and val) or leave_out: answers only"},
    facts={
        "structural": "the kind of question: query, verify, choose, compare or logical",
        "semantic": "what it is about: obj, attr, cat, rel or global",
        "detailed": "its finer type, as the publisher names it",
        "group": "the answers that it was balanced among; yes and no have none",
        "full_answer": "the answer as a sentence",
        "balanced": "whether it belongs to the balanced part",
    },
)

_CHOICES = ("boxes", "leave_out")
_WITH_SCENES = ("train", "val")
_PARTS = 10


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split, one at a time; the photos may lie anywhere below the root, or be absent.

    Sizes are those of the scene graphs, where they are there, else those of the photos.

    Raises:
        InputError: A file of the split is missing or broken.
    """
    folder = PhotoFolder(needed_root(CARD.name, root))
    scenes = _scenes(folder.root, split, options) or {}
    for sample, question in read_questions(_question_files(folder.root, split), options.on_invalid):
        name = f"{question.image}.jpg"
        photo = photo_of(folder, name) if options.with_images else None
        scene = scenes.get(question.image)
        yield Query(sample, name, photo, question.question, scene.size_hw if scene else size_if_readable(photo))


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the answer of each question and the boxes of its objects; no photo is needed.

    An answer of several objects means their union; one that names none (yes, no) has no target.

    Raises:
        InputError: A file of the split is missing or broken, or has no answers, or the scene graphs are not there.
    """
    folder = needed_root(CARD.name, root)
    files = _question_files(folder, split)
    scenes = _scenes(folder, split, options)
    if scenes is None:
        _refuse_without_scenes(folder, split, options)
    boxes = _Boxes(scenes)
    answered = False
    for sample, question in read_questions(files, options.on_invalid):
        answered = answered or question.answer is not None
        yield boxes.truth(sample, question)
    if not answered:
        remedy = "Take a split with answers to score; those of test and challenge are kept by the publisher."
        raise HiddenError(str(files[0]), "it holds no answers", remedy)
    boxes.tell(options)


def write_tiny(root: Path) -> None:
    """Writes three photos and every split in the official layout below the root; for tests and trying out.

    Test and challenge have answers here, as only the publisher's own files have.
    """
    names = [Path(name).stem for name in write_tiny_photos(root / "images")]
    questions = {str(200 + number): _tiny_question(number, image) for number, image in enumerate(names)}
    for split in CARD.splits:
        if split == "train_all":
            for part, (key, question) in enumerate(questions.items()):
                _write(root / "train_all_questions" / f"train_all_questions_{part}.json", {key: question})
            for part in range(len(questions), _PARTS):
                _write(root / "train_all_questions" / f"train_all_questions_{part}.json", {})
        else:
            _write(root / f"{split}_questions.json", questions)
    scenes = {}
    for image, ((x0, y0, x1, y1), _) in zip(names, TINY_BOXES, strict=True):
        thing = {"name": "thing", "x": x0, "y": y0, "w": x1 - x0, "h": y1 - y0, "attributes": ["red"], "relations": []}
        scenes[image] = {"width": 64, "height": 48, "objects": {"12": thing}}
    for part_of in _WITH_SCENES:
        _write(root / f"{part_of}_sceneGraphs.json", scenes)


@dataclass
class _Boxes:
    """Turns questions into truths, and counts what scene graphs do not have."""

    scenes: Mapping[str, GqaScene] | None
    edges: Edges = field(default_factory=Edges)
    no_scene: list[str] = field(default_factory=list)
    no_object: list[str] = field(default_factory=list)

    def truth(self, sample: str, question: GqaQuestion) -> Truth:
        scene = (self.scenes or {}).get(question.image)
        targets = self._targets(sample, question, scene)
        answers = (question.answer,) if question.answer is not None else ()
        size_hw: SizeHW | None = scene.size_hw if scene else None
        match: Match = "union" if len(targets) > 1 else "single"
        return Truth(sample, answers, targets, match, size_hw=size_hw, polled=False, facts=_facts(question))

    def _targets(self, sample: str, question: GqaQuestion, scene: GqaScene | None) -> tuple[Target, ...]:
        if self.scenes is None or not question.objects:
            return ()
        if scene is None:
            self.no_scene.append(sample)
            return ()
        found = []
        for thing in question.objects:
            if thing not in scene.boxes:
                self.no_object.append(f"{thing} of {sample}")
                continue
            box = self.edges.box(scene.boxes[thing], scene.size_hw, f"{thing} of {sample}")
            if box:
                found.append(Target(box, question.answer))
        return tuple(found)

    def tell(self, options: Options) -> None:
        if self.no_scene:
            options.on_remark(
                f"questions whose photo has no scene graph, so that they have no target: {len(self.no_scene):,}, "
                f"{some(self.no_scene)}"
            )
        if self.no_object:
            options.on_remark(
                f"objects of answers that the scene graphs do not have, left out: {len(self.no_object):,}, "
                f"{some(self.no_object)}"
            )
        self.edges.tell(options.on_remark)


def _facts(question: GqaQuestion) -> dict[str, Fact]:
    known: dict[str, Fact | None] = {
        "structural": question.types.structural,
        "semantic": question.types.semantic,
        "detailed": question.types.detailed,
        "group": question.groups.whole,
        "full_answer": question.full_answer,
        "balanced": question.balanced,
    }
    return {name: value for name, value in known.items() if value is not None}


def _scenes(root: Path, split: str, options: Options) -> dict[str, GqaScene] | None:
    wanted = chosen(CARD.name, options, "targets", _CHOICES) == "boxes"
    path = optional_file(root, _scene_file(split)) if wanted and _part_of(split) in _WITH_SCENES else None
    return read_scenes(path, options.on_invalid) if path else None


def _refuse_without_scenes(root: Path, split: str, options: Options) -> None:
    if _part_of(split) not in _WITH_SCENES:
        options.on_remark(f"GQA publishes no scene graphs for {_part_of(split)}: answers only, no targets")
    elif chosen(CARD.name, options, "targets", _CHOICES) == "boxes":
        raise AbsentError(
            str(root / _scene_file(split)),
            "there is no such file, so that no answer has a target",
            "Put the scene graphs below --root, or set targets=leave_out to have answers only.",
        )


def _question_files(root: Path, split: str) -> list[Path]:
    if split != "train_all":
        return [official_file(root, f"{split}_questions.json")]
    return [official_file(root, f"{split}_questions_{part}.json") for part in range(_PARTS)]


def _part_of(split: str) -> str:
    return split.partition("_")[0]


def _scene_file(split: str) -> str:
    return f"{_part_of(split)}_sceneGraphs.json"


def _tiny_question(number: int, image: str) -> dict[str, object]:
    return {
        "question": TINY_BOXES[number][1],
        "imageId": image,
        "isBalanced": True,
        "answer": "thing",
        "fullAnswer": "It is the thing.",
        "types": {"structural": "query", "semantic": "rel", "detailed": "relS"},
        "groups": {"global": "thing", "local": "10-thing"},
        "annotations": {"answer": {"0": "12"}, "question": {}, "fullAnswer": {"3": "12"}},
    }


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
