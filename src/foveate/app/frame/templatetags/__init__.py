"""Template filters of every page."""
