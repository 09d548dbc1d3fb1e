"""A report of stored runs: one HTML file without any network, Markdown, and PNG plots (docs/report.md)."""
