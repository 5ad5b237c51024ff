"""Figures: numbers to places on the page, derived by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from foveate.reports.axes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, across, count_ticks, upward
from foveate.reports.clouds import MOST_DOTS
from foveate.reports.curves import reliability_figure, risk_figure
from foveate.reports.figures import Key
from foveate.reports.histogram import histogram, spread
from foveate.reports.markers import marker
from foveate.reports.pairs import Tally, pair_figure, tally
from foveate.reports.sizes import Third, size_figure, thirds
from tests.unit.reports.made import row, rows_of_ious, said


def places(svg: str, element: str, *names: str, kind: str = "") -> list[tuple[float, ...]]:
    """Returns the numbers of attributes of every element of a kind."""
    found = []
    for attributes in re.findall(rf"<{element} ([^>]*)/>", svg):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        if kind in values.get("class", ""):
            found.append(tuple(float(values[name]) for name in names))
    return found


def test_scales_lead_from_edge_to_edge_and_hold_what_is_outside() -> None:
    x, y = across(0.0, 1.0), upward(0.0, 10.0)
    assert (x(0), x(0.5), x(1), x(7)) == (LEFT, (LEFT + WIDTH - RIGHT) / 2, WIDTH - RIGHT, WIDTH - RIGHT)
    assert (y(0), y(10), y(-1)) == (HEIGHT - BOTTOM, TOP, HEIGHT - BOTTOM)


def test_equal_ratios_are_equally_far_on_a_log_scale() -> None:
    x = across(0.001, 1.0, log=True)
    steps = np.diff([x(0.001), x(0.01), x(0.1), x(1.0)])
    assert steps == pytest.approx([(WIDTH - LEFT - RIGHT) / 3] * 3)


@pytest.mark.parametrize(("most", "last", "step"), [(1, 1, 1), (5, 5, 1), (7, 6, 2), (60, 60, 20), (1131, 1000, 200)])
def test_ticks_of_counts_are_few_and_round(most: int, last: int, step: int) -> None:
    ticks = [value for value, _ in count_ticks(most)]
    assert (ticks[0], ticks[-1], ticks[1] - ticks[0]) == (0, last, step)
    assert len(ticks) <= 6


def test_an_iou_lies_in_its_bin_and_failures_apart() -> None:
    rows = rows_of_ious(0.0, 0.01, 0.05, 0.0999, 0.15, 0.95, 1.0)
    rows += [row("a", said("a", 0.0, state="no_region")), row("b", said("b", None), grounded=False)]
    found = spread(rows, 0)
    # 0.15 * 20 is a hair below 3 in floats, and belongs to the bin that begins there.
    assert (found.none, found.zero) == (1, 1)
    assert {k: n for k, n in enumerate(found.bins) if n} == {0: 1, 1: 2, 3: 1, 19: 2}


def test_the_highest_bar_of_the_histogram_is_under_the_top() -> None:
    found = histogram(rows_of_ious(0.0, 0.5, 0.5, 1.0), ["a"])
    assert found is not None
    bars = places(found.panels[0].svg, "rect", "x", "height", kind="bar")
    top = (HEIGHT - BOTTOM - TOP) / 1.08
    heights = sorted(height for _, height in bars)
    assert heights == pytest.approx([0.0] * 18 + [top / 2, top / 2, top], abs=0.01)
    assert ["0.50 to 0.55", "2"] in found.table
    assert ["no overlap", "1"] in found.table
    assert "median 0.50 over 4 samples, 1 without overlap." in found.about
    assert 'aria-label="Histogram of IoU. a: median 0.50' in found.panels[0].svg


def test_runs_share_the_scale_of_the_histogram() -> None:
    rows = [row("a", said("a", 0.5), said("a", 0.1)), row("b", said("b", 0.5), said("b", 0.2))]
    found = histogram(rows, ["one", "two"])
    assert found is not None
    first, second = ({h for _, h in places(p.svg, "rect", "x", "height", kind="bar")} for p in found.panels)
    assert max(first) == pytest.approx(2 * max(second), abs=0.01)
    assert [panel.title for panel in found.panels] == ["one", "two"]


def test_without_a_target_there_is_no_figure() -> None:
    rows = [row("a", said("a", None), grounded=False)]
    assert histogram(rows, ["a"]) is None
    assert size_figure(rows, ["a"]) is None
    assert pair_figure(rows, ["a"]) is None


def test_thirds_are_by_size_with_their_medians() -> None:
    points = [(0.9, 0.9), (0.01, 0.0), (0.02, 0.2), (0.1, 0.5), (0.2, 0.7), (0.8, 1.0)]
    small, middle, large = thirds(points)
    assert small == Third(0.01, 0.02, 0.1, 2)
    assert [middle.iou, large.iou] == pytest.approx([0.6, 0.95])
    assert thirds(points[:2]) == []


def test_a_dot_lies_at_the_logarithm_of_its_size() -> None:
    rows = [
        row(f"s{n}", said(f"s{n}", iou), coverage=c) for n, (c, iou) in enumerate([(0.01, 0.5), (0.1, 1.0), (1.0, 0.0)])
    ]
    found = size_figure(rows, ["a"])
    assert found is not None
    # From 1 % on the left to 100 % on the right are two powers of ten.
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP
    wanted = [(LEFT, TOP + height / 2), (LEFT + width / 2, TOP), (LEFT + width, TOP + height)]
    assert np.array(places(found.panels[0].svg, "circle", "cx", "cy")) == pytest.approx(np.array(wanted), abs=0.01)
    assert found.table[0] == ["a", "small", "1 % to 1 %", "0.50", "1"]


def test_many_dots_become_shades() -> None:
    count = MOST_DOTS + 1
    rows = [row(f"s{n}", said(f"s{n}", 0.5 if n else 1.0), coverage=0.1) for n in range(count)]
    found = size_figure(rows, ["a"])
    assert found is not None
    svg = found.panels[0].svg
    assert "<circle" not in svg
    shades = [opacity for (opacity,) in places(svg, "rect", "fill-opacity", kind="cell")]
    assert sorted(shades) == pytest.approx([0.12 + 0.88 * (1 / (count - 1)) ** 0.5, 1.0], abs=0.01)


def test_the_tally_of_two_runs() -> None:
    assert tally([(0.1, 0.2), (0.3, 0.3), (0.1 + 0.2, 0.3), (1.0, 0.0)]) == Tally(first=1, equal=2, second=1)


def test_each_run_is_drawn_against_the_first() -> None:
    rows = [row("a", said("a", 0.25), said("a", 0.75), said("a", 0.0))]
    found = pair_figure(rows, ["x", "y", "z"])
    assert found is not None
    assert [panel.title for panel in found.panels] == ["y against x", "z against x"]
    height = HEIGHT - BOTTOM - TOP
    ((_, up),) = places(found.panels[0].svg, "circle", "cx", "cy")
    assert up == pytest.approx(TOP + height / 4, abs=0.01)
    assert found.table == [["y", "1", "0", "0"], ["z", "0", "0", "1"]]
    assert "y is better on 1, x on 0, equal are 0." in found.about


def columns(scores: list[float], ious: list[float], region: list[float] | None = None) -> dict[str, np.ndarray]:
    ones = [1.0] * len(scores)
    hit = (np.array(ious) >= 0.5).astype(np.float64)
    return {"score": np.array(scores), "iou": np.array(ious), "hit": hit, "rated": np.array(region or ones)}


def test_the_risk_rises_as_less_sure_regions_are_accepted() -> None:
    # The surer of two is right: risk 0 at half, (0 + 1) / 2 at all; a fourth of the samples has no region.
    found = risk_figure({0: columns([0.9, 0.1, 0.0, 0.5], [1.0, 0.0, 0.0, 1.0], [1, 1, 0, 1])}, ["a"])
    assert found is not None
    (path,) = re.findall(r'<path class="curve run-0" d="M([^"]*)"', found.panels[0].svg)
    points = [tuple(map(float, point.split())) for point in path.split("L")]
    x, y = across(0.0, 1.0), upward(0.0, 1.0)
    wanted = [(x(0.25), y(0)), (x(0.5), y(0)), (x(0.75), y(1 / 3))]
    assert np.array(points) == pytest.approx(np.array(wanted), abs=0.01)
    assert [line for line in found.table if line[0] in {"30 %", "70 %", "80 %"}] == [
        ["30 %", "0.00"],
        ["70 %", "0.00"],
        ["80 %", "n/a"],
    ]
    assert "0.33 over all regions with a score, on 75 % of the samples; 0.00 over the surest quarter" in found.about


def test_a_bin_of_like_scores_lies_at_its_share_of_hits() -> None:
    found = reliability_figure({0: columns([0.55, 0.55, 0.95], [0.5, 0.4, 0.0])}, ["a", "b"])
    assert found is not None
    x, y = across(0.0, 1.0), upward(0.0, 1.0)
    wanted = [(x(0.55), y(0.5), 7.5), (x(0.95), y(0.0), 2.5 + 5 * 0.5**0.5)]
    marks = places(found.panels[0].svg, "circle", "cx", "cy", "r")
    assert np.array(marks) == pytest.approx(np.array(wanted), abs=0.01)
    assert found.table == [["a", "0.55", "50 %", "2"], ["a", "0.95", "0 %", "1"]]
    assert found.legend == [Key(0, "a", line=True)]


def test_one_score_for_all_is_a_mark_without_a_line_and_told() -> None:
    several, same = columns([0.9, 0.1], [1.0, 0.0]), columns([0.5, 0.5], [1.0, 0.5])
    found = risk_figure({0: several, 1: same}, ["a", "b"])
    assert found is not None
    assert found.legend == [Key(0, "a", line=True), Key(1, "b", line=False)]
    assert "curve run-1" not in found.panels[0].svg
    # The mean loss is 1/4 of all, on all: the place of the second run's square.
    assert marker(1, across(0.0, 1.0)(1.0), upward(0.0, 1.0)(0.25), 3.5) in found.panels[0].svg
    assert "One score for all regions: b; that is a single point instead of a line" in found.about
    assert "the AURC is just the mean loss" in found.about
    alone = risk_figure({0: several}, ["a"])
    assert alone is not None
    assert "One score" not in alone.about
    reliable = reliability_figure({0: several, 1: same}, ["a", "b"])
    assert reliable is not None
    assert [key.line for key in reliable.legend] == [True, False]


def test_marks_of_runs_differ_in_shape_and_are_as_large_as_the_circle() -> None:
    shapes = [marker(run, 0.0, 0.0, 10.0) for run in range(6)]
    assert shapes[0] == '<circle class="end run-0" cx="0" cy="0" r="10"/>'
    areas = []
    for shape in shapes[1:]:
        (path,) = re.findall(r' d="M([^"]*)Z"', shape)
        x, y = np.array([tuple(map(float, point.split())) for point in path.split("L")]).T
        areas.append(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2)
    assert areas == pytest.approx([np.pi * 100] * 5, rel=0.005)
    assert len({re.sub(r"run-\d", "", shape) for shape in shapes}) == 6


def test_without_a_region_there_is_no_curve() -> None:
    none = columns([0.0], [0.0], [0.0])
    assert risk_figure({0: none}, ["a"]) is None
    assert reliability_figure({0: none}, ["a"]) is None


def test_a_long_curve_is_thinned_but_keeps_its_end() -> None:
    scores = np.linspace(1, 0, 3000)
    found = risk_figure({0: columns(scores.tolist(), (scores > 0.5).astype(float).tolist())}, ["a"])
    assert found is not None
    (path,) = re.findall(r'd="M([^"]*)"', found.panels[0].svg)
    points = path.split("L")
    assert len(points) == 200
    x, y = across(0.0, 1.0), upward(0.0, 1.0)
    assert tuple(map(float, points[-1].split())) == pytest.approx((x(1.0), y(0.5)), abs=0.02)
