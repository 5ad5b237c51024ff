"""Reads a challenge's folder: `challenge.toml`, `description.md`, perhaps `rules.md` (docs/challenge.md)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

from foveate import plugins
from foveate.challenges._fields import FaultsError, Table
from foveate.challenges._paths import Paths
from foveate.challenges._toml_phases import read_phases
from foveate.challenges.definition import Challenge, DataReference, Reference, Reproduction, SignUp, Teams
from foveate.errors import InputError, UsageError, did_you_mean, reason_of, shown
from foveate.evaluation.metric_names import metrics_named

FILE, DESCRIPTION, RULES = "challenge.toml", "description.md", "rules.md"
_SLUG = re.compile(r"[A-Za-z0-9_-]{1,60}")
# They mean something in addresses.
_TAKEN = ("new", "load")
_MOST_BYTES = 1024**2
# A text is made HTML by a parser whose time grows with the square of what is written to hurt it.
_MOST_TEXT = 64 * 1024
# Far more than any challenge has; each is a row, and is compared with all others.
_MOST_TABLES = 200
_MOST_NAME = 60
# A key of thousands of parts (`a.a.a…`) takes the parser minutes, brackets in one another its stack.
_LONG_KEY = re.compile(r"""(?>(?>[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")


def is_slug(name: str) -> bool:
    """Returns whether a name can stand in an address."""
    return bool(_SLUG.fullmatch(name)) and name not in _TAKEN


def read(folder: Path, *, anywhere: bool = True) -> Challenge:
    """Returns the challenge that a folder holds; no data is opened (`foveate.challenges.folder` does).

    Args:
        folder: Where `challenge.toml` lies.
        anywhere: Whether the file may name places outside the folder, by absolute paths. Relative ones never leave it.

    Raises:
        FaultsError: The file says things that cannot be taken; all of them are told.
        InputError: There is no such file, or it is no TOML.
    """
    folder = folder.absolute()
    faults: list[InputError] = []
    top = Table(_values(folder / FILE), FILE, faults)
    paths = Paths(folder, anywhere)
    made = _challenge(top, paths)
    top.done()
    if faults:
        raise FaultsError(faults)
    return made


def _values(path: Path) -> Mapping[str, Any]:
    text = _text(path, _MOST_BYTES)
    if text is None:
        raise InputError(
            str(path), "there is no such file", "Begin with: foveate challenge new NAME --template toloka."
        )
    long = _LONG_KEY.search(text)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise InputError(f"{path}, line {line}", "a key has more than 16 parts", "Write tables, as [[phases]].")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError(str(path), "its lists lie too deep in one another", "Write tables, as [[phases]].") from error
    except ValueError as error:  # TOMLDecodeError, and numbers of thousands of digits.
        raise InputError(str(path), f"it is no TOML ({reason_of(error)})", "Fix the line that is named.") from error


def _text(path: Path, most: int) -> str | None:
    """Returns the text of a file, None where there is no such file.

    Raises:
        InputError: It is no text in UTF-8, has more than `most` bytes, or cannot be read.
    """
    try:
        if path.stat().st_size > most:
            raise InputError(str(path), f"it has more than {most:,} bytes", "Write a shorter text.")
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        if "\0" in text:
            raise InputError(str(path), "there is a byte of 0 in it, which no text has", "Save it as UTF-8 text.")
        return text
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"it cannot be read as text ({reason_of(error)})", "Save it as UTF-8.") from error


def _challenge(top: Table, paths: Paths) -> Challenge:
    for key in ("phases", "references", "data"):
        some = top.values.get(key)
        if isinstance(some, list | dict) and len(some) > _MOST_TABLES:
            problem = f"there are {len(some):,}, and at most {_MOST_TABLES} may be"
            raise InputError(f"{FILE}, {key}", problem, "Name fewer.")
    slug = top.text("slug", needed=True)
    if slug and not is_slug(slug):
        remedy = "Take at most 60 letters without accents, digits, - and _; not new, not load."
        top.fault("slug", f"{slug} cannot stand in an address", remedy)
    data = _data(top, paths)
    phases = read_phases(top, data)
    names = [phase.name for phase in phases]
    return Challenge(
        folder=paths.folder,
        slug=slug,
        title=top.text("title", needed=True, most=200),
        summary=top.text("summary"),
        organisers=top.text("organisers"),
        contact=top.text("contact"),
        website=_website(top),
        citation=top.text("citation"),
        licence=top.text("licence"),
        description=_text(paths.folder / DESCRIPTION, _MOST_TEXT) or "",
        rules=_text(paths.folder / RULES, _MOST_TEXT) or "",
        published=top.flag("published", False),
        sign_up=cast(SignUp, top.choice("sign_up", get_args(SignUp), "invited")),
        anonymous=top.flag("anonymous", False),
        teams=_teams(top),
        data=data,
        phases=phases,
        references=_references(top, paths, names),
        reproduction=_reproduction(top),
    )


def _website(top: Table) -> str:
    found = top.text("website")
    if found and not found.startswith(("https://", "http://")):
        top.fault("website", f"{found} is no address of the web", "Begin it with https://.")
    return found


def _teams(top: Table) -> Teams:
    table = top.table("teams")
    if table is None:
        return Teams()
    made = Teams(table.whole("most_members", None), table.moment("closes"))
    table.done()
    return made


def _data(top: Table, paths: Paths) -> dict[str, DataReference]:
    outer = top.table("data")
    found = {}
    for name in outer.values if outer else ():
        assert outer is not None
        if not name.isprintable() or len(name) > _MOST_NAME:
            outer.fault("name", f"{shown(name)[:80]} cannot be a name of data", "Take few letters that can be seen.")
        inner = outer.table(name)
        if inner is not None:
            found[name] = _reference_of_data(inner, paths)
    if not found:
        top.fault("data", "there are no data", "Write [data.NAME] with dataset and root.")
    return found


def _reference_of_data(table: Table, paths: Paths) -> DataReference:
    dataset = table.text("dataset", needed=True)
    base = dataset.partition(":")[0]
    if dataset and base not in plugins.modules("datasets"):
        table.fault("dataset", f"there is no data set {base}", did_you_mean(base, plugins.modules("datasets")))
    settings = table.table("settings")
    made = DataReference(
        dataset=dataset,
        root=paths.of(table, "root"),
        questions=paths.of(table, "questions"),
        images=paths.of(table, "images"),
        settings=_settings(settings, paths) if settings else {},
    )
    table.done()
    return made


def _settings(table: Table, paths: Paths) -> dict[str, str]:
    found = {key: table.text(key) for key in table.values}
    for key, text in found.items():
        # Some options of data sets are paths.
        if not paths.anywhere and ("/" in text or "\\" in text or ".." in text):
            table.fault(key, f"{text} may be a place outside the folder", "Leave it out, or ask an admin to load it.")
    return found


def _references(top: Table, paths: Paths, phases: list[str]) -> tuple[Reference, ...]:
    found: list[Reference] = []
    for table in top.tables("references"):
        made = Reference(
            name=table.text("name", needed=True, most=200),
            phase=table.text("phase", needed=True),
            grounder=table.text("grounder") or None,
            file=paths.of(table, "file"),
            published=_published(table),
            source=table.text("source", most=1000),
        )
        if made.phase and made.phase not in phases:
            table.fault("phase", f"there is no phase {made.phase}", did_you_mean(made.phase, phases))
        if made.grounder and made.grounder not in plugins.modules("grounders"):
            near = did_you_mean(made.grounder, plugins.modules("grounders"))
            table.fault("grounder", f"there is no grounder {made.grounder}", near)
        given = [key for key in ("grounder", "file", "published") if key in table.values]
        if len(given) != 1:
            problem = f"{' and '.join(given)} are given" if given else "it has no values"
            table.fault("name", problem, "Give exactly one of grounder, file and published.")
        if any((made.phase, made.name) == (one.phase, one.name) for one in found):
            table.fault("name", f"two rows of this phase are called {made.name}", "Give each a name of its own.")
        table.done()
        found.append(made)
    return tuple(found)


def _published(table: Table) -> dict[str, float] | None:
    inner = table.table("published")
    if inner is None:
        return None
    found = {}
    for key in inner.values:
        try:
            metrics_named(key)
        except UsageError as error:
            inner.fault(key, error.problem, error.remedy)
        found[key] = inner.value(key)
    if not found:
        table.fault("published", "it has no values", "Write { mean_iou = 0.775 }.")
    return found


def _reproduction(top: Table) -> Reproduction:
    table, usual = top.table("reproduction"), Reproduction()
    if table is None:
        return usual
    made = Reproduction(
        questions=_inside(table, "questions", usual.questions),
        images=_inside(table, "images", usual.images),
        answer=_inside(table, "answer", usual.answer),
        cpus=table.number("cpus", usual.cpus),
        memory=table.whole("memory", usual.memory),
        gpus=table.whole("gpus", usual.gpus, 0),
        processes=table.whole("processes", usual.processes),
        disk=table.whole("disk", usual.disk),
        seconds=table.whole("seconds", usual.seconds),
    )
    table.done()
    return made


def _inside(table: Table, key: str, default: str) -> str:
    found = table.text(key, default)
    if not found.startswith("/") or ".." in found.split("/"):
        table.fault(key, f"{found} is no absolute path of a container", "Write it as /mnt/data/test.csv.")
    return found
