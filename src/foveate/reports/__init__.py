"""Reports: one page that shows where a method fails, in one file."""
