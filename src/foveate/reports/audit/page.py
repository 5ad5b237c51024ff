"""The page of an audit: each suspicious label on its photo beside what methods found, to be judged one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.core.truths import TargetShape
from foveate.errors import FoveateError
from foveate.evaluation._audit_labels import Labels, size_of
from foveate.evaluation.audit import SIGNS, Audit, Suspect
from foveate.evaluation.results import Results
from foveate.evaluation.verdicts import VERDICTS
from foveate.reports._svg import element
from foveate.reports.page import environment, in_script, resource, style_source
from foveate.reports.photos import photo_uri
from foveate.reports.rows import Row
from foveate.reports.shapes import drawn

PHOTO_SIDE = 640
# So many methods have a colour of their own.
_COLOURS = 6
# A method's number, its region, and the IoU of that with the label.
Found = tuple[int, TargetShape, float]


@dataclass(frozen=True, slots=True)
class Card:
    """One suspicious label on the page.

    Attributes:
        suspect: What speaks against it.
        question: As it was asked.
        answers: With how many people gave each.
        picture: The photo, or an empty frame, with the label and the methods' regions.
        photo_name: Of its photo.
        absent: Why there is no photo, or None.
        methods: Number, name and IoU with the label of each method that has a region here.
    """

    suspect: Suspect
    question: str
    answers: Sequence[tuple[str, int]]
    picture: Markup
    photo_name: str
    absent: str | None
    methods: Sequence[tuple[int, str, float]]


def page(audit: Audit, cards: Sequence[Card], notes: Sequence[str], questions: str = "", anew: str = "") -> str:
    """Returns the page, one file that needs nothing beside it.

    Args:
        audit: The audit.
        cards: Of its first suspects.
        notes: What must be known first.
        questions: Their fingerprint, under which a browser keeps the verdicts.
        anew: The command that has these labels drawn anew; empty for none.
    """
    style, script = resource("report.css") + resource("audit.css"), resource("audit.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src {style_source(style)}; script-src {style_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        environment()
        .get_template("audit.html.j2")
        .render(
            style=Markup(style),
            script=Markup(script),
            policy=Markup(policy),
            audit=audit,
            cards=cards,
            notes=notes,
            signs=SIGNS,
            verdicts=VERDICTS,
            data=in_script(_data(audit, cards, questions)),
            anew=anew,
        )
    )


def _data(audit: Audit, cards: Sequence[Card], questions: str) -> dict[str, Any]:
    """Returns what the script needs; the table of verdicts that it saves says why, as `audit.csv` does."""
    suspects = [card.suspect for card in cards]
    return {
        "name": audit.name,
        "questions": questions,
        "ids": [one.id for one in suspects],
        "suspicion": [f"{one.suspicion:.4f}" for one in suspects],
        "why": [one.why for one in suspects],
    }


def cards_of(
    audit: Audit, labels: Labels, runs: Sequence[Results], images: Mapping[str, Image], top: int
) -> list[Card]:
    """Returns the cards of the first suspects.

    Args:
        audit: The audit.
        labels: What was audited.
        runs: The methods whose regions are drawn.
        images: Photos by id.
        top: How many suspects, at most.
    """
    rows = [{truth.id: row for row, truth in enumerate(run.truths)} for run in runs]
    cards = []
    for suspect in audit.suspects[:top]:
        at = [places.get(suspect.id) for places in rows]
        found = [_found(number, run, row) for number, (run, row) in enumerate(zip(runs, at, strict=True))]
        kept = [one for one in found if one]
        cards.append(_card(suspect, labels, kept, [run.name for run in runs], images.get(suspect.id)))
    return cards


def _card(suspect: Suspect, labels: Labels, found: Sequence[Found], names: Sequence[str], image: Image | None) -> Card:
    query, truth = labels.queries[suspect.row], labels.truths[suspect.row]
    size_hw = size_of(labels, suspect.row) or (1, 1)
    uri, absent = _photo(image, size_hw)
    picture = _picture(uri, size_hw, [target.shape for target in truth.targets], found)
    methods = [(number, names[number], iou) for number, _, iou in found]
    answers = Row(truth, query.question, query.image_name, size_hw, None, ()).answers
    return Card(suspect, query.question, answers, picture, query.image_name, absent, methods)


def _found(number: int, run: Results, row: int | None) -> Found | None:
    prediction = None if row is None else run.predictions[row]
    if row is None or prediction is None or prediction.final is None:
        return None
    return number, prediction.final.shape, float(run.regions["iou"][row])


def _photo(image: Image | None, size_hw: SizeHW) -> tuple[str | None, str | None]:
    if image is None:
        return None, "the photo is not here"
    try:
        if image.size_hw != size_hw:
            height, width = image.size_hw
            return None, f"the photo is {width} x {height}, its label is for {size_hw[1]} x {size_hw[0]}"
        return photo_uri(image, PHOTO_SIDE), None
    except FoveateError as error:
        return None, error.problem


def _picture(
    uri: str | None,
    size_hw: SizeHW,
    targets: Sequence[TargetShape],
    found: Sequence[Found],
) -> Markup:
    height, width = size_hw
    ground = (
        element("image", href=uri, width=width, height=height, preserveAspectRatio="none")
        if uri
        else element("rect", class_="mat", width=width, height=height)
    )
    regions = [part for number, shape, _ in found for part in _outlined(shape, size_hw, f"method-{number % _COLOURS}")]
    labelled = [part for shape in targets for part in _outlined(shape, size_hw, "label")]
    said = f"{len(targets)} target{'' if len(targets) == 1 else 's'}, {len(found)} regions of methods"
    return element(
        "svg",
        ground,
        *regions,
        *labelled,
        viewBox=f"0 0 {width} {height}",
        class_="picture",
        role="img",
        aria_label=said,
    )


def _outlined(shape: TargetShape, size_hw: SizeHW, kind: str) -> list[Markup]:
    """Returns an outline twice: dark and wide below, so that it is seen on any photo."""
    return [
        element("path", d=path, class_=layer, fill_rule="evenodd", vector_effect="non-scaling-stroke")
        for path in drawn(shape, size_hw).paths
        for layer in ("case", f"outline {kind}")
    ]
