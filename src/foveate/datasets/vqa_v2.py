"""VQA v2: questions of people about photos of MS COCO, with ten answers each; no regions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.truths import Fact, Truth
from foveate.datasets._official import optional_file, photo_of
from foveate.datasets._options import AbsentError, Options, needed_root, official_file, size_if_readable
from foveate.datasets._tiny import TINY_BOXES, write_tiny_photos
from foveate.formats.vqa_v2 import VqaAnnotation, read_pairs
from foveate.sources.folders import PhotoFolder

CARD = DatasetCard(
    name="vqa_v2",
    title="VQA v2",
    summary="1.1 million questions about photos of MS COCO, ten answers each where they are public; no regions.",
    licence="annotations CC BY 4.0; photos: those of MS COCO, as their owners at Flickr state",
    citation="Goyal, Khot, Summers-Stay, Batra, Parikh: Making the V in VQA Matter: Elevating the Role of Image "
    "Understanding in Visual Question Answering. CVPR 2017",
    homepage="the web site of VQA, section Download: balanced real images; the photos at MS COCO",
    splits={"train2014": 443_757, "val2014": 214_354, "test2015": 447_793, "test-dev2015": 107_394},
    evaluate_as="answer",
    facts={
        "question_type": "the words that it begins with",
        "answer_type": "yes/no, number or other",
        "multiple_choice_answer": "the most frequent of the ten answers, as the publisher gives it",
        "confidence": "how sure each of the ten people said they were (yes, maybe, no), in the order of the answers",
    },
)


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions of a split, one at a time; the photos may lie anywhere below the root, or be absent.

    The annotations are read beside them, where they are there, so that the ids are those of the truths.

    Raises:
        InputError: A file of the split is missing or broken.
    """
    folder = PhotoFolder(needed_root(CARD.name, root))
    for question, _ in read_pairs(*_files(folder.root, split), options.on_invalid):
        name, short = _photo_names(split, question.image_id)
        photo = photo_of(folder, name, short) if options.with_images else None
        yield Query(str(question.question_id), name, photo, question.question, size_if_readable(photo))


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the ten answers of each question; there are no targets.

    Raises:
        InputError: A file of the split is missing or broken; of the tests the publisher keeps the annotations.
    """
    folder = needed_root(CARD.name, root)
    questions, annotations = _files(folder, split)
    if annotations is None:
        raise AbsentError(
            str(folder / _annotation_file(split)),
            "there is no such file, and without it there are no answers",
            "Put it below --root; those of test2015 and test-dev2015 are kept by the publisher.",
        )
    for question, found in read_pairs(questions, annotations, options.on_invalid):
        answers = tuple(one.answer for one in found.answers) if found else ()
        yield Truth(str(question.question_id), answers, facts=_facts(found) if found else {})


def write_tiny(root: Path) -> None:
    """Writes three photos and every split in the official layout below the root; for tests and trying out.

    The tests have annotations here, as only the publisher has them.
    """
    write_tiny_photos(root / "images")
    for split in CARD.splits:
        questions = [
            {"image_id": n, "question": question, "question_id": n * 1000} for n, (_, question) in enumerate(TINY_BOXES)
        ]
        answers = [{"answer": "red", "answer_confidence": "yes", "answer_id": n} for n in range(1, 11)]
        annotations = [
            {
                "question_type": "what is",
                "multiple_choice_answer": "red",
                "answers": answers,
                "image_id": n,
                "answer_type": "other",
                "question_id": n * 1000,
            }
            for n in range(len(TINY_BOXES))
        ]
        head = {"data_type": "mscoco", "data_subtype": split}
        _write(root / _question_file(split), {**head, "questions": questions})
        _write(root / _annotation_file(split), {**head, "annotations": annotations})


def _facts(found: VqaAnnotation) -> dict[str, Fact]:
    known: dict[str, Fact | None] = {
        "question_type": found.question_type,
        "answer_type": found.answer_type,
        "multiple_choice_answer": found.multiple_choice_answer,
    }
    sure = tuple(one.answer_confidence for one in found.answers if one.answer_confidence is not None)
    known["confidence"] = sure if len(sure) == len(found.answers) else None
    return {name: value for name, value in known.items() if value is not None}


def _photo_names(split: str, image: int) -> tuple[str, str]:
    """Returns the name of a photo in COCO's folders of 2014 and 2015, and in those of 2017."""
    return f"COCO_{split.replace('test-dev', 'test')}_{image:012d}.jpg", f"{image:012d}.jpg"


def _files(root: Path, split: str) -> tuple[Path, Path | None]:
    return official_file(root, _question_file(split)), optional_file(root, _annotation_file(split))


def _question_file(split: str) -> str:
    return f"v2_OpenEnded_mscoco_{split}_questions.json"


def _annotation_file(split: str) -> str:
    return f"v2_mscoco_{split}_annotations.json"


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
