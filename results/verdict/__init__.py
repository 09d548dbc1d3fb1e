"""Is a team worth it: prices, net returns, the decision tree of 004, and the sentence that says why."""
