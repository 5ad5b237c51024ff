"""Pages of screenings, thin: what they do is in the modules beside them."""
