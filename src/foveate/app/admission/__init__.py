"""Requirements, qualification by gold questions, trial tasks, and who is admitted."""
