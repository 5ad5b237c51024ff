"""Lending, saving and sending: each act is one transaction, and the same for pages, API and commands."""
