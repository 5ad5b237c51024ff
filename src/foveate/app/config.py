"""What the server is told from outside, once, by the environment; `foveate serve` sets it from its options."""

from __future__ import annotations

import math
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_data_path

from foveate.errors import InputError, OutputError, reason_of

DEFAULT_PORT = 8321
ASK = ("everyone", "here", "people", "nobody")
_PAIR = re.compile(r"[1-9]\d{0,5}/[1-9]\d{0,5}")
SCHEMES = ("sqlite", "postgres", "postgresql", "pgsql")


_GIB, _MOST_GIB = 1024**3, 2.0**33


@dataclass(frozen=True)
class Space:
    """Bytes that files of entries may take: of a team, of a challenge, of all challenges."""

    team: int
    challenge: int
    all: int


@dataclass(frozen=True)
class Config:
    """The server's settings.

    Attributes:
        folder: Where all that the server keeps lies: the embedded database, views of photos, uploads, the secret.
        database_url: A URL as of `dj-database-url`; empty for the embedded SQLite in `folder`.
        hosts: The names under which the server may be asked.
        https: Whether it is reached through HTTPS, so that cookies are sent through nothing else.
        logs: How logs are written to the error output: `json`, `plain`, or `auto`: plain on a terminal only.
        api_rate: How often one person, or one address without a person, may ask the API: `TIMES/SECONDS`.
        address: Where people reach the server, as `https://photos.example.org`; empty where nobody has said.
        metrics_token: Who sends it may read `/metrics` from elsewhere; empty for nobody.
        upload_rate: How often one person may begin to send a file to a challenge: `TIMES/SECONDS`.
        entry_space: How many GiB files of entries may take: `TEAM/CHALLENGE/ALL`.
        ask: Who may ask about photos: `everyone`, `people` who are signed in, `nobody`; or `here`: everyone who asks
            this machine without a proxy between.
        ask_remote: The methods that send photos elsewhere and are offered all the same.
        ask_rate: How often one person, or one address without a person, may bring a photo or ask: `TIMES/SECONDS`.
        ask_size: How large a photo may be: `MEBIBYTES/MEGAPIXELS`.
        ask_processes: How many questions are answered at once, each in a process of its own.
        threads: How many requests are answered at once.
        debug: Tracebacks in the browser; never where others can reach it.
    """

    folder: Path
    database_url: str = ""
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    https: bool = False
    logs: str = "auto"
    api_rate: str = "1200/60"
    address: str = ""
    metrics_token: str = ""
    upload_rate: str = "120/3600"
    entry_space: str = "20/500/1000"
    ask: str = "people"
    ask_remote: tuple[str, ...] = ()
    ask_rate: str = "120/300"
    ask_size: str = "30/50"
    ask_processes: int = 1
    threads: int = 8
    debug: bool = False

    @classmethod
    def from_environment(cls) -> Config:
        """Returns the settings of this process: `FOVEATE_DATA`, `FOVEATE_DATABASE_URL`, `FOVEATE_HOSTS` and so on."""
        chosen = os.environ.get("FOVEATE_DATA", "").strip()
        folder = Path(chosen).expanduser().absolute() if chosen else user_data_path("foveate", appauthor=False)
        hosts = _names("FOVEATE_HOSTS")
        return cls(
            folder=folder,
            database_url=os.environ.get("FOVEATE_DATABASE_URL", "").strip(),
            hosts=hosts or cls.hosts,
            https=os.environ.get("FOVEATE_HTTPS", "") == "1",
            logs=os.environ.get("FOVEATE_LOGS", "") or cls.logs,
            api_rate=os.environ.get("FOVEATE_API_RATE", "") or cls.api_rate,
            address=os.environ.get("FOVEATE_ADDRESS", "").strip().rstrip("/"),
            metrics_token=os.environ.get("FOVEATE_METRICS_TOKEN", ""),
            upload_rate=os.environ.get("FOVEATE_UPLOAD_RATE", "") or cls.upload_rate,
            entry_space=os.environ.get("FOVEATE_ENTRY_SPACE", "") or cls.entry_space,
            ask=os.environ.get("FOVEATE_ASK", "") or cls.ask,
            ask_remote=_names("FOVEATE_ASK_REMOTE"),
            ask_rate=os.environ.get("FOVEATE_ASK_RATE", "") or cls.ask_rate,
            ask_size=os.environ.get("FOVEATE_ASK_SIZE", "") or cls.ask_size,
            ask_processes=_number("FOVEATE_ASK_PROCESSES", cls.ask_processes),
            threads=_number("FOVEATE_SERVER_THREADS", cls.threads),
            debug=os.environ.get("FOVEATE_DEBUG", "") == "1",
        )

    def check(self) -> None:
        """Looks whether the settings can be used.

        Raises:
            InputError: The database's URL cannot be read, or is of a database that Foveate does not know; the address
                is none; it is not known who may ask; how often and how much is no number.
        """
        check_address(self.address)
        if self.ask not in ASK:
            raise InputError("FOVEATE_ASK", f"{self.ask} is none of {', '.join(ASK)}", "Say one of these.")
        check_rate("FOVEATE_API_RATE", self.api_rate)
        check_rate("FOVEATE_UPLOAD_RATE", self.upload_rate)
        check_rate("FOVEATE_ASK_RATE", self.ask_rate)
        if not _PAIR.fullmatch(self.ask_size):
            raise InputError("FOVEATE_ASK_SIZE", f"{self.ask_size} is not two numbers above 0", "Write it as 30/50.")
        entry_space(self.entry_space)
        try:
            parts = urlsplit(self.database_url)
            known = not self.database_url or (parts.scheme in SCHEMES and (parts.port or 0) >= 0)
        except ValueError:
            known = False
        if not known:
            # The URL itself is not repeated: it may hold a password.
            raise InputError(
                "the URL of the database",
                "it is not of the form postgres://NAME:PASSWORD@HOST:PORT/DATABASE or sqlite:////FILE",
                "Write letters such as @, / and % in a password as %40, %2F and %25.",
            )

    @property
    def shown_url(self) -> str:
        """Where the database is, without a password."""
        if not self.database_url:
            return str(self.folder / "foveate.sqlite3")
        parts = urlsplit(self.database_url)
        user = f"{parts.username}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}"

    def secret(self) -> str:
        """Returns the key that sessions are signed with; it is made at the first start and kept in `folder`.

        Raises:
            OutputError: It can be neither read nor written.
        """
        return kept_secret(self.folder / "secret.key")


