"""The density of centres, against SciPy's and by what must hold of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import gaussian_kde

from foveate.reports.analysis.location import middle
from foveate.reports.analysis.places import GRID, density, held


@pytest.mark.reference
def test_the_density_is_scipys_away_from_the_edges() -> None:
    rng = np.random.default_rng(1)
    half = 0.5 + 0.08 * rng.standard_normal((400, 2))
    # With its mirror image x and y are uncorrelated, as the widths along the axes take them to be.
    centre = np.concatenate([half, half * (-1, 1) + (1, 0)])
    found = density(centre)
    assert found is not None
    at = (np.arange(GRID) + 0.5) / GRID
    # Population and sample standard deviation differ by the factor (n / (n - 1)) ** 0.5.
    kernel = gaussian_kde(centre.T, bw_method=len(centre) ** (-1 / 6) * (1 - 1 / len(centre)) ** 0.5)
    x, y = np.meshgrid(at, at)
    wanted = kernel(np.stack([x.ravel(), y.ravel()])).reshape(GRID, GRID)
    wanted /= wanted.sum()
    # Centres are counted in cells first, which moves each by half a cell at most.
    assert np.abs(found - wanted).max() < 0.03 * wanted.max()


def test_rows_are_from_the_top() -> None:
    rng = np.random.default_rng(2)
    found = density(np.clip((0.8, 0.2) + 0.02 * rng.standard_normal((50, 2)), 0, 1))
    assert found is not None
    row, column = np.unravel_index(found.argmax(), found.shape)
    assert row < GRID / 3 < 2 * GRID / 3 < column


@given(arrays(np.float64, st.tuples(st.integers(3, 30), st.just(2)), elements=st.floats(0, 1)))
def test_nothing_is_lost_at_the_edges(centre: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    found = density(centre)
    if found is not None:
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()


def test_there_is_no_density_of_one_place_or_of_two_samples() -> None:
    assert density(np.full((10, 2), 0.5)) is None
    assert density(np.array([[0.1, 0.2], [0.3, 0.4]])) is None


def test_the_part_of_the_photo_that_holds_half_of_the_centres() -> None:
    grid = np.array([[0.3, 0.3], [0.2, 0.2]])
    assert held(grid, 0.5) == (0.3, 0.5)
    assert held(grid, 0.25) == (0.3, 0.25)
    assert held(grid, 1.0)[1] == 1.0


def test_an_even_spread_has_a_ninth_in_the_middle() -> None:
    at = (np.arange(9) + 0.5) / 9
    x, y = np.meshgrid(at, at)
    assert middle(np.stack([x.ravel(), y.ravel()], axis=1)) == pytest.approx(1 / 9)
