"""What a screening comes to: made of stored rows by `foveate.curation`, as `foveate curate` makes it of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db.models import QuerySet

from foveate.app.rounds.models import Mark as Row
from foveate.app.rounds.models import Sample, Screening, Turn
from foveate.curation._folder import list_csv, tables
from foveate.curation._funnel import Step, funnel, funnel_csv
from foveate.curation._published import paper_of
from foveate.curation._reviews import Mark, Review
from foveate.curation._rounds import PREFIX, REVIEWERS, ROUNDS
from foveate.curation._rules import rules as rules_of
from foveate.curation._screen import Outcome, review
from foveate.curation._stored import Stored, passed_line, restored
from foveate.sources.new_files import new_place, refuse_taken

FILES = ("kept.jsonl", "removed.csv", "flags.csv", "trimmed.csv", "funnel.csv")
_COLUMNS = ("key", "image_name", "question", "asked", "answer", "trims", "flags", "step", "why", "first_in")


@dataclass(frozen=True)
class Result:
    """A screening as far as it is.

    Attributes:
        outcomes: Every sample, after the rounds that are closed.
        reviews: The lists of these rounds, by name.
        steps: The funnel.
    """

    outcomes: Sequence[Outcome]
    reviews: Mapping[str, Sequence[Review]]
    steps: Sequence[Step]

    @property
    def kept(self) -> int:
        """How many samples are left."""
        return sum(outcome.step is None for outcome in self.outcomes)


def result_of(screening: Screening) -> Result:
    """Returns a screening as far as it is; of a round that is open nothing is told, lest reviewers see one another.

    Raises:
        UsageError: A rule that it was made with is not there any more.
    """
    turns = closed_turns(screening)
    reviews = {turn.name: reviews_of(turn) for turn in turns}
    outcomes = _after_rules(screening)
    for turn in turns:
        outcomes = review(outcomes, ROUNDS[turn.number], reviews[turn.name])
    used = rules_of(screening.rules, screening.settings)
    paper = paper_of(screening.dataset.partition(":")[0])
    return Result(outcomes, reviews, funnel(outcomes, used, reviews, paper))


def closed_turns(screening: Screening) -> list[Turn]:
    """Returns the rounds that are closed, in their order."""
    return list(screening.turns.filter(state="closed").order_by("number"))


def outcomes_of(screening: Screening, until: int) -> list[Outcome]:
    """Returns every sample as it comes to a round, after the ones before it.

    Args:
        screening: The screening.
        until: The number of the round.
    """
    outcomes = _after_rules(screening)
    for turn in screening.turns.filter(number__lt=until).order_by("number"):
        outcomes = review(outcomes, ROUNDS[turn.number], reviews_of(turn))
    return outcomes


def reviews_of(turn: Turn) -> list[Review]:
    """Returns the two lists of a round; one in which nothing is filled in is none, as for the command."""
    found: dict[int, dict[str, Mark]] = {1: {}, 2: {}}
    gone = {1: 0, 2: 0}
    earlier = {PREFIX + one.name for one in ROUNDS[: turn.number]}
    rows = Row.objects.filter(turn=turn).order_by("sample__position")
    for place, key, step, flag, said in rows.values_list("place", "sample__key", "sample__step", "flag", "note"):
        if step in earlier:
            gone[place] += 1
        else:
            found[place][key] = Mark(flag, said)
    return [
        Review(turn.name, name, Path(f"{turn.name}.{name}.csv"), found[place], gone=gone[place])
        for place, name in enumerate(REVIEWERS, start=1)
        if found[place] or gone[place]
    ]


def list_of(turn: Turn, place: int, *, filled: bool) -> str:
    """Returns the list of one reviewer as `foveate curate` reads it.

    Args:
        turn: The round.
        place: 1 or 2.
        filled: With what is answered, else to be filled in.
    """
    reviews = {one.reviewer: one.marks for one in reviews_of(turn)} if filled else {}
    before = outcomes_of(turn.screening, until=turn.number)
    return list_csv(before, ROUNDS[turn.number], reviews.get(REVIEWERS[place - 1]))


def file_of(screening: Screening, name: str) -> str:
    """Returns one of the files that `foveate curate` writes, the same to the byte for the same marks.

    Args:
        screening: The screening.
        name: One of `FILES`.
    """
    result = result_of(screening)
    if name == "funnel.csv":
        return funnel_csv(result.steps)
    if name != "kept.jsonl":
        return tables(result.outcomes, lambda _: "")[name]
    passed = {outcome.query.id: outcome.passed for outcome in result.outcomes if outcome.step is None}
    return "".join(_lines(screening, passed))


def write_files(screening: Screening, out: Path) -> int:
    """Writes all files and the filled lists into a new folder, and returns how many files these are.

    Raises:
        OutputError: Something is there already, or it cannot be written.
    """
    refuse_taken(out)
    with new_place(out) as part:
        part.mkdir()
        (part / "review").mkdir()
        for name in FILES:
            (part / name).write_bytes(file_of(screening, name).encode())
        lists = [(turn, place) for turn in closed_turns(screening) for place in (1, 2)]
        for turn, place in lists:
            text = list_of(turn, place, filled=True)
            (part / "review" / f"{turn.name}.{REVIEWERS[place - 1]}.csv").write_bytes(text.encode())
    return len(FILES) + len(lists)


def _lines(screening: Screening, passed: Mapping[str, Sequence[str]]) -> Iterator[str]:
    rows = screening.samples.filter(step="").order_by("position").values_list("key", "line")
    for key, line in rows.iterator():
        if key in passed:
            yield passed_line(line, passed[key])


def _after_rules(screening: Screening) -> list[Outcome]:
    """Returns every sample as the rules left it, what rounds removed since put back."""
    rows: QuerySet[Sample, dict[str, object]] = screening.samples.order_by("position").values(*_COLUMNS)
    of_people = {one.step for one in ROUNDS}
    outcomes = []
    for row in rows.iterator():
        if row["step"] in of_people:
            row = {**row, "step": "", "why": ""}
        outcomes.append(restored(Stored(**row, line="")))  # type: ignore[arg-type]
    return outcomes
