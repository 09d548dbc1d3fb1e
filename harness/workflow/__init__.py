"""Scripts that say which agents are called, in which order, on what (seed document 004, "Workflow")."""
