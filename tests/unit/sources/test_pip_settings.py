from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from foveate.sources.pip_settings import IndexSettings, parse_config_list, read_settings, redact

LISTED = r"""For variant 'global', will try loading '/etc/pip.conf'
:env:.find-links='/wheels'
:env:.no-index='true'
download.proxy='http://me:pw@proxy:3128'
global.cert='/etc/ca.pem'
global.extra-index-url='\nhttps://one/simple\n  https://two/simple'
global.find-links='/overruled'
global.index-url='https://global/simple'
global.timeout='60'
install.index-url='https://install/simple'
install.trusted-host='a b:8080'
list.index-url='https://other-command/simple'
"""


def _pip_says(monkeypatch: pytest.MonkeyPatch, text: str, code: int = 0) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, code, stdout=text, stderr="")

    monkeypatch.setattr(subprocess, "run", run)


def test_the_output_of_pip_is_merged_as_pip_does(monkeypatch: pytest.MonkeyPatch) -> None:
    _pip_says(monkeypatch, LISTED)
    assert read_settings() == IndexSettings(
        index_url="https://install/simple",
        extra_index_urls=("https://one/simple", "https://two/simple"),
        find_links=("/wheels",),
        no_index=True,
        trusted_hosts=("a", "b:8080"),
        proxy="http://me:pw@proxy:3128",
        cert="/etc/ca.pem",
        timeout=60.0,
    )


def test_no_settings_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    _pip_says(monkeypatch, "")
    assert read_settings() == IndexSettings()


def test_an_empty_value_does_not_hide_another_one() -> None:
    assert parse_config_list("global.index-url='https://a'\n:env:.index-url=''") == {"index-url": "https://a"}


def test_a_value_that_is_no_literal_is_taken_as_it_stands() -> None:
    assert parse_config_list("global.cert=C:/ca.pem") == {"cert": "C:/ca.pem"}


def test_the_real_pip_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = tmp_path / "pip.conf"
    config.write_text(
        "[global]\nindex-url = https://me:s3cret@mirror/simple\nextra-index-url =\n    https://one/simple\n"
        "    https://two/simple\n[download]\ntrusted-host = mirror\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    monkeypatch.setenv("PIP_FIND_LINKS", "/a /b")
    # A folder that shadows pip must not be run.
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__main__.py").write_text("print(\"global.index-url='https://evil'\")")
    monkeypatch.chdir(tmp_path)
    found = read_settings()
    assert found.index_url == "https://me:s3cret@mirror/simple"
    assert found.extra_index_urls[-2:] == ("https://one/simple", "https://two/simple")
    assert found.trusted_hosts == ("mirror",)
    assert found.find_links == ("/a", "/b")
    assert "s3cret" not in repr(found)


def test_without_pip_the_variables_of_pip_and_uv_count(monkeypatch: pytest.MonkeyPatch) -> None:
    _pip_says(monkeypatch, "No module named pip", code=1)
    monkeypatch.setenv("UV_DEFAULT_INDEX", "main=https://uv/simple")
    monkeypatch.setenv("UV_INDEX", "corp=https://corp/simple https://two/simple?a=b")
    monkeypatch.setenv("UV_FIND_LINKS", "/a,/b")
    monkeypatch.setenv("UV_INSECURE_HOST", "corp")
    monkeypatch.setenv("PIP_PROXY", "http://proxy:1")
    monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "nonsense")
    assert read_settings() == IndexSettings(
        index_url="https://uv/simple",
        extra_index_urls=("https://corp/simple", "https://two/simple?a=b"),
        find_links=("/a", "/b"),
        trusted_hosts=("corp",),
        proxy="http://proxy:1",
    )


def test_the_variables_of_pip_win_over_those_of_uv(monkeypatch: pytest.MonkeyPatch, without_pip: None) -> None:
    monkeypatch.setenv("UV_INDEX_URL", "https://uv/simple")
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip/simple")
    assert read_settings().index_url == "https://pip/simple"


def test_a_pip_that_hangs_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip/simple")
    assert read_settings().index_url == "https://pip/simple"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at https://me:pw@host/a failed", "at https://***@host/a failed"),
        ("https://tok@en@host:8/a", "https://***@host:8/a"),
        ("https://host/a?sig=pw#f", "https://host/a?***#f"),
        ("https://host/a@b", "https://host/a@b"),
        ("https://u:p@one https://v:q@two", "https://***@one https://***@two"),
        ("no url, me@host.org?", "no url, me@host.org?"),
    ],
)
def test_redact(text: str, expected: str) -> None:
    assert redact(text) == expected
