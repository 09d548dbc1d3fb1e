"""Our topologies keep the promises that every topology makes, with each way of handing work out and taking it back."""

from support.experts import toy_team

from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.models.protocol import Model
from harness.testing.conformance import TopologyConformance
from topologies.bus import Bus
from topologies.debate import Debate
from topologies.escalate import Escalate
from topologies.expert import ExpertTeam
from topologies.inline import Inline
from topologies.moa import Moa
from topologies.nested import Nested
from topologies.resample import Resample
from topologies.single import Single
from topologies.sync import Sync
from topologies.taskboard import Taskboard
from topologies.vote import Vote


class TestExpertOnTheSimulatedModel(TopologyConformance):
    failing_calls = 9  # a planner, two experts and what they read, two evaluators, the planner again

    def topology(self) -> ExpertTeam:
        return ExpertTeam(generators=2)


class TestExpertWithExplorers(TopologyConformance):
    failing_calls = 4

    def topology(self) -> ExpertTeam:
        return ExpertTeam(generators=2, explorers=True, messages=False, evaluator="simple")


class TestSingle(TopologyConformance):
    def topology(self) -> Single:
        return Single()


class TestSingleCompacting(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Single:
        return Single(compact=True)


class TestSingleReviewing(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Single:
        return Single(reviews=1)


class TestSingleStrong(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Single:
        return Single(strong=True)


class TestResample(TopologyConformance):
    def topology(self) -> Resample:
        return Resample()


class TestResampleByJudge(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Resample:
        return Resample(choose="judge")


class TestResampleByReadingJudge(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Resample:
        return Resample(choose="judge", judge_reads=True)


class TestResampleByVisibleTests(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Resample:
        return Resample(choose="visible")


class TestResampleOfReviewedStrongAttempts(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Resample:
        return Resample(choose="judge", attempt=Single(strong=True, reviews=1))


class TestEscalate(TopologyConformance):
    def topology(self) -> Escalate:
        return Escalate()


class TestBus(TopologyConformance):
    def topology(self) -> Bus:
        return Bus()


class TestBusWithIdleLead(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Bus:
        return Bus(workers=5, lead_works=False)


class TestBusWithSentences(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Bus:
        return Bus(delegation=Delegation(order="sentence"))


class TestBusWithHistory(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Bus:
        return Bus(delegation=Delegation(context="history"))


class TestBusWithoutValidation(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Bus:
        return Bus(delegation=Delegation(validate=False))


class TestBusWithVagueFeedback(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Bus:
        return Bus(delegation=Delegation(feedback="vague"))


class TestBusWithoutOutputGate(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Bus:
        return Bus(delegation=Delegation(output_gate=False))


class TestSync(TopologyConformance):
    def topology(self) -> Sync:
        return Sync()


class TestSyncInParallel(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Sync:
        return Sync(parallel=True)


class TestSyncWithTheRing(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Sync:
        return Sync(delegation=Delegation())


class TestSyncWithSentences(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Sync:
        return Sync(delegation=Delegation(order="sentence", validate=False))


class TestSyncWithHistory(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Sync:
        return Sync(delegation=Delegation(context="history", validate=False))


class TestSyncWithoutOutputGate(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Sync:
        return Sync(delegation=Delegation(output_gate=False))


class TestVote(TopologyConformance):
    def topology(self) -> Vote:
        return Vote()


class TestVoteThatNeedsAll(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Vote:
        return Vote(voters=4, quorum=4)


class TestMoa(TopologyConformance):
    def topology(self) -> Moa:
        return Moa()


class TestMoaInLayers(TopologyConformance):
    failing_calls = 12

    def topology(self) -> Moa:
        return Moa(layers=2)


class TestMoaOnOtherModels(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Moa:
        return Moa(proposers=2, models=["strong", "strong"], aggregator="strong", quorum=1)


class TestDebate(TopologyConformance):
    def topology(self) -> Debate:
        return Debate()


class TestDebateToTheEnd(TopologyConformance):
    failing_calls = 12

    def topology(self) -> Debate:
        return Debate(rounds=3, stop_on_agreement=False)


class TestInline(TopologyConformance):
    def topology(self) -> Inline:
        return Inline()


class TestInlineWithOneDelegation(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Inline:
        return Inline(max_delegations=1)


class TestTaskboard(TopologyConformance):
    def topology(self) -> Taskboard:
        return Taskboard()


class TestTaskboardOfOne(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Taskboard:
        return Taskboard(members=1)


class TestTaskboardWithWorkingCoordinator(TopologyConformance):
    failing_calls = 4

    def topology(self) -> Taskboard:
        return Taskboard(coordinator_works=True)


class TestNested(TopologyConformance):
    def topology(self) -> Nested:
        return Nested()


class TestNestedInThreeLayers(TopologyConformance):
    limits = Limits(max_depth=2)
    failing_calls = 15  # 3 of the lead, 2 of each middle agent, 2 of each bottom agent: every one of them

    def topology(self) -> Nested:
        return Nested(fan_out=[2, 2])


class TestNestedWithoutALimitOfDepth(TopologyConformance):
    failing_calls = 4

    limits = Limits(max_depth=None)

    def topology(self) -> Nested:
        return Nested()


class TestNestedOneByOne(TopologyConformance):
    failing_calls = 4

    limits = Limits(max_depth=2)

    def topology(self) -> Nested:
        return Nested(parallel=False, lead_reads=False)


class TestNestedWithCards(TopologyConformance):
    failing_calls = 4

    limits = Limits(max_depth=2)

    def topology(self) -> Nested:
        return Nested(delegation=Delegation())


class TestNestedWithSentences(TopologyConformance):
    failing_calls = 4

    limits = Limits(max_depth=2)

    def topology(self) -> Nested:
        return Nested(delegation=Delegation(order="sentence", context="history", validate=False))


class TestExpert(TopologyConformance):
    """With a hand-made model: what is proved here is the engine's, and not that the simulated model can plan."""

    failing_calls = 10  # planner; two readers twice; two evaluators; merging; and two more

    def topology(self) -> ExpertTeam:
        return ExpertTeam()

    def model(self) -> Model:
        return toy_team()


class TestExpertWithoutMessages(TestExpert):
    failing_calls = 4

    def topology(self) -> ExpertTeam:
        return ExpertTeam(messages=False, explorers=True, evaluator="simple")


class TestExpertThatFallsBack(TestExpert):
    failing_calls = 6

    def topology(self) -> ExpertTeam:
        return ExpertTeam(on_planner_failure="SINGLE_STEP_FALLBACK")
