"""What a box plot shows, read from the drawing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foveate.reports.sections.boxes import Group, Scale, box_plots

VALUES = np.array([1.0, 2.0, 3.0, 4.0, 100.0])
PLAIN = Scale("points", 1)


def texts(fig: Any) -> list[str]:
    return [text.get_text() for text in fig.axes[0].texts]


def test_the_box_is_at_the_quartiles_and_the_marks_at_median_mean_and_beyond() -> None:
    axes = box_plots([Group("all", [(0, VALUES)])], ["a"], PLAIN).axes[0]
    assert {(box.get_x(), box.get_x() + box.get_width()) for box in axes.patches} == {(2.0, 4.0)}
    xs = [np.asarray(line.get_xdata()).tolist() for line in axes.lines]
    assert [3.0, 3.0] in xs
    assert [22.0] in xs
    assert [100.0] in xs
    assert [1.0, 2.0] in xs
    assert [4.0, 4.0] in xs


def test_n_is_below_each_box() -> None:
    fig = box_plots([Group("one", [(0, VALUES)]), Group("two", [(0, VALUES[:2])])], ["a"], PLAIN)
    assert texts(fig) == ["one", "n = 5, mean 22.0", "two", "n = 2, mean 1.5"]


def test_several_data_sets_are_named_below_their_boxes() -> None:
    fig = box_plots([Group("one", [(0, VALUES), (1, VALUES)])], ["a:val", "b:val"], PLAIN)
    assert texts(fig) == ["one", "a:val: n = 5, mean 22.0", "b:val: n = 5, mean 22.0"]
    colours = {line.get_color() for line in fig.axes[0].lines if len(line.get_xdata()) == 2}
    assert len(colours) == 3


def test_what_is_not_defined_is_left_out() -> None:
    nothing = np.array([np.nan])
    fig = box_plots([Group("none", [(0, nothing)]), Group("some", [(0, np.append(VALUES, np.nan))])], ["a"], PLAIN)
    assert texts(fig) == ["some", "n = 5, mean 22.0"]
    assert box_plots([Group("none", [(0, nothing)])], ["a"], PLAIN) is None
    assert box_plots([], [], PLAIN) is None


def test_a_higher_figure_for_more_groups_so_that_nothing_is_cramped() -> None:
    few, many = (box_plots([Group("g", [(0, VALUES)])] * n, ["a"], PLAIN) for n in (2, 20))
    for fig in (few, many):
        axes = fig.axes[0]
        inches = fig.get_figheight() * axes.get_position().height
        assert inches == pytest.approx(axes.get_ylim()[0])


def test_points_are_on_a_logarithmic_scale_with_plain_numbers() -> None:
    fig = box_plots([Group("all", [(0, VALUES)])], ["a"], Scale("points", 1, None, log=True))
    axes = fig.axes[0]
    assert axes.get_xscale() == "log"
    assert axes.xaxis.get_major_formatter()(100, 0) == "100"
