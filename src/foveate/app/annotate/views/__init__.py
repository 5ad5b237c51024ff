"""Pages of Annotate, thin: what they do is in the services beside them."""
