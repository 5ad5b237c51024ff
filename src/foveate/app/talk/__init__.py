"""Tricky cases, and questions between annotators and organisers."""
