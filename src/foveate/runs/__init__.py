"""Runs on disk: predictions with their provenance, appended, resumed, read, and imported from official forms."""
