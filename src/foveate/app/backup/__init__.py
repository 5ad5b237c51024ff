"""All of the server's state in one file, and back: while it runs, and from one database engine to the other.

The file is a ZIP: `rows.jsonl` (a line names a table and its columns, those after it are its rows), `media/…`, and
`manifest.json`, which says the migrations that it fits, how many rows each table has, and the hash of each member.
Sessions and the server's secret are not in it: whoever was signed in signs in again.
"""

from __future__ import annotations

from collections.abc import Callable

ROWS, MANIFEST, MEDIA = "rows.jsonl", "manifest.json", "media/"
FORMAT = 1
# By a folder of `media/`, what gives the names of its files that rows have; others in it are no part of the state. Apps
# put theirs in when Django starts.
NAMED: dict[str, Callable[[], set[str]]] = {}
