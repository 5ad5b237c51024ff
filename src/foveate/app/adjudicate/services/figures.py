"""How alike a project's submissions are: a few questions to the tables of what was compared, however many tasks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Avg, Count, F, FloatField, IntegerField, QuerySet
from django.db.models.functions import Cast, Floor, Least

from foveate.app.adjudicate.models import Pair, TaskAgreement
from foveate.app.annotate.models import Project

BINS = 20
# The share of pairs that the first paper tells of its two drawings a photo, by IoU; of the rest it says nothing.
PAPER: tuple[tuple[float, float, float], ...] = ((0.8, 1.0, 0.6), (0.6, 0.8, 0.2), (0.0, 0.2, 0.1))


@dataclass(frozen=True)
class Person:
    """How alike one person's drawings are to those of the others."""

    username: str
    pseudonym: str
    pairs: int
    mean: float


@dataclass(frozen=True)
class Band:
    """Pairs of one fifth of the scale.

    Attributes:
        low: From this IoU.
        high: Below this; 1 belongs to the last.
        pairs: How many.
        share: Of all pairs.
        paper: The same of the first paper; None where it tells none.
    """

    low: float
    high: float
    pairs: int
    share: float
    paper: float | None


@dataclass(frozen=True)
class Figures:
    """What is known of a project's agreement.

    Attributes:
        pairs: Pairs of drawings.
        mean: Mean IoU of all pairs; None without any.
        tasks: Tasks with submissions of at least two people.
        same_steps: Those of them in which all answered the steps in the same way.
        differ: The others, by the first step in which they differ.
        bins: Pairs by IoU, twenty bins.
        people: Who drew, those who agree least first.
    """

    pairs: int
    mean: float | None
    tasks: int
    same_steps: int
    differ: dict[str, int]
    bins: tuple[int, ...]
    people: list[Person]

    def bands(self) -> list[Band]:
        """Returns the pairs by fifths of the scale, the most alike first."""
        found = []
        told = {low: share for low, _high, share in PAPER}
        for at in (4, 3, 2, 1, 0):
            low, high = at / 5, (at + 1) / 5
            pairs = sum(self.bins[4 * at : 4 * at + 4])
            found.append(Band(low, high, pairs, pairs / self.pairs if self.pairs else 0.0, told.get(low)))
        return found


def figures_of(project: Project) -> Figures:
    """Returns how alike a project's submissions are; gold questions are left out, since many do them for practice."""
    pairs = Pair.objects.filter(project=project, task__gold=False)
    # A product such as 0.6 * 20 is exact enough: a bin's edge is the nearest double to it.
    place = Least(Floor(Cast(F("alike"), FloatField()) * BINS + 1e-9), float(BINS - 1))
    counted = dict(
        pairs.annotate(place=Cast(place, IntegerField())).values_list("place").annotate(n=Count("pk")).order_by("place")
    )
    known = TaskAgreement.objects.filter(project=project, task__gold=False, people__gte=2)
    steps = dict(known.values_list("differ").annotate(n=Count("pk")).order_by("differ"))
    said = pairs.aggregate(n=Count("pk"), mean=Avg("alike"))
    return Figures(
        pairs=said["n"],
        mean=said["mean"],
        tasks=sum(steps.values()),
        same_steps=steps.pop("", 0),
        differ=steps,
        bins=tuple(counted.get(place, 0) for place in range(BINS)),
        people=_people(pairs),
    )


def undecided(project: Project) -> int:
    """Returns how many done tasks have no decision yet."""
    return TaskAgreement.objects.filter(project=project, task__state="done", decided=False).count()


def _people(pairs: QuerySet[Pair]) -> list[Person]:
    sums: dict[tuple[str, str], tuple[int, float]] = {}
    for side in ("first", "second"):
        who = f"{side}__assignment__annotator"
        rows = pairs.values_list(f"{who}__username", f"{who}__pseudonym").annotate(n=Count("pk"), mean=Avg("alike"))
        for username, pseudonym, n, mean in rows.order_by(f"{who}__username"):
            count, total = sums.get((username, str(pseudonym)), (0, 0.0))
            sums[username, str(pseudonym)] = (count + n, total + n * mean)
    found = [Person(*who, pairs=count, mean=total / count) for who, (count, total) in sums.items()]
    return sorted(found, key=lambda person: (person.mean, person.username))
