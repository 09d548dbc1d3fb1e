"""One picture a file: what it shows as typed data, the same as a table, and how it is drawn."""
