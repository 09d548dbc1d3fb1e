from harness.testing.conformance import TopologyConformance
from second_opinion.topology import SecondOpinion


class TestSecondOpinion(TopologyConformance):
    def topology(self):
        return SecondOpinion()
