"""Regions made of what several people drew, by the aggregators, as they can stand as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from foveate import plugins
from foveate.annotation.work import Work
from foveate.app.adjudicate.services.compare import Sent, judged
from foveate.app.adjudicate.services.given import not_one_outline, stage_of, work_of_shape
from foveate.app.annotate.models import Task
from foveate.app.refused import RefusedError
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.errors import FoveateError
from foveate.quality.aggregation import aggregator
from foveate.quality.drawings import Drawing, all_boxes
from foveate.quality.pairs import compared

# More would hide what people drew.
MOST = 4


@dataclass(frozen=True)
class Made:
    """A region that a rule, or several alike, make of the drawings of a task.

    Attributes:
        rules: Names of the aggregators, in the order of their names; the first is by which it stands.
        shape: The region.
        work: The same as a work that can stand; None where it cannot.
        why: Why it cannot.
        chosen: The number of the submission that it is to the pixel; None where it is nobody's.
    """

    rules: tuple[str, ...]
    shape: Shape
    work: Work | None
    why: str
    chosen: int | None = None


def made_of(task: Task, sent: Sequence[Sent]) -> list[Made]:
    """Returns the regions that the aggregators make, each once, in the order of the aggregators' names.

    Those are left out that do not suit: made for boxes where outlines are drawn, for more people than drew, or of
    another package that has to be installed, which may take long; they are for `foveate annotate export --rule`.

    Args:
        task: The task.
        sent: What counts among its submissions.
    """
    drawn = [one for one in sorted(sent, key=lambda one: one.submission.pk) if one.said.shape is not None]
    drawings = [Drawing(one.said.shape, str(one.submission.assignment.annotator.pseudonym)) for one in drawn]  # type: ignore[arg-type]
    size_hw, stage = (task.height, task.width), stage_of(task)
    if len(drawings) < 2:
        return []
    found: list[tuple[Shape, list[str]]] = []
    for name in _suiting(drawings, stage):
        shape = _region(name, drawings, size_hw)
        if shape is None:
            continue
        alike = next((rules for other, rules in found if compared(other, shape, size_hw)[0] == 1.0), None)
        if alike is None:
            found.append((shape, [name]))
        else:
            alike.append(name)
    return [_made(shape, tuple(rules), drawn, task) for shape, rules in found]


def work_of_rule(task: Task, rule: str) -> Work:
    """Returns the work that an aggregator makes of what people drew for a task.

    Raises:
        RefusedError: It makes none that can stand (422).
    """
    made = next((one for one in made_of(task, judged(task)) if rule in one.rules), None)
    if made is None or made.work is None:
        said = made.why if made else _("This rule makes no region of what people drew here.")
        raise RefusedError(422, "no_region", said, _("Pick or draw another region."))
    return made.work


def _suiting(drawings: Sequence[Drawing], stage: str) -> list[str]:
    boxes = all_boxes([one.shape for one in drawings])
    modules, _broken = plugins.load_all("aggregators")
    cards: list[AggregatorCard] = [module.CARD for module in modules.values()]
    return [card.name for card in cards if _suits(card, boxes=boxes, stage=stage, people=len(drawings))]


def _suits(card: AggregatorCard, *, boxes: bool, stage: str, people: int) -> bool:
    if card.extra or people < card.fewest or (card.gives == "box" and stage != "box"):
        return False
    return boxes or "mask" in card.takes


def _region(name: str, drawings: Sequence[Drawing], size_hw: tuple[int, int]) -> Shape | None:
    try:
        return aggregator(name).region(drawings, size_hw)
    except FoveateError:
        return None  # What people drew can be chosen all the same.


def _made(shape: Shape, rules: tuple[str, ...], drawn: Sequence[Sent], task: Task) -> Made:
    size_hw, stage = (task.height, task.width), stage_of(task)
    same = (one for one in drawn if one.said.shape and compared(one.said.shape, shape, size_hw)[0] == 1.0)
    one = next(same, None)
    if stage == "box" and not isinstance(shape, Box):
        work, why = None, not_one_outline()
    else:
        work, why = work_of_shape(shape, stage, size_hw)
    return Made(rules, shape, work, why, one.submission.pk if one else None)
