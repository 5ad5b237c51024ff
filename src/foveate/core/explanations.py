"""What an answer rests on, or why there is none: told by a method beside its prediction, for people only.

Runs hold no explanations and metrics see none (design/assist.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from foveate.core.regions import Region
from foveate.core.soft_maps import ScoreMap

EvidenceKind = Literal["text", "thing", "name", "colour", "count", "salient", "photo"]
RefusalKind = Literal[
    "not_about_photo",
    "not_understood",
    "nothing_found",
    "nothing_to_see",
    "too_dark",
    "too_bright",
    "too_blurred",
    "not_measured",
]
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
REFUSAL_KINDS: tuple[RefusalKind, ...] = get_args(RefusalKind)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that an answer rests on.

    Attributes:
        kind: `text` that was read, a `thing` that was found, a `name` given to what is there, a `colour`, what was
            counted (`count`), what stands out (`salient`), or the `photo` as a whole.
        said: What it is, in a few words ("Creamy Tomato", "cup", "dark red"); never empty.
        score: How sure the method is, 0 to 1, or None.
        region: Where it is, or None where it is the whole photo or nowhere.
        measure: The table under which the score was measured (`pocket.thing`); None where it never was.
    """

    kind: EvidenceKind
    said: str
    score: float | None = None
    region: Region | None = None
    measure: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in EVIDENCE_KINDS:
            raise ValueError(f"the kind of evidence is one of {', '.join(EVIDENCE_KINDS)}, not {self.kind}")
        if not self.said.strip():
            raise ValueError("evidence says what it is")
        if self.score is not None:
            object.__setattr__(self, "score", float(self.score))
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            raise ValueError(f"the score of evidence is a number from 0 to 1, not {self.score}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question is not answered.

    Attributes:
        kind: Which of the reasons; `not_measured`: the method has no way to tell this, or does not know the thing.
        looked_for: What was looked for and not found ("spoon"), in the method's words, without an article; of what is
            `not_understood` the nearest that may be meant. Empty where nothing was.
    """

    kind: RefusalKind
    looked_for: str = ""

    def __post_init__(self) -> None:
        if self.kind not in REFUSAL_KINDS:
            raise ValueError(f"the kind of a refusal is one of {', '.join(REFUSAL_KINDS)}, not {self.kind}")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a method tells about its last answer.

    Attributes:
        rests_on: What the answer rests on, the weightiest first.
        others: What else was considered, best first.
        refusal: Why there is no answer; None where there is one.
        map: How strongly each place counted, where the method tells.
        map_means: What a strong place of the map means, in a few words; empty exactly where there is no map.
    """

    rests_on: tuple[Evidence, ...] = ()
    others: tuple[Evidence, ...] = ()
    refusal: Refusal | None = None
    map: ScoreMap | None = None
    map_means: str = ""

    def __post_init__(self) -> None:
        if (self.map is None) != (not self.map_means):
            raise ValueError("a map comes with its meaning, and a meaning with its map")
