"""Which samples two phases share: what a participant could take from the one for the other."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from foveate.challenges.pack import Pack
from foveate.formats._sample_forms import Sample
from foveate.formats._sample_objects import sample_object


@dataclass(frozen=True)
class Shared:
    """What two packs have in common.

    Attributes:
        questions: Ids (of the second) of the same question about a photo of the same name.
        renamed: Ids of the second whose question, size and targets are those of a photo of another name in the first.
        photos: Names of photos of both, asked other questions.
    """

    questions: list[str]
    renamed: list[str]
    photos: list[str]


def shared_samples(first: Pack, second: Pack) -> Shared:
    """Returns what two packs have in common, in the order of the second."""
    asked, ids, prints, photos = set(), set(), set(), set()
    for sample in first.samples():
        asked.add(_asked(sample))
        ids.add((sample.query.id, sample.query.image_name))
        photos.add(sample.query.image_name)
        prints.add(_print(sample))
    questions, renamed, both = [], [], []
    for sample in second.samples():
        query = sample.query
        if _asked(sample) in asked or (query.id, query.image_name) in ids:
            questions.append(query.id)
        elif sample.truth.targets and _print(sample) in prints:
            renamed.append(query.id)
        elif query.image_name in photos:
            both.append(query.image_name)
    return Shared(questions, renamed, list(dict.fromkeys(both)))


def _asked(sample: Sample) -> tuple[str, str]:
    return sample.query.image_name, " ".join(sample.query.question.casefold().split())


def _print(sample: Sample) -> str:
    """Returns the sha256 of all of a sample but its names."""
    said = {key: value for key, value in sample_object(sample).items() if key not in ("id", "image")}
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
