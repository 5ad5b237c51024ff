"""The web layer, the only place that knows HTTP and SQL; the logic is in the packages below (`design/web.md`)."""
