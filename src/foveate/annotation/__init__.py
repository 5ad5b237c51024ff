"""Collecting regions from people: what is asked, what is right, who gets which task; no HTTP and no SQL."""
