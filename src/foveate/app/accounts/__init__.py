"""People: accounts, roles, invitations, tokens, and the log of what was done."""
