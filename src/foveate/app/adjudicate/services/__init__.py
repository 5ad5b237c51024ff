"""Comparing, listing and deciding: the same for pages, API and commands."""
