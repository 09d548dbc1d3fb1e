"""Who scores an answer: the suite's own rule, or a model that judges by a rubric."""
