"""Asking about photos: the page, the API, and what people keep of it."""
