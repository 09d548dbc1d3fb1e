"""Our topologies keep the promises that every topology makes."""

from harness.testing.conformance import TopologyConformance
from topologies.bus import Bus
from topologies.single import Single


class TestSingle(TopologyConformance):
    def topology(self) -> Single:
        return Single()


class TestSingleCompacting(TopologyConformance):
    def topology(self) -> Single:
        return Single(compact=True)


class TestBus(TopologyConformance):
    def topology(self) -> Bus:
        return Bus()


class TestBusWithIdleLead(TopologyConformance):
    def topology(self) -> Bus:
        return Bus(workers=5, lead_works=False)
