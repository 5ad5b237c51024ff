"""Pages of tricky cases and of threads, thin: what they do is in the modules beside them."""
