"""What one may set of an expert team."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.delegation.rules import MOST_RETRIES
from harness.errors import ConfigError, above_zero, unknown
from harness.expert.member import Expert, check_experts, team_of
from harness.models.protocol import Model
from harness.models.roles import STRONG, require
from harness.suite import Sample
from harness.topology import refuse_ablation

FAIL_FAST, SINGLE_STEP_FALLBACK = "FAIL_FAST", "SINGLE_STEP_FALLBACK"
ON_PLAN_FAILURE = (FAIL_FAST, SINGLE_STEP_FALLBACK)
EVALUATORS = ("simple", "agent")


@dataclass(frozen=True)
class Settings:
    """``experts``: the members of the team; empty: one for each specialty of the sample's brief, else ``generators``
    generalists. ``max_plan_steps``: steps of one plan. ``planner_steps``: model calls until a plan is accepted;
    ``on_planner_failure``: what happens without one. ``max_replans``: new plans after the first.
    ``generator_steps``, ``step_timeout_s``: model calls and seconds of an expert for one product.
    ``messages``: experts at work at the same time may write to each other. ``explorers``: experts may send out
    sub-agents of the type explore, at most ``max_explorers`` each, of ``explorer_steps`` model calls, each waited for
    ``explorer_timeout_s``: less than ``step_timeout_s``, so that its expert is told when one does not come back.
    ``evaluator``: who reviews steps of MEDIUM risk: ``simple`` (rules, without tokens) or an ``agent``;
    ``evaluator_low``: who reviews those of LOW risk. Those of HIGH risk always have an agent. ``evaluator_steps``,
    ``review_timeout_s``: model calls and seconds of one judgement, or ruling. ``auto_pass``: a product of LOW risk
    passes with a warning if its evaluator fails. ``max_feedback_rounds``: revisions of a step, unless its order says
    fewer. ``stronger``: name in ``model.roles`` of the model for the first tier of escalation; None, and ``strong``
    where the model has none beside it: the tier is skipped. ``architect``: whether there is a second tier.
    ``plan_only``: stop when the plan is ready, and store it in the folder ``plans``; ``confirm``: execute the plan that
    is stored there. ``ablate``: the expert whose brief is replaced by neutral text."""

    experts: list[Expert] = field(default_factory=list)
    generators: int = 3
    max_plan_steps: int = 8
    planner_steps: int = 6
    on_planner_failure: str = FAIL_FAST
    max_replans: int = 1
    generator_steps: int = 12
    step_timeout_s: float = 600.0
    messages: bool = True
    explorers: bool = False
    max_explorers: int = 3
    explorer_steps: int = 8
    explorer_timeout_s: float = 120.0
    evaluator: str = "agent"
    evaluator_low: str = "simple"
    evaluator_steps: int = 8
    review_timeout_s: float = 300.0
    auto_pass: bool = False
    max_feedback_rounds: int = 2
    stronger: str | None = STRONG
    architect: bool = True
    plan_only: bool = False
    confirm: bool = False
    plans: str = "plans"
    ablate: str | None = None

    def __post_init__(self) -> None:
        check_experts(self.experts, self.generators)
        if self.on_planner_failure not in ON_PLAN_FAILURE:
            raise ConfigError(unknown("topology.on_planner_failure", self.on_planner_failure, ON_PLAN_FAILURE))
        for name in ("evaluator", "evaluator_low"):
            if getattr(self, name) not in EVALUATORS:
                raise ConfigError(unknown(f"topology.{name}", getattr(self, name), EVALUATORS))
        above_zero(
            self, "topology", "max_plan_steps", "planner_steps", "generator_steps", "step_timeout_s", "max_explorers",
            "explorer_steps", "explorer_timeout_s", "evaluator_steps", "review_timeout_s",
        )  # fmt: skip
        for name, most in (("max_feedback_rounds", MOST_RETRIES), ("max_replans", MOST_RETRIES)):
            if not 0 <= getattr(self, name) <= most:
                raise ConfigError(f"topology.{name}={getattr(self, name)}: must lie between 0 and {most}.")
        if self.plan_only and self.confirm:
            raise ConfigError("topology.plan_only and topology.confirm exclude each other: a stored plan is ready.")
        if not self.plans.strip():
            raise ConfigError("topology.plans is empty: name the folder of the stored plans.")
        if self.experts:
            refuse_ablation(self.ablate, [e.name for e in self.experts if e.brief or e.specialties])

    def team(self, sample: Sample) -> dict[str, Expert]:
        """The experts for one sample, by name."""
        return team_of(self.experts, self.generators, sample)

    def tier_model(self, model: Model) -> str | None:
        """The name of the stronger model; None: there is no such tier."""
        return None if self.stronger == STRONG and STRONG not in model.roles else self.stronger

    def check_models(self, model: Model, sample: Sample) -> None:
        """Raise ConfigError for a model that is not there, and for specialties that the sample's brief lacks."""
        stronger = self.tier_model(model)
        require(model, [stronger] if stronger is not None else [], "topology.stronger")
        team = self.team(sample).values()
        require(model, [e.model for e in team if e.model is not None], "topology.experts")
        for expert in team:
            sample.briefed(expert.specialties)
        refuse_ablation(self.ablate, [e.name for e in team if e.brief or e.specialties])
