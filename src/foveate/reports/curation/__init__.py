"""A screening as a folder: its page, tables, and lists for people."""
