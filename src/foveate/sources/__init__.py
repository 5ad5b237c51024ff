"""Bytes from outside: photos, folders of photos, and pinned files of the package index."""
