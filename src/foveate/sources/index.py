"""Finds a pinned file on the package indexes that the user has configured.

The search is `unearth`'s, so that mirrors, proxies, certificates, netrc and keyring work as they do for pip. Why not
pip itself: ``design/weights.md``.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from foveate.errors import UnavailableError, UsageError, some
from foveate.sources._pins import PinnedFile, Wanted, short
from foveate.sources.pip_settings import IndexSettings, redact

if TYPE_CHECKING:
    from unearth import Link, PackageFinder
    from unearth.fetchers import Fetcher
    from unearth.fetchers.sync import PyPIClient

_SETTINGS_REMEDY = (
    "Check the network and the index settings (pip config list, PIP_INDEX_URL, PIP_PROXY, PIP_CERT), then run it "
    "again. What is cached already works without a network."
)


@dataclass(frozen=True)
class Index:
    """The configured places as one: what searches them, and the session that also downloads."""

    finder: PackageFinder
    session: PyPIClient


@dataclass
class _Search:
    """What came of asking each place: problems are places that gave no answer, hashes are of files that differ."""

    asked: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    other_hashes: list[str] = field(default_factory=list)


@contextmanager
def connect(settings: IndexSettings) -> Iterator[Index]:
    """Yields the configured indexes and folders, ready to be asked.

    Raises:
        UsageError: A setting cannot be used: a certificate file that is not there, a proxy that is no URL.
    """
    from unearth import PackageFinder
    from unearth.auth import MultiDomainBasicAuth

    with _session(settings) as session:
        # With no source at all unearth adds its own default index, which is just what pip would ask.
        chosen = [_as_url(settings.index_url)] if settings.index_url else []
        # The cast: its session does more than the protocol that unearth asks for, which mypy takes for less.
        fetcher = cast("Fetcher", session)
        finder = PackageFinder(session=fetcher, index_urls=chosen, ignore_compatibility=True)
        for url in settings.extra_index_urls:
            finder.add_index_url(_as_url(url))
        if settings.no_index:
            finder.sources.clear()
        for url in settings.find_links:
            finder.add_find_links(_as_url(url))
        # Local places first: they cost nothing, and the hash says which file it is wherever it comes from.
        finder.sources.sort(key=lambda source: not source["url"].startswith("file:"))
        indexes = [source["url"] for source in finder.sources if source["type"] == "index"]
        # Never prompts: a question for a password would hang a job, and mix with the progress bar.
        session.auth = MultiDomainBasicAuth(prompting=False, index_urls=indexes)
        yield Index(finder, session)


def find(index: Index, wanted: Wanted) -> str:
    """Returns the URL of the wanted archive on the first index or folder that has it.

    Raises:
        UnavailableError: No place has it; or it is there with another hash only; or some place did not answer.
    """
    search, finder, file = _Search(), index.finder, wanted.archive
    for source in list(finder.sources):
        # One place at a time: unearth asks all at once, and then one that is down hides the file of another.
        finder.sources = [source]
        search.asked.append(redact(source["url"]))
        for link in _links(finder, file, search):
            offered = (link.hash_option or {}).get("sha256", [file.sha256])[0].lower()
            if offered == file.sha256:
                return link.url_without_fragment
            search.other_hashes.append(offered)
    raise _not_found(wanted, search)


def _not_found(wanted: Wanted, search: _Search) -> UnavailableError:
    file = wanted.archive
    if search.other_hashes:
        return UnavailableError(
            str(wanted),
            f"the index offers another archive of that name, sha256 {short(search.other_hashes[0])}, "
            f"expected {short(file.sha256)}",
            "Use an index that mirrors the original file (PIP_INDEX_URL).",
        )
    if search.problems:
        return UnavailableError(str(wanted), f"no usable answer from {some(search.problems)}", _SETTINGS_REMEDY)
    asked = some(search.asked) if search.asked else "none is configured"
    return UnavailableError(
        str(wanted),
        f"no package index or folder has this file of {file.project}=={file.version} (asked: {asked})",
        "Add an index that has it (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL), or put the file into a folder and name that "
        "in PIP_FIND_LINKS.",
    )


def _links(finder: PackageFinder, file: PinnedFile, search: _Search) -> list[Link]:
    import httpx2

    place = search.asked[-1]
    try:
        with _overheard() as warnings:
            packages = list(finder.find_all_packages(file.project, allow_yanked=True))
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError) as error:
        search.problems.append(f"{place} ({redact(str(error)) or type(error).__name__})")
        return []
    # That a place does not know the project (404) is an answer; a password refused or a server's fault is none.
    search.problems.extend(f"{place} ({text})" for text in warnings if "Client Error(404)" not in text)
    return [package.link for package in packages if package.link.filename == file.filename]


@contextmanager
def _overheard() -> Iterator[list[str]]:
    # unearth tells of a page that it could not read by a log line only; here it is heard instead of printed.
    heard: list[str] = []
    logger = logging.getLogger("unearth.collector")

    def listen(record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        heard.append(redact(record.getMessage()).split(": ", 1)[-1])
        return False

    logger.addFilter(listen)
    try:
        yield heard
    finally:
        logger.removeFilter(listen)


def _session(settings: IndexSettings) -> PyPIClient:
    import httpx2
    from unearth.fetchers.sync import PyPIClient

    try:
        # unearth sends trusted hosts around the proxy; pip does not.
        trusted: dict[str, httpx2.BaseTransport] = {
            f"all://{host}": httpx2.HTTPTransport(verify=False, proxy=settings.proxy)
            for host in settings.trusted_hosts
            if settings.proxy
        }
        return PyPIClient(
            trusted_hosts=settings.trusted_hosts,
            verify=_certificates(settings.cert) if settings.cert else True,
            timeout=settings.timeout,
            follow_redirects=True,
            proxy=settings.proxy,
            mounts=trusted,
        )
    except (httpx2.InvalidURL, ValueError, ImportError) as error:
        raise UsageError(
            "the proxy or trusted-host setting of pip",
            f"it cannot be used: {redact(str(error))}",
            "Correct it; pip config list and the variables PIP_PROXY and HTTPS_PROXY show what is set.",
        ) from None


def _certificates(cert: str) -> ssl.SSLContext:
    path = Path(cert).expanduser()
    try:
        if path.is_dir():
            return ssl.create_default_context(capath=path)
        return ssl.create_default_context(cafile=path)
    except OSError as error:
        raise UsageError(
            f"the cert setting of pip, {cert}",
            f"no certificates can be read from it: {error.strerror or error}",
            "Correct it; pip config list and the variable PIP_CERT show what is set.",
        ) from error


def _as_url(place: str) -> str:
    # pip takes plain paths too; unearth knows an absolute one that exists, and fails on any other.
    if "://" in place or place.startswith("file:"):
        return place
    return Path(place).expanduser().absolute().as_uri()
