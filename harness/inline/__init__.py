"""Delegation by a tag in the output stream, which the engine intercepts (seed document 000, section 2.2)."""
