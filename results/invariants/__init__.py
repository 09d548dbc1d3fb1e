"""What must hold of every stored run: small named functions, listed in one table."""
