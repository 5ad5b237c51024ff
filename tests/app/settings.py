"""The server's settings for tests: a folder of their own, and quick hashes of passwords."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

_folder = tempfile.mkdtemp(prefix="foveate-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["FOVEATE_DATA"] = _folder
os.environ["FOVEATE_DATABASE_URL"] = os.environ.get("FOVEATE_TEST_DATABASE_URL", "")

from foveate.app.settings import *  # noqa: E402, F403
from foveate.app.settings import DATABASES  # noqa: E402

# Threads of a test share a file as those of the server do; a database in memory locks tables in another way.
DATABASES["default"].setdefault("TEST", {})["NAME"] = (
    f"{_folder}/test.sqlite3" if "sqlite" in DATABASES["default"]["ENGINE"] else None
)

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
