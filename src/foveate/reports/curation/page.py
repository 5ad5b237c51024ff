"""The page of a screening: the funnel drawn, and examples of what each step removed, trimmed or flagged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from foveate.curation._agreed import shown_answer
from foveate.curation._funnel import Step
from foveate.curation._published import Published
from foveate.curation._screen import Outcome
from foveate.datasets._open import Dataset
from foveate.errors import InputError
from foveate.metrics._answers import matchable
from foveate.reports._svg import element
from foveate.reports.page import environment, resource, style_source

# So many of each step; the tables have all.
EXAMPLES = 6
_PHOTO_SIDE = 360
_WIDTH, _HEIGHT = 100.0, 16.0
# What a few of many removed are drawn as, to be seen at all.
_HAIR = 0.8


@dataclass(frozen=True, slots=True)
class Example:
    """One sample on the page."""

    id: str
    question: str
    asked: str | None
    answers: Sequence[tuple[str, int]]
    why: str
    photo: str | None
    photo_name: str


@dataclass(frozen=True, slots=True)
class Group:
    """What a step did to some samples: `removed`, `trimmed` or `flagged`."""

    step: Step
    what: str
    total: int
    examples: Sequence[Example]


def page(
    data: Dataset, steps: Sequence[Step], outcomes: Sequence[Outcome], remarks: Sequence[str], paper: Published | None
) -> str:
    """Returns the page, one file that needs nothing beside it.

    Args:
        data: The data set.
        steps: The funnel.
        outcomes: Of all samples.
        remarks: What must be known beside the counts.
        paper: The published counts, where they are about this data set.
    """
    style = resource("report.css") + resource("curation.css")
    policy = f"default-src 'none'; img-src data:; style-src {style_source(style)}; base-uri 'none'; form-action 'none'"
    return (
        environment()
        .get_template("curation.html.j2")
        .render(
            style=Markup(style),
            policy=Markup(policy),
            data=data,
            steps=steps,
            bars=[funnel_bar(step, len(outcomes)) for step in steps],
            n=len(outcomes),
            kept=sum(outcome.step is None for outcome in outcomes),
            groups=groups(steps, outcomes),
            remarks=remarks,
            paper=paper,
            agreements=[step for step in steps if step.reviews],
        )
    )


def groups(steps: Sequence[Step], outcomes: Sequence[Outcome]) -> list[Group]:
    """Returns examples of what each step did; samples whose photo is there come first, else in their order."""
    found = []
    for step in steps:
        for what in ("removed", "trimmed", "flagged"):
            whys = [(outcome, why) for outcome in outcomes if (why := _why(outcome, step.name, what))]
            first = sorted(whys, key=lambda pair: pair[0].query.image is None)[:EXAMPLES]
            if first:
                found.append(Group(step, what, len(whys), [_example(outcome, why) for outcome, why in first]))
    return found


def funnel_bar(step: Step, total: int) -> Markup:
    """Returns a step as a bar: what it left, then what it removed, of all samples; said in words beside it."""
    removed = max(_WIDTH * step.removed / max(total, 1), _HAIR) if step.removed else 0.0
    left = min(_WIDTH * step.left / max(total, 1), _WIDTH - removed)
    return element(
        "svg",
        element("rect", class_="track", width=_WIDTH, height=_HEIGHT),
        element("rect", class_="left", width=left, height=_HEIGHT),
        element("rect", class_="removed", x=left, width=removed, height=_HEIGHT),
        class_="value-bar funnel-bar",
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{step.left:,} of {total:,} left, {step.removed:,} removed here",
    )


def _why(outcome: Outcome, step: str, what: str) -> str:
    if what == "removed":
        return outcome.why if outcome.step == step else ""
    said = outcome.trims if what == "trimmed" else outcome.flags
    return next((one.why for one in said if one.rule == step), "")


def _example(outcome: Outcome, why: str) -> Example:
    query = outcome.query
    photo, problem = _photo(outcome)
    asked = outcome.asked if outcome.trims else None
    return Example(query.id, query.question, asked, _counts(outcome), f"{why}{problem}", photo, query.image_name)


def _photo(outcome: Outcome) -> tuple[str | None, str]:
    from foveate.reports.photos import photo_uri

    if outcome.query.image is None:
        return None, ""
    try:
        return photo_uri(outcome.query.image, _PHOTO_SIDE), ""
    except InputError as error:
        return None, f" (no photo: {error.problem})"


def _counts(outcome: Outcome) -> list[tuple[str, int]]:
    """Returns the answers with how many gave them, the shown one first, then by count."""
    counts: dict[str, list[str]] = {}
    for answer in outcome.truth.answers:
        counts.setdefault(matchable(answer), []).append(answer)
    own = matchable(shown_answer(outcome.truth))
    order = sorted(counts.items(), key=lambda pair: (pair[0] != own, -len(pair[1])))
    return [(max(spellings, key=spellings.count), len(spellings)) for _, spellings in order]
