"""Scripts that `topology.script` finds by name."""
