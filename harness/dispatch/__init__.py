"""Sub-agents as a tool: a lead dispatches an order and waits for its result (seed document 001)."""
