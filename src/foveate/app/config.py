"""What the server is told from outside, once, by the environment; `foveate serve` sets it from its options."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from foveate.errors import OutputError, reason_of

DEFAULT_PORT = 8321


@dataclass(frozen=True)
class Config:
    """The server's settings.

    Attributes:
        folder: Where all that the server keeps lies: the embedded database, views of photos, uploads, the secret.
        database_url: A URL as of `dj-database-url`; empty for the embedded SQLite in `folder`.
        hosts: The names under which the server may be asked.
        https: Whether it is reached through HTTPS, so that cookies are sent through nothing else.
        debug: Tracebacks in the browser; never where others can reach it.
    """

    folder: Path
    database_url: str = ""
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    https: bool = False
    debug: bool = False

    @classmethod
    def from_environment(cls) -> Config:
        """Returns the settings of this process: `FOVEATE_DATA`, `FOVEATE_DATABASE_URL`, `FOVEATE_HOSTS` and so on."""
        chosen = os.environ.get("FOVEATE_DATA", "").strip()
        folder = Path(chosen).expanduser().absolute() if chosen else user_data_path("foveate", appauthor=False)
        hosts = tuple(name.strip() for name in os.environ.get("FOVEATE_HOSTS", "").split(",") if name.strip())
        return cls(
            folder=folder,
            database_url=os.environ.get("FOVEATE_DATABASE_URL", "").strip(),
            hosts=hosts or cls.hosts,
            https=os.environ.get("FOVEATE_HTTPS", "") == "1",
            debug=os.environ.get("FOVEATE_DEBUG", "") == "1",
        )

    @property
    def url(self) -> str:
        """The URL of the database, the embedded one's where none was given."""
        return self.database_url or f"sqlite:///{self.folder / 'foveate.sqlite3'}"

    def secret(self) -> str:
        """Returns the key that sessions are signed with; it is made at the first start and kept in `folder`.

        Raises:
            OutputError: It can be neither read nor written.
        """
        path = self.folder / "secret.key"
        try:
            if not path.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
                # Two processes may start at once: whoever links first wins, and both read what is there.
                part = path.with_name(f".secret.{secrets.token_hex(8)}")
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
