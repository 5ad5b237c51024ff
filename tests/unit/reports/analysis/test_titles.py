from __future__ import annotations

import pytest

from foveate import plugins
from foveate.reports.analysis.titles import meaning_of, title_of

FACTS = [(name, fact) for name in plugins.modules("datasets") for fact in plugins.load("datasets", name).CARD.facts]


@pytest.mark.parametrize(("name", "fact"), FACTS)
def test_every_fact_of_our_data_sets_has_a_title_and_a_meaning(name: str, fact: str) -> None:
    assert "_" not in title_of(fact)
    assert meaning_of(f"{name}:any", fact)


def test_a_column_of_ones_own_keeps_its_name() -> None:
    assert title_of("light_level") == "light level"
    assert title_of("room type") == "room type"
    assert title_of("fact answer") == "column answer"
    assert title_of("_") == "unnamed column"
    assert meaning_of("own:rooms.csv", "light_level") == ""
    assert meaning_of("unheard_of:val", "skills") == ""
