"""Which samples a round looks at, and in what order."""

from __future__ import annotations

from django.db.models import BooleanField, Case, QuerySet, Value, When

from foveate.app.rounds.models import Sample, Turn
from foveate.curation._rounds import PREFIX, ROUNDS


def left_in(turn: Turn) -> QuerySet[Sample]:
    """Returns the samples that a round looks at, those that its rule flagged first."""
    later = [PREFIX + one.name for one in ROUNDS[turn.number :]]
    samples = Sample.objects.filter(screening=turn.screening_id, step__in=("", *later))
    flagged = [number for number in range(1 << len(ROUNDS)) if number >> turn.number & 1]
    first = Case(When(first_in__in=flagged, then=Value(True)), default=Value(False), output_field=BooleanField())
    return samples.annotate(comes_first=first).order_by("-comes_first", "position").defer("line")
