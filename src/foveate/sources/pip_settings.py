"""The user's package index settings, as pip itself sees them.

pip merges several files and the environment; to read them a second time by our own rules would be to get it wrong in
some company's network. So pip is asked (``pip config list``). Where there is no pip, as in an environment made by uv,
the variables of pip and of uv are read, and their files are not.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

# Later sections win, as for `pip download`.
_SECTIONS = ("global", "install", "download", ":env:")
_LINE = re.compile(r"^(?P<section>[^.\s]+)\.(?P<key>[^=\s]+)=(?P<value>.*)$")
_YES = frozenset({"1", "true", "yes", "on", "y", "t"})
_PIP_SECONDS = 60
# The setting, and the variables of uv that say the same, the newest first.
_UV_NAMES = {
    "index-url": ("UV_DEFAULT_INDEX", "UV_INDEX_URL"),
    "extra-index-url": ("UV_INDEX", "UV_EXTRA_INDEX_URL"),
    "find-links": ("UV_FIND_LINKS",),
    "no-index": ("UV_NO_INDEX",),
    "trusted-host": ("UV_INSECURE_HOST",),
    "timeout": ("UV_HTTP_TIMEOUT",),
}
_PIP_NAMES = (
    "index-url",
    "extra-index-url",
    "find-links",
    "no-index",
    "trusted-host",
    "proxy",
    "cert",
    "timeout",
    "default-timeout",
)


@dataclass(frozen=True)
class IndexSettings:
    """Where packages are looked for and how; what may hold a password stays out of the ``repr``.

    Attributes:
        index_url: The main index; None where the user has chosen none, and the tool's own default counts.
        extra_index_urls: Further indexes, equal in rank.
        find_links: Folders, pages or files that hold packages directly.
        no_index: Whether only ``find_links`` count.
        trusted_hosts: ``host`` or ``host:port`` whose certificate is not checked.
        proxy: URL of a proxy; None leaves it to ``HTTPS_PROXY`` and its like.
        cert: File or folder of certificates to trust instead of the usual ones.
        timeout: Seconds that a connection may be silent.
    """

    index_url: str | None = field(default=None, repr=False)
    extra_index_urls: tuple[str, ...] = field(default=(), repr=False)
    find_links: tuple[str, ...] = field(default=(), repr=False)
    no_index: bool = False
    trusted_hosts: tuple[str, ...] = ()
    proxy: str | None = field(default=None, repr=False)
    cert: str | None = None
    timeout: float = 15.0


def read_settings() -> IndexSettings:
    """Returns the settings that pip has now, or those of the environment where there is no pip."""
    listed = _pip_config_list()
    return _build(parse_config_list(listed) if listed is not None else _from_environment(os.environ))


def redact(text: str) -> str:
    """Returns a text without the passwords and tokens of the URLs in it.

    Example:
        >>> redact("https://me:secret@host/simple/?token=1 failed")
        'https://***@host/simple/?*** failed'
    """
    text = re.sub(r"(\w://)[^/\s]*@", r"\1***@", text)
    return re.sub(r"(\w://[^\s?#]*)\?[^\s#]+", r"\1?***", text)


def parse_config_list(text: str) -> dict[str, str]:
    """Returns ``{setting: value}`` of the output of ``pip config list``, its sections merged as for a download.

    Lines of another form (what ``PIP_VERBOSE`` adds) are no settings. An empty value leaves a setting unset, as in
    pip.
    """
    sections: dict[str, dict[str, str]] = {name: {} for name in _SECTIONS}
    for line in text.splitlines():
        match = _LINE.match(line.strip())
        if match and match["section"] in sections:
            value = _literal(match["value"])
            if value.strip():
                sections[match["section"]][match["key"]] = value
    return {key: value for name in _SECTIONS for key, value in sections[name].items()}


def _pip_config_list() -> str | None:
    # -P keeps a folder called `pip` in the current directory from being run instead.
    command = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "config", "list"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PIP_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _literal(value: str) -> str:
    try:
        return str(ast.literal_eval(value))
    except (ValueError, SyntaxError):
        return value


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key in _PIP_NAMES:
        names = (f"PIP_{key.upper().replace('-', '_')}", *_UV_NAMES.get(key, ()))
        value = next((environment[name] for name in names if environment.get(name, "").strip()), None)
        if value is not None:
            found[key] = value
    # uv separates by commas here, and lets a name stand before an index: `corp=https://...`.
    if "find-links" in found and not environment.get("PIP_FIND_LINKS", "").strip():
        found["find-links"] = found["find-links"].replace(",", " ")
    return {key: _without_name(value) if key.endswith("index-url") else value for key, value in found.items()}


def _without_name(value: str) -> str:
    return " ".join(re.sub(r"^[\w.-]+=(?=\S)", "", part) for part in value.split())


def _build(found: Mapping[str, str]) -> IndexSettings:
    return IndexSettings(
        index_url=found.get("index-url", "").strip() or None,
        extra_index_urls=tuple(found.get("extra-index-url", "").split()),
        find_links=tuple(found.get("find-links", "").split()),
        no_index=found.get("no-index", "").strip().lower() in _YES,
        trusted_hosts=tuple(found.get("trusted-host", "").split()),
        proxy=found.get("proxy", "").strip() or None,
        cert=found.get("cert", "").strip() or None,
        timeout=_seconds(found.get("timeout", found.get("default-timeout", ""))),
    )


def _seconds(value: str) -> float:
    try:
        return max(float(value), 1.0)
    except ValueError:
        return IndexSettings.timeout
