"""Our own word problems, drawn from templates."""
