from __future__ import annotations

from datetime import UTC, datetime, timedelta

from foveate.annotation.drafts import EARLIER, OTHER_TABS, RECENT, Kept, dispensable

BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def saved(count: int, seconds: float, tabs: int = 1) -> list[Kept]:
    """Returns versions that follow each other; `tabs` take turns."""
    return [Kept(n + 1, f"tab-{n % tabs}", BEGAN + timedelta(seconds=n * seconds)) for n in range(count)]


def test_of_few_versions_none_can_go() -> None:
    assert dispensable([]) == []
    assert dispensable(saved(RECENT, 0.05)) == []


def test_of_each_minute_before_the_newest_stays() -> None:
    versions = saved(RECENT + 60, 10)
    gone = set(dispensable(versions))
    earlier = [one.version for one in versions if one.version <= 60 and one.version not in gone]
    assert earlier == [6, 12, 18, 24, 30, 36, 42, 48, 54, 60]


def test_however_many_there_are_a_bound_is_kept() -> None:
    for versions in (saved(3_000, 60), saved(3_000, 0.05, tabs=2), saved(3_000, 60, tabs=2)):
        gone = dispensable(versions)
        assert len(versions) - len(gone) <= RECENT + EARLIER + OTHER_TABS
        assert max(gone) <= 3_000 - RECENT


def test_what_another_tab_went_on_after_stays() -> None:
    versions = saved(RECENT + 200, 0.05)
    versions[40] = Kept(41, "other", versions[40].saved_at)
    gone = dispensable(versions)
    assert not {40, 41} & set(gone)
    assert {39, 42} <= set(gone)
