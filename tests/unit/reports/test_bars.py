from __future__ import annotations

import re

from foveate import plugins
from foveate.core.cards import MetricCard
from foveate.evaluation.evaluate import Value
from foveate.reports.bars import difference_bar, state_bar, value_bar


def card(name: str) -> MetricCard:
    found: MetricCard = plugins.load("metrics", name).CARD
    return found


def test_a_bar_is_as_long_as_its_value_and_the_whisker_as_its_interval() -> None:
    svg = value_bar(Value(0.5, 0.25, 0.75, None, 4), card("mean_iou"), 0)
    # The scale runs from 1 to 159.
    assert 'class="bar run-0" x="1" y="3" width="79"' in svg
    assert svg.count("M40.5 4V12M119.5 4V12M40.5 8H119.5") == 2  # Once dark, once light.
    assert 'aria-label="0.5000, 95 % interval 0.2500 to 0.7500"' in svg


def test_without_an_interval_there_is_no_whisker_and_without_a_value_nothing() -> None:
    assert "whisker" not in value_bar(Value(0.5, None, None, None, 4), card("mean_iou"), 0)
    assert value_bar(Value(None, None, None, None, 0), card("mean_iou"), 0) == ""
    assert difference_bar(None, None, None, 1.0) == ""


def test_no_difference_is_in_the_middle() -> None:
    assert 'class="point" d="M80 8h0.01"' in difference_bar(0.0, -0.1, 0.1, 0.5)
    assert 'class="point" d="M159 8h0.01"' in difference_bar(0.5, None, None, 0.5)
    assert 'class="point" d="M1 8h0.01"' in difference_bar(-0.5, None, None, 0.5)


def test_states_share_the_bar_by_their_counts() -> None:
    svg = state_bar({"ok": 3, "no_region": 0, "missing": 1}, 4)
    parts = re.findall(r'class="state-(\w+)" x="([\d.]+)" y="0" width="([\d.]+)"', svg)
    assert parts == [("ok", "0", "300"), ("missing", "300", "100")]
    assert 'aria-label="ok 3, missing 1"' in svg
    assert "<rect" not in state_bar({}, 0)
