"""The frame of every page: base template, styles, forms, home, health, errors."""
