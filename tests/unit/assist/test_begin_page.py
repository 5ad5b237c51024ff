from __future__ import annotations

import re
from pathlib import Path

import PIL.Image
import pytest

from foveate import assist
from tests.helpers import REPOSITORY
from tests.unit.assist.awkward import sign


@pytest.mark.parametrize("page", ["docs/assist.md", "README.md"])
def test_the_one_liners_run_and_say_what_is_in_the_photo(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sign().save(tmp_path / "jar.jpg", quality=95)
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / page).read_text(encoding="utf-8"), re.DOTALL)
    asking = [block for block in blocks if "from foveate import assist" in block]
    assert asking
    for block in asking:
        exec(compile(block, page, "exec"), {"__name__": "page"})
        assert re.search(r"^SALT\. .*iddle of the photo, about a fifth of it\.", capsys.readouterr().out, re.MULTILINE)
    if page == "docs/assist.md":
        with PIL.Image.open(tmp_path / "only-this.jpg") as shared:
            assert shared.getpixel((2, 2)) == (128, 128, 128)
        with PIL.Image.open(tmp_path / "larger.png") as larger:
            assert larger.width > 240


def test_every_name_of_the_package_is_there_and_no_module_hides_it() -> None:
    for name in assist.__all__:
        assert getattr(assist, name).__name__.lower().endswith(name.lower())
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assist.nothing  # noqa: B018
