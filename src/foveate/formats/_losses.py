"""What a sample has that some form cannot hold: each by a name, found before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from foveate.core.regions import Box, Mask, Polygon
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Match, Target, Truth
from foveate.formats._sample_forms import Form, Sample

LEFT_OUT = "left out"
# What forms lose that hold regions with answers, and nothing else of a sample; in the order in which it is told.
OF_REGIONS = {
    "no_region": "the question is left out",
    "soft_map": "it becomes the mask of the places of at least one half",
    "outline": LEFT_OUT,
    "other_answers": "those of the regions remain",
    "given_answer": LEFT_OUT,
    "poll": "they read as answers that are no votes",
    "match": "it follows from the answers of the regions",
    "answerable": "it follows from there being a region",
    "facts": LEFT_OUT,
}
# What follows "N samples have", for people.
FEATURES: Mapping[str, str] = {
    "no_region": "no region",
    "several_regions": "several regions",
    "box": "a box",
    "polygon": "a polygon",
    "parts": "a region of several polygons",
    "mask": "a mask",
    "soft_map": "a soft map",
    "outline": "the outline that a mask was made of",
    "annotator": "the annotator of a region",
    "unnamed_region": "a region without an answer, or with a blank one",
    "other_answers": "answers that are not those of the regions",
    "several_answers": "several answers",
    "given_answer": "an answer that methods may see",
    "poll": "answers that are votes",
    "no_poll": "answers that are no votes",
    "match": "a special rule by which several regions count",
    "answerable": "a mark (answerable or not) that does not follow from there being a region",
    "facts": "facts",
    "size": "a stated size of the photo",
    "blank": "a text that is blank",
    "fractions": "a box with fractions of pixels",
    "own_id": "an id that is not the photo's name",
    "question": "a question that is not made of the name of a class",
    "id": "an id that is not made of the photo and a class",
}


def question_of(kind: str) -> str:
    """Returns the question that is asked of a class of things where a file has none.

    Example:
        >>> question_of("dog")
        'Where is the dog?'
    """
    return f"Where is the {kind}?"


def usual_match(targets: tuple[Target, ...]) -> Match:
    """Returns how several regions count where a file does not say: by answer where these differ, else together."""
    if len(targets) < 2:
        return "single"
    return "per_answer" if len({target.answer for target in targets}) > 1 else "union"


def answers_of(targets: tuple[Target, ...]) -> tuple[str, ...]:
    """Returns the answers of regions, each once, in their order."""
    return tuple(dict.fromkeys(target.answer for target in targets if target.answer is not None))


def losses(sample: Sample, form: Form) -> tuple[str, ...]:
    """Returns the names of what a form loses of a sample, in the order of `FEATURES`."""
    if not form.lost:
        return ()
    found = _of_answers(sample) | _of_regions(sample.truth) | _of_made(sample)
    return tuple(name for name in FEATURES if name in found and name in form.lost)


def _named(**found: bool) -> set[str]:
    return {name for name, there in found.items() if there}


def _of_answers(sample: Sample) -> set[str]:
    query, truth = sample.query, sample.truth
    return _named(
        several_answers=len(truth.answers) > 1,
        other_answers=bool(truth.targets) and truth.answers != answers_of(truth.targets),
        given_answer=query.given_answer is not None,
        poll=bool(truth.answers) and truth.polled,
        no_poll=bool(truth.answers) and not truth.polled,
        answerable=truth.answerable != bool(truth.targets),
        facts=bool(truth.facts),
        size=query.size_hw is not None,
        own_id=query.id != query.image_name,
        blank=any(not text.strip() for text in (query.id, query.image_name, *truth.answers)),
    )


_KINDS: dict[type, Literal["box", "polygon", "mask", "soft_map"]] = {
    Box: "box",
    Polygon: "polygon",
    Mask: "mask",
    SoftMap: "soft_map",
}


def _of_regions(truth: Truth) -> set[str]:
    targets = truth.targets
    return {_KINDS[type(target.shape)] for target in targets} | _named(
        no_region=not targets,
        several_regions=len(targets) > 1,
        fractions=any(isinstance(t.shape, Box) and t.shape.xyxy != tuple(map(round, t.shape.xyxy)) for t in targets),
        parts=any(isinstance(t.shape, Polygon) and len(t.shape.parts) > 1 for t in targets),
        outline=any(target.outline is not None for target in targets),
        annotator=any(target.annotator is not None for target in targets),
        unnamed_region=any(not (target.answer or "").strip() for target in targets),
        match=truth.match != usual_match(targets),
    )


def _of_made(sample: Sample) -> set[str]:
    """Returns what a form loses that makes question and id of the photo and the class."""
    kinds = answers_of(sample.truth.targets)
    kind = kinds[0] if len(kinds) == 1 and kinds[0].strip() else ""
    return _named(
        question=not kind or sample.query.question != question_of(kind),
        id=not kind or sample.query.id != f"{sample.query.image_name}#{kind}",
    )
