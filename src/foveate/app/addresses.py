"""Where people reach the server, for links that are printed where nobody asks by a browser: the one place for it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from foveate.app.config import DEFAULT_PORT, Config, check_address
from foveate.errors import OutputError, reason_of
from foveate.replaced_files import replace_file

# Of the data folder: the address of the server that was started last on it.
FILE = "address"


def link(path: str, address: str | None = None) -> str:
    """Returns the whole link to a page: below an address, else where the server was started last.

    Args:
        path: With its slash before.
        address: Where people reach the server, if somebody has said.

    Raises:
        InputError: The address is none.
    """
    check_address(address or "")
    config: Config = settings.CONFIG
    begin = (address or "").rstrip("/") or _kept(config.folder / FILE) or f"http://127.0.0.1:{DEFAULT_PORT}"
    return f"{begin}{path}"


def started(address: str) -> str:
    """Returns where people reach the server that starts, and keeps that for commands that print links.

    Args:
        address: Of this machine, where it listens; `FOVEATE_ADDRESS` goes before, then the first further name of
            `--hosts` where a proxy speaks HTTPS.

    Raises:
        OutputError: It cannot be kept.
    """
    config: Config = settings.CONFIG
    proxied = next((name for name in config.hosts if name not in Config.hosts and name[0] not in ".*"), None)
    known = config.address or (f"https://{proxied}" if config.https and proxied else address.rstrip("/"))
    file = config.folder / FILE
    try:
        replace_file(file, f"{known}\n".encode())
    except OSError as error:
        remedy = "Choose another --data folder."
        raise OutputError(str(file), f"the address cannot be kept ({reason_of(error)})", remedy) from error
    return known


def _kept(file: Path) -> str | None:
    with suppress(OSError, ValueError):
        text = file.read_text(encoding="utf-8").strip()
        parts = urlsplit(text)
        return text if parts.scheme in ("http", "https") and parts.hostname else None
    return None
