"""Cards: what a data set, a grounder, a rule or a metric says of itself. Tables, docs and contract tests read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class DatasetCard:
    """What a data set is, where it comes from, and how it is scored.

    Attributes:
        name: The plugin's name.
        title: Its name in prose.
        summary: One sentence.
        licence: Of annotations and of photos.
        citation: Whom to cite, or None for a user's own data.
        homepage: Where to get it, in words; None for a user's own data.
        splits: Split names with the number of samples that the publisher states, or None where unknown.
        evaluate_as: What its targets are compared as; `answer` where it has answers only.
        needs_root: Whether the user must say where the files are.
        options: Further options with a sentence each (`questions`: …).
        facts: What it knows of a sample beside answers and targets, with a sentence each (`flaws`: …).
        has_photos: Whether photos that are absent are missing; False where it may well come without them.
    """

    name: str
    title: str
    summary: str
    licence: str
    citation: str | None
    homepage: str | None
    splits: Mapping[str, int | None]
    evaluate_as: Literal["box", "mask", "answer"]
    needs_root: bool = True
    options: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    has_photos: bool = True


@dataclass(frozen=True, slots=True)
class GrounderCard:
    """What a grounding method is, what it needs, and what it has never been shown to do.

    Attributes:
        name: The plugin's name.
        summary: One sentence.
        reference: The paper or source of the method.
        needs_image: False for priors, which work from the size alone.
        answers: Whether it gives an answer in words.
        regions: The kind of region that it gives.
        weights: Names of the weights that it fetches on first use.
        limits: What it cannot do, plainly.
        score: What the score of a region means, in a few words for people; empty where that is not known.
        trained_on: The data that it was trained or fitted on, each in a few words; none where it learnt of no data.
        sends_to: Where photos and questions are sent, in words; empty where all stays on this machine.
        speed: What a question costs, in a few words with the machine that it was measured on; empty where nobody knows.
        licence: Of the code and the weights, in a few words; empty where it is the package's own.
    """

    name: str
    summary: str
    reference: str
    needs_image: bool
    answers: bool
    regions: Literal["box", "mask"]
    weights: tuple[str, ...] = ()
    limits: str = ""
    score: str = ""
    trained_on: tuple[str, ...] = ()
    sends_to: str = ""
    speed: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class RuleCard:
    """What a screening rule looks for, and what it does with what it finds.

    Attributes:
        name: The plugin's name.
        title: Its name in prose.
        summary: One sentence.
        action: `remove` the sample, `trim` its question, or `flag` it for people to look at.
        reference: Where the rule is stated.
        limits: What it misses or takes wrongly, plainly.
        settings: The options of its `judge`, with a sentence each.
    """

    name: str
    title: str
    summary: str
    action: Literal["remove", "trim", "flag"]
    reference: str
    limits: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MetricCard:
    """What a metric measures.

    Attributes:
        name: The plugin's name; a metric with a parameter is called `name@value`.
        summary: One sentence.
        shapes: The shapes of prediction and target that it accepts.
        low: The least value it can have.
        high: The greatest.
        better: Which direction is good.
        states: How each scoring state counts.
        reference: Where it is defined.
        parameter: The meaning of the value after `@`, or None.
        default_parameter: That value where none is given; None where the card's `parameter` says what is done then.
        by_order: Whether the order of samples changes the value.
    """

    name: str
    summary: str
    shapes: tuple[str, ...]
    low: float
    high: float
    better: Literal["higher", "lower"]
    states: str
    reference: str
    parameter: str | None = None
    default_parameter: float | None = None
    by_order: bool = False


@dataclass(frozen=True, slots=True)
class AggregatorCard:
    """How one region is made of those that several people drew.

    Attributes:
        name: The plugin's name.
        title: Its name in prose, as a page offers it.
        summary: One sentence.
        reference: Where the rule is stated.
        takes: The kinds of drawings that it takes: `box`, `mask` (polygons are rasterised).
        gives: One of the `drawing`s as it is, or a new `mask` or `box`.
        fewest: From how many drawings on it says more than a simpler rule; of fewer it still gives a region.
        by_order: Whether the order of sending can change the region (the earlier of equals).
        settings: The options of its `aggregate`, with a sentence each.
        limits: What it does badly, plainly.
        extra: The extra that brings what it needs; None where the core is enough.
    """

    name: str
    title: str
    summary: str
    reference: str
    takes: tuple[Literal["box", "mask"], ...]
    gives: Literal["drawing", "mask", "box"]
    fewest: int = 1
    by_order: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    limits: str = ""
    extra: str | None = None
