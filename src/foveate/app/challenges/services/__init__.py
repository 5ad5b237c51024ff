"""What is done with challenges, teams, entries and jobs, in transactions."""
