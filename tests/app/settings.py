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

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