def _names(variable: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in os.environ.get(variable, "").split(",") if name.strip())


def _number(variable: str, usual: int) -> int:
    """Returns a count that a variable says.

    Raises:
        InputError: It is no whole number above 0.
    """
    text = os.environ.get(variable, "").strip()
    if text and not re.fullmatch(r"[1-9]\d{0,3}", text):
        raise InputError(variable, f"{text} is no whole number from 1 to 9999", "Say how many.")
    return int(text or usual)


def check_address(address: str) -> None:
    """Looks whether links can begin with an address.

    Raises:
        InputError: It is neither empty nor of the form `https://NAME`.
    """
    try:
        parts = urlsplit(address)
        known = not address or (parts.scheme in ("http", "https") and bool(parts.hostname))
    except ValueError:
        known = False
    if not known:
        where = "the address (FOVEATE_ADDRESS, --address)"
        raise InputError(where, f"{address} is none of a server", "Write it as https://photos.example.org.")


def check_rate(name: str, said: str) -> None:
    """Looks whether a variable says how often something may be done.

    Raises:
        InputError: It is not of the form `TIMES/SECONDS`.
    """
    times, _slash, seconds = said.partition("/")
    try:
        known = int(times) > 0 and 0 < float(seconds) < math.inf
    except ValueError:
        known = False
    if not known:
        raise InputError(name, f"it is {said!r}, not TIMES/SECONDS", "Write it as 120/3600: 120 times an hour.")


def entry_space(said: str) -> Space:
    """Returns how much room `TEAM/CHALLENGE/ALL` in GiB gives, as `FOVEATE_ENTRY_SPACE` says it.

    Raises:
        InputError: It is not of that form.
    """
    try:
        found = [float(part) for part in said.split("/")]
    except ValueError:
        found = []
    if len(found) != 3 or not all(0 < size < _MOST_GIB for size in found):
        problem = f"it is {said!r}, not three numbers of GiB"
        raise InputError("FOVEATE_ENTRY_SPACE", problem, "Write TEAM/CHALLENGE/ALL, such as 20/500/1000.")
    return Space(*(int(size * _GIB) for size in found))


def kept_secret(path: Path) -> str:
    """Returns the secret in a file that only this user reads; it is made where there is none.

    Raises:
        OutputError: It can be neither read nor written.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Two processes may start at once: whoever links first wins, and both read what is there.
            part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
            part.touch(mode=0o600)
            part.write_text(secrets.token_urlsafe(50))
            try:
                path.hardlink_to(part)
            except FileExistsError:
                pass
            finally:
                part.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise OutputError(
            str(path), f"the server's secret cannot be kept ({reason_of(error)})", "Choose another --data folder."
        ) from error
