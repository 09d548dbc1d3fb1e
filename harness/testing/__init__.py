"""For tests of topologies, ours and users': a conformance suite to subclass, and a tiny task suite to run it on."""
