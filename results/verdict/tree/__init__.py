"""The decision tree of 004 (its section "decision tree"): four questions that are answered from ``single`` and the
suite, what each answer predicts, what the teams then did, and how often the tree and the money agree."""
