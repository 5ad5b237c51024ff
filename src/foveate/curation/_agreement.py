"""How alike two reviewers judge."""

from __future__ import annotations

from dataclasses import dataclass

from foveate.curation._reviews import Review


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers side by side, over the samples that both judged.

    Attributes:
        both: How many both flag.
        first: How many only the first flags.
        second: How many only the second flags.
        neither: How many neither flags.
    """

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        """How many samples both judged."""
        return self.both + self.first + self.second + self.neither

    @property
    def share(self) -> float | None:
        """Of how many they say the same, as a share; None where there is nothing to compare."""
        return (self.both + self.neither) / self.n if self.n else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: agreement beyond chance; None where chance alone agrees always.

        References:
            Cohen: A Coefficient of Agreement for Nominal Scales. Educational and Psychological Measurement 20, 1960.
        """
        if self.share is None:
            return None
        of_first, of_second = self.both + self.first, self.both + self.second
        # Times n squared, so that "always" is decided on whole numbers.
        chance = of_first * of_second + (self.n - of_first) * (self.n - of_second)
        if chance == self.n**2:
            return None
        return (self.share - chance / self.n**2) / (1 - chance / self.n**2)


def agreement(first: Review, second: Review) -> Agreement:
    """Returns how alike two reviews are."""
    pairs = [(mark.flag, second.marks[sample].flag) for sample, mark in first.marks.items() if sample in second.marks]
    return Agreement(
        pairs.count((True, True)),
        pairs.count((True, False)),
        pairs.count((False, True)),
        pairs.count((False, False)),
    )
