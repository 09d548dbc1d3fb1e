"""Code that questions are asked about: where it comes from, and what stands in it."""
