"""What tells data sets apart: where regions lie, how large and how intricate they are, of what and in which photos."""
