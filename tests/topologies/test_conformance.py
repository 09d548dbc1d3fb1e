"""Our topologies keep the promises that every topology makes, with each way of handing work out and taking it back."""

from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.testing.conformance import TopologyConformance
from topologies.bus import Bus
from topologies.nested import Nested
from topologies.single import Single
from topologies.sync import Sync


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


class TestBusWithSentences(TopologyConformance):
    def topology(self) -> Bus:
        return Bus(delegation=Delegation(order="sentence"))


class TestBusWithHistory(TopologyConformance):
    def topology(self) -> Bus:
        return Bus(delegation=Delegation(context="history"))


class TestBusWithoutValidation(TopologyConformance):
    def topology(self) -> Bus:
        return Bus(delegation=Delegation(validate=False))


class TestBusWithVagueFeedback(TopologyConformance):
    def topology(self) -> Bus:
        return Bus(delegation=Delegation(feedback="vague"))


class TestBusWithoutOutputGate(TopologyConformance):
    def topology(self) -> Bus:
        return Bus(delegation=Delegation(output_gate=False))


class TestSync(TopologyConformance):
    def topology(self) -> Sync:
        return Sync()


class TestSyncInParallel(TopologyConformance):
    def topology(self) -> Sync:
        return Sync(parallel=True)


class TestSyncWithTheRing(TopologyConformance):
    def topology(self) -> Sync:
        return Sync(delegation=Delegation())


class TestSyncWithSentences(TopologyConformance):
    def topology(self) -> Sync:
        return Sync(delegation=Delegation(order="sentence", validate=False))


class TestSyncWithHistory(TopologyConformance):
    def topology(self) -> Sync:
        return Sync(delegation=Delegation(context="history", validate=False))


class TestSyncWithVagueFeedback(TopologyConformance):
    def topology(self) -> Sync:
        return Sync(delegation=Delegation(feedback="vague"))


class TestSyncWithoutOutputGate(TopologyConformance):
    def topology(self) -> Sync:
        return Sync(delegation=Delegation(output_gate=False))


class TestNested(TopologyConformance):
    def topology(self) -> Nested:
        return Nested()


class TestNestedInThreeLayers(TopologyConformance):
    limits = Limits(max_depth=2)
    failing_calls = 15  # 3 of the lead, 2 of each middle agent, 2 of each bottom agent: every one of them

    def topology(self) -> Nested:
        return Nested(fan_out=[2, 2])


class TestNestedWithoutALimitOfDepth(TopologyConformance):
    limits = Limits(max_depth=None)

    def topology(self) -> Nested:
        return Nested()


class TestNestedOneByOne(TopologyConformance):
    limits = Limits(max_depth=2)

    def topology(self) -> Nested:
        return Nested(parallel=False, lead_reads=False)


class TestNestedWithCards(TopologyConformance):
    limits = Limits(max_depth=2)

    def topology(self) -> Nested:
        return Nested(delegation=Delegation())


class TestNestedWithSentences(TopologyConformance):
    limits = Limits(max_depth=2)

    def topology(self) -> Nested:
        return Nested(delegation=Delegation(order="sentence", context="history", validate=False))
