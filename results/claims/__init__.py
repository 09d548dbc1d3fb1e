"""The claims of the source documents beside what stored rows say of them (docs/claims.md)."""
