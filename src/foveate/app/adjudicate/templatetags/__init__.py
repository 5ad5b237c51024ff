"""Filters of the pages of adjudication."""
