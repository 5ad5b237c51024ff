"""Pages of admissions, thin: what they do is in the services beside them."""
