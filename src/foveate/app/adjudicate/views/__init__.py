"""Pages of adjudication, thin: what they do is in the services beside them."""
