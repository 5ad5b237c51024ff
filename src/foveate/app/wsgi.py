"""The WSGI application, for `foveate serve` and for any other WSGI server."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "foveate.app.settings")
application = get_wsgi_application()
