"""Making a screening: the data set is read and the rules run once; what they say of each sample is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.http import HttpRequest

from foveate.annotation.origin import Origin, opened
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate import slugs
from foveate.app.annotate.services.transactions import at_once
from foveate.app.rounds.models import Sample, Screening, Turn
from foveate.core.boxes import SizeHW
from foveate.curation._rounds import ROUNDS
from foveate.curation._rules import USUAL
from foveate.curation._rules import rules as rules_of
from foveate.curation._screen import Outcome, screen
from foveate.curation._stored import stored
from foveate.datasets._open import fingerprint
from foveate.errors import FoveateError, InputError, UsageError

_BATCH = 1_000
# What `Sample` has of `Stored`.
_FIELDS = (*("key", "image_name", "question", "asked", "answer", "trims", "flags", "first_in", "step", "why", "line"),)


@dataclass(frozen=True)
class Plan:
    """A screening that is to be made.

    Attributes:
        slug: Its short name, in addresses and commands.
        origin: Where photos and questions come from.
        title: In prose; the slug where there is none.
        rules: Names of rules, in their order.
        settings: Each `rule.option=value`.
        reviewers: The two named reviewers of all rounds; None for whoever comes.
        closes_itself: Whether a round closes itself when both are through.
        first: Only so many samples of the data set; None for all.
    """

    slug: str
    origin: Origin
    title: str = ""
    rules: Sequence[str] = USUAL
    settings: Sequence[str] = ()
    reviewers: tuple[User, User] | None = None
    closes_itself: bool = False
    first: int | None = None


def create(plan: Plan, made_by: User, *, request: HttpRequest | None = None) -> Screening:
    """Makes a screening with all of its samples, or nothing; its first round is open then.

    Raises:
        UsageError: The slug is taken or is none, there is no such data set, split, rule or option, or one person is to
            be both reviewers, or the title is too long.
        InputError: The data set is broken or empty.
    """
    check_slug(plan.slug)
    title = slugs.title_for(plan.title, plan.slug, Screening.objects.all())
    if plan.reviewers and plan.reviewers[0] == plan.reviewers[1]:
        raise UsageError("reviewers", "one person cannot be both", "Name two people, or let whoever comes review.")
    used = rules_of(plan.rules, plan.settings)
    data = opened(plan.origin)
    samples = list(islice(data.samples(), plan.first))
    if not samples:
        raise InputError(data.name, "it has no sample", "Look at its files.")
    outcomes = screen(samples, used)
    origin = plan.origin.fixed(data.name)
    screening = Screening(
        slug=plan.slug,
        title=title,
        dataset=origin.dataset,
        root=str(origin.root or ""),
        questions=str(origin.questions or ""),
        fingerprint=fingerprint([query for query, _ in samples]),
        rules=list(plan.rules),
        settings=list(plan.settings),
        named=plan.reviewers is not None,
        closes_itself=plan.closes_itself,
        made_by=made_by,
    )

    def act() -> None:
        check_slug(plan.slug)  # The data set takes its time to be read: somebody may have pressed twice.
        screening.save(force_insert=True)
        Turn.objects.bulk_create(_turns(screening, plan.reviewers))
        for batch in _batches(screening, outcomes):
            Sample.objects.bulk_create(batch)
        note(request, "screening.made", plan.slug, actor=made_by, dataset=screening.dataset, samples=len(samples))

    at_once(act)
    return screening


def check_slug(slug: str) -> None:
    """Looks whether a screening may be called so.

    Raises:
        UsageError: It may not, or one is.
    """
    slugs.check_slug(slug, Screening.objects.all(), "screening", but=("new",))


def screening_named(slug: str) -> Screening:
    """Returns a screening.

    Raises:
        UsageError: There is none of this name.
    """
    return slugs.named(slug, Screening.objects.all(), "screening")


def _turns(screening: Screening, reviewers: tuple[User, User] | None) -> list[Turn]:
    first, second = reviewers or (None, None)
    return [
        Turn(
            screening=screening,
            number=number,
            name=one.name,
            state="waiting" if number else "open",
            first=first,
            second=second,
        )
        for number, one in enumerate(ROUNDS)
    ]


def _batches(screening: Screening, outcomes: Sequence[Outcome]) -> Iterator[list[Sample]]:
    rows = (_sample(screening, position, outcome) for position, outcome in enumerate(outcomes))
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _sample(screening: Screening, position: int, outcome: Outcome) -> Sample:
    kept = stored(outcome)
    # Nobody looks at the photo of what a rule removed.
    height, width = (None if outcome.step else _size_of(outcome)) or (None, None)
    values = {name: getattr(kept, name) for name in _FIELDS}
    return Sample(screening=screening, position=position, height=height, width=width, **values)


def _size_of(outcome: Outcome) -> SizeHW | None:
    """Returns the size of a photo; None where it is not there or cannot be read: its question is looked at without."""
    image = outcome.query.image
    try:
        return None if image is None else image.size_hw
    except FoveateError:
        return None
