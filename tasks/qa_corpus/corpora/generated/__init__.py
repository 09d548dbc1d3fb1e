"""A seeded generator of messy industry documents, English and Chinese."""
