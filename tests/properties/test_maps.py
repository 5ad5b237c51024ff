"""Whatever a method's map is like, its peak comes back from disk, and the rest to within a step."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from foveate.core.soft_maps import SoftMap
from foveate.runs.maps import MapWriter, StoredMap, stored_map

SMALLEST = float(np.finfo(np.float32).smallest_subnormal)
shapes = st.tuples(st.integers(1, 6), st.integers(1, 6))
grids = shapes.flatmap(lambda shape: arrays(np.float32, shape, elements=st.floats(0, 1, width=32)))
near_one_another = st.tuples(grids, st.floats(0, 1)).map(
    lambda drawn: (drawn[1] * (1 + drawn[0] * np.float32(1e-5)) / 2).astype(np.float32)
)


def through_the_disk(values: NDArray[np.float32]) -> tuple[SoftMap, SoftMap]:
    soft = SoftMap.over(values, values.shape)
    with tempfile.TemporaryDirectory() as folder:
        with closing(MapWriter(Path(folder), [])) as writer:
            stored = writer.append(soft)
        again = stored_map(stored.as_object(), Path(folder))
        assert isinstance(again, StoredMap)
        return soft, again.load()


@given(grids | near_one_another)
@example(np.array([[SMALLEST, 0, 2 * SMALLEST]], dtype=np.float32))
@example(np.array([[0.0019, np.nextafter(np.float32(0.0019), np.float32(0))]], dtype=np.float32))
def test_the_peak_stays_and_the_rest_is_near(values: NDArray[np.float32]) -> None:
    given, back = through_the_disk(values)
    highest = values.max()
    assert back.peak() == given.peak()
    np.testing.assert_array_equal(back.values == highest, values == highest)
    apart = np.abs(back.values.astype(np.float64) - values)
    assert (apart <= float(highest) / 255 * (1 + 1e-6) + 2 * SMALLEST).all()
    assert (back.values[values == 0] == 0).all()
