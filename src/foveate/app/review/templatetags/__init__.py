"""Filters of the checks."""
