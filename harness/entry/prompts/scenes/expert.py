"""Scenes of ``expert``: from the plan to the answer."""

from __future__ import annotations

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.bus import send
from harness.entry.prompts.scenes.expert_reviews import PASS, REVIEWS, REVISE, SHORT, plan, step
from harness.entry.prompts.scenes.material import FAULTY, FINAL, UNKNOWN_CHECK, WRONG, entries, order, read
from harness.models.protocol import TransportError

DEAD = Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False))


TWO = Call("submit_plan", {"steps": [step(n, 0, n, risk="LOW", **SHORT) for n in ("alice", "bob")]})

SCENES = (
    Scene(
        "A plan, its steps and their combination",
        "Steps that depend on nothing are done at the same time. An evaluator reads a product and its order, and "
        "nothing of how it was made.",
        {
            "planner": [
                plan(
                    step("inspector", 0, "alice"),
                    step("wall", 1, "bob", risk="LOW"),
                    step("price", 2, "carol", "inspector"),
                ),
                FINAL,
            ],
            "alice": [
                calls(Call("send_message", {"to": "bob", "type": "progress", "content": "I name sections as §5."})),
                calls(read(0, "5")),
                Say(entries(0)),
            ],
            "bob": [calls(read(1, "8")), Say(entries(1))],
            "carol": [Say(entries(2))],
            "evaluator": [calls(read(0, "5")), PASS],
            "evaluator_2": [PASS],
        },
        ["planner", "alice", "bob", "carol", "evaluator"],
    ),
    Scene(
        "Plans that are refused",
        "All that is wrong with a plan is said at once. Words instead of a plan are answered too.",
        {
            "planner": [
                Say("I would rather talk about it."),
                plan(),
                plan(
                    step("a", 0, "alice", "b", **SHORT),
                    step("b", 1, "bob", "a", "x", **SHORT),
                    step("b", 2, "bob", **SHORT),
                    step(" ", 2, "bob", **SHORT),
                    {**step("c", 0, "carol"), "order": FAULTY},
                ),
                plan(step("a", 0, "zoe", **SHORT)),
                plan({**step("a", 0, "alice"), "order": UNKNOWN_CHECK}),
                calls(Call("submit_plan", '{"steps": [{'), Call("submit_plan", {"steps": [{"id": "a"}]})),
                calls(*[TWO] * 2),
                FINAL,
            ],
            "alice": [Say(entries(0))],
            "bob": [Say(entries(1))],
        },
        ["planner"],
        {"max_plan_steps": 4, "planner_steps": 7},
    ),
    Scene(
        "Messages that are refused",
        "Experts who work at the same time may tell, ask and answer each other; they give each other no orders.",
        {
            "planner": [plan(step("inspector", 0, "alice", risk="LOW"), step("price", 2, "carol", **SHORT)), FINAL],
            "alice": [
                calls(
                    send("carol", "clarify", "Do you cite the file's name in full?"),
                    send("bob", "progress", "Hello?"),
                    send("planner", "progress", "I have started."),
                    send("carol", "revision", "Cite the file's name in full."),
                ),
                calls(read(0, "5"), seconds=4.0),
                Say(entries(0)),
            ],
            "carol": [
                calls(read(2, "5"), seconds=2.0),
                calls(send("alice", "clarify_resp", "Yes.", inReplyTo="{last clarify}")),
                Say(entries(2)),
            ],
            "evaluator": [PASS],
        },
        ["alice", "carol"],
    ),
    *REVIEWS,
    Scene(
        "A last step that depends on all others",
        "Its result is the answer, and the planner is not asked again.",
        {
            "planner": [
                plan(
                    step("inspector", 0, "alice", **SHORT),
                    step("price", 2, "carol", **SHORT),
                    step("list", 1, "bob", "inspector", "price", objective="Answer the second, list all."),
                ),
            ],
            "alice": [Say(entries(0))],
            "carol": [Say(entries(2))],
            "evaluator": [PASS],
            "evaluator_2": [PASS],
            "bob": [calls(read(1, "8")), FINAL],
            "evaluator_3": [PASS],
        },
        ["bob"],
        {"messages": False},
    ),
    Scene(
        "Files in conflict",
        "Steps that do not know of each other have written one file differently.",
        {
            "planner": [
                plan(
                    *(
                        step(id, 0, who, risk="LOW", output_schema=None, acceptance_criteria=[])
                        for id, who in (("a", "alice"), ("b", "bob"))
                    )
                ),
                FINAL,
            ],
            "alice": [Say("notes.txt\n```\nHelen\n```")],
            "bob": [Say("notes.txt\n```\nMaria\n```")],
        },
        ["planner"],
    ),
    Scene(
        "No plan, and one generalist",
        "With `on_planner_failure: SINGLE_STEP_FALLBACK`.",
        {"planner": [DEAD], "generalist": [FINAL], "evaluator": [PASS]},
        ["generalist", "evaluator"],
        {"on_planner_failure": "SINGLE_STEP_FALLBACK"},
        prompts=True,
    ),
    Scene(
        "Explorers",
        "With `explorers: on`.",
        {
            "planner": [plan(step("inspector", 0, "dave"))],
            "dave": [
                calls(Call("dispatch_sub_agent", {"type": "explore", "order": order(0)})),
                Say(entries(0)),
            ],
            "dave_explore_1": [calls(read(0, "5")), Say(entries(0))],
            "evaluator": [PASS],
        },
        ["dave", "dave_explore_1"],
        {"explorers": True, "generators": 4},
    ),
    Scene(
        "Experts of your own",
        "Each reads its own brief, and the planner only its field.",
        {
            "planner": [plan(step("inspector", 0, "surveyor", **SHORT), step("price", 2, "buyer", **SHORT)), FINAL],
            "surveyor": [Say(entries(0))],
            "buyer": [Say(entries(2))],
            "evaluator": [PASS],
            "evaluator_2": [PASS],
        },
        ["surveyor"],
        {
            "experts": [
                {"name": "surveyor", "does": "inspections", "brief": "A report is signed by its inspector."},
                {"name": "buyer", "does": "contracts", "tags": ["read"]},
            ],
            "messages": False,
        },
        prompts=True,
    ),
    Scene(
        "An expert that is a topology",
        "It reads what any expert does. A revision is made anew, by new agents who read what was wrong first. What its "
        "agents read of each other stands in debate.md.",
        {
            "planner": [plan(step("inspector", 0, "panel"))],
            **{f"panel/debater_{n}": [Say(WRONG)] for n in (1, 2)},
            "evaluator": [REVISE],
            **{f"panel/try_2/debater_{n}": [Say(entries(0))] for n in (1, 2)},
            "evaluator_2": [PASS],
        },
        ["panel/try_2/debater_1"],
        {
            "experts": [
                {
                    "name": "panel",
                    "does": "inspections",
                    "inside": {"_target_": "topologies.debate.Debate", "debaters": 2},
                }
            ]
        },
    ),
)
