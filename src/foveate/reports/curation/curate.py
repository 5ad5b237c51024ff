"""A screening from the data set to the folder: rules, rounds of people, tables and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._folder import MARKER, check_folder, marker_text, tables, write_folder
from foveate.curation._funnel import Step, funnel, funnel_csv
from foveate.curation._published import Published, paper_of
from foveate.curation._reviews import Review, check_places, place_of, read_review
from foveate.curation._rounds import ROUNDS
from foveate.curation._rules import USUAL
from foveate.curation._rules import rules as rules_of
from foveate.curation._screen import Outcome, listed, review, screen
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import InputError
from foveate.evaluation.wording import counted
from foveate.formats.tables import refuse
from foveate.reports.curation.page import page

PAGE = "funnel.html"


@dataclass(frozen=True)
class Curated:
    """What a screening came to.

    Attributes:
        out: The folder that was written.
        dataset: The data set with its split.
        steps: The funnel.
        outcomes: Every sample with its story.
        remarks: What must be known beside the counts, a sentence each.
    """

    out: Path
    dataset: str
    steps: Sequence[Step]
    outcomes: Sequence[Outcome]
    remarks: Sequence[str]

    @property
    def n(self) -> int:
        """How many samples came in."""
        return len(self.outcomes)

    @property
    def kept(self) -> int:
        """How many are left."""
        return sum(outcome.step is None for outcome in self.outcomes)


def curate(
    dataset: str,
    root: Path | str | None,
    out: Path | str,
    *,
    questions: Path | str | None = None,
    data_settings: Mapping[str, str] | None = None,
    rules: Sequence[str] = USUAL,
    settings: Sequence[str] = (),
    reviews: Sequence[Path | str] = (),
    skip_invalid: bool = False,
) -> Curated:
    """Returns a data set's screening, and writes it as a folder: `funnel.html`, tables, lists for reviewers.

    The same data, rules and reviews give the same bytes. A folder of an earlier screening of the same data is written
    anew; lists in it that a reviewer has begun to fill in stay as they are.

    Args:
        dataset: Its name, `NAME` or `NAME:SPLIT`.
        root: The folder of its files.
        out: The folder to write.
        questions: The table of questions, for `folder`.
        data_settings: Options of the data set.
        rules: Names of rules, in their order.
        settings: Each `rule.option=value`.
        reviews: Lists that reviewers filled in, called `ROUND.REVIEWER.csv`.
        skip_invalid: Pass over rows of the data and of reviews that cannot be taken, and count them.

    Raises:
        UsageError: There is no such data set, rule, option or round.
        InputError: The data or a review is broken or not filled in.
        OutputError: The folder is of something else, or cannot be written.
    """
    out, paths = Path(out), [Path(path) for path in reviews]
    used = rules_of(rules, settings)
    check_places(paths)
    data = open_dataset(dataset, root, questions=questions, skip_invalid=skip_invalid, settings=data_settings)
    samples = list(data.samples())
    if not samples:
        raise InputError(data.name, "it has no samples", "Look at the data set's files.")
    mark = fingerprint([query for query, _ in samples])
    check_folder(out, data.name, mark)
    outcomes, read = _reviewed(screen(samples, used), paths, skip_invalid)
    paper = paper_of(data.card.name)
    steps = funnel(outcomes, used, read, paper)
    remarks = [*_of_data(data, samples, paper), *_of_reviews(read)]
    files = {
        MARKER: marker_text(data.name, mark, {rule.card.name: rule.settings for rule in used}),
        **tables(outcomes),
        "funnel.csv": funnel_csv(steps),
        PAGE: page(data, steps, outcomes, remarks, paper),
    }
    stay = write_folder(out, files, outcomes)
    return Curated(out, data.name, steps, outcomes, [*remarks, *_of_lists(stay, paths)])


def usual(rules: str | None) -> Sequence[str]:
    """Returns the names of rules in a text with commas; the usual ones for None."""
    return USUAL if rules is None else [name.strip() for name in rules.split(",") if name.strip()]


def _reviewed(
    outcomes: list[Outcome], paths: Sequence[Path], skip_invalid: bool
) -> tuple[list[Outcome], dict[str, list[Review]]]:
    """Returns the outcomes after all rounds, and the reviews by round; each looks at what the ones before left."""
    known = [outcome.query.id for outcome in outcomes]
    on_invalid = _pass_over if skip_invalid else refuse
    read: dict[str, list[Review]] = {}
    for one in ROUNDS:
        expected = [outcome.query.id for outcome in listed(outcomes, one)]
        its = [path for path in paths if place_of(path)[0] == one.name]
        read[one.name] = [read_review(path, known, expected, on_invalid) for path in its]
        outcomes = review(outcomes, one, read[one.name])
    return outcomes, read


def _pass_over(error: InputError) -> None:
    """Lets a faulty row be counted only."""


def _of_data(data: Dataset, samples: Sequence[tuple[Query, Truth]], paper: Published | None) -> list[str]:
    said = list(data.remarks)
    if paper is not None and len(samples) != paper.whole:
        said.append(
            f"{data.name} has {len(samples):,} of the {paper.whole:,} pairs that the paper began with: a part; the "
            "published counts stand beside ours and are not to be compared with them"
        )
    if paper is not None and data.card.name in paper.screened:
        said.append(f"{data.card.name} is what the paper's screening left; what is found here had come through it")
    if data.skipped:
        said.append(f"{counted(len(data.skipped), 'row')} passed over, the first: {data.skipped[0]}")
    silent = sum(not truth.answers or not truth.polled for _, truth in samples)
    if silent:
        said.append(f"{counted(silent, 'sample')} without answers of people, which few_agree does not judge")
    return said


def _of_reviews(read: Mapping[str, Sequence[Review]]) -> list[str]:
    said = []
    for name, reviews in read.items():
        if len(reviews) == 1:
            said.append(f"the round {name} has one reviewer, {reviews[0].reviewer}; the paper has two")
        for one in reviews:
            if one.skipped:
                said.append(f"{one.path.name}: {counted(len(one.skipped), 'fault')} passed over, as {one.skipped[0]}")
            if one.gone:
                said.append(f"{one.path.name}: {counted(one.gone, 'row')} of samples removed before this round")
    return said


def _of_lists(stay: Sequence[Path], given: Sequence[Path]) -> list[str]:
    used = {path.resolve() for path in given}
    idle = [path for path in stay if path.resolve() not in used]
    return [f"{path} is filled in and stays as it is; take it in with --review" for path in idle]
