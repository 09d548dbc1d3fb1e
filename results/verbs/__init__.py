"""What `python -m results` can do: one verb a file."""
