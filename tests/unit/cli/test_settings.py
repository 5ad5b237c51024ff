from __future__ import annotations

import pytest

from foveate.cli._settings import settings_of
from foveate.errors import UsageError


def test_options_by_name() -> None:
    assert settings_of(["votes=2", "form=a=b", "split="]) == {"votes": "2", "form": "a=b", "split": ""}
    assert settings_of(None) == {}


@pytest.mark.parametrize(
    ("given", "said"), [(["votes"], "NAME=VALUE"), (["=2"], "NAME=VALUE"), (["a=1", "a=2"], "a was 1 before")]
)
def test_what_is_no_option(given: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        settings_of(given)
