"""The file of an entry, as an attachment that no browser opens."""

from __future__ import annotations

from django.http import FileResponse, Http404

from foveate.app.challenges.models import Entry
from foveate.app.challenges.services import entry_files
from foveate.app.challenges.services.entry_seen import Who


def own_file(entry: Entry, who: Who) -> FileResponse:
    """Returns the file of an entry as it came, for its team and the organisers.

    Raises:
        Http404: It is not for this person, or was removed.
    """
    if who == "other" or not entry.file:
        raise Http404
    try:
        opened = entry_files.path_of(entry.file).open("rb")
    except FileNotFoundError as error:
        raise Http404 from error
    response = FileResponse(
        opened, as_attachment=True, filename=entry.file_name, content_type="application/octet-stream"
    )
    response.headers["Cache-Control"] = "private, no-store"
    return response
