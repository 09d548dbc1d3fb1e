"""Scenes of ``bus``."""

from __future__ import annotations

from typing import Any

from harness.bus.protocol import INBOX_CAP
from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FAULTY, FINAL, UNKNOWN_CHECK, WRONG, entries, order, read
from harness.models.protocol import TransportError


def send(to: str, type: str, content: str = "", **more: Any) -> Call:
    said = {"content": content} if content else {}
    return Call("send_message", {"to": to, "type": type, **said, **more})


def task(to: str, number: int = 0, **changes: Any) -> Call:
    return send(to, "task", order=order(number, **changes))


SCENES = (
    Scene(
        "An order, a question back, a report of progress, a result",
        "What came in stands in the next turn, one block a message. A member's last words are sent as its result. "
        "A lead that can only wait gets its turn with the last awaited result, a question, or a result in brackets.",
        {
            "lead": [
                calls(task("alice"), text="Alice takes the first report."),
                calls(
                    send(
                        "alice",
                        "clarify_resp",
                        "Yes, both.",
                        context="The list wants full names.",
                        inReplyTo="{last clarify}",
                    )
                ),
                FINAL,
            ],
            "alice": [
                calls(send("lead", "clarify", "First name and surname?", inReplyTo="{last task}")),
                calls(send("lead", "progress", "I have started."), read(0, "5")),
                Say(entries(0)),
            ],
        },
        ["lead", "alice"],
    ),
    Scene(
        "A revision",
        "The member goes on with the same order; the validation ring looks at what comes back.",
        {
            "lead": [
                calls(task("alice")),
                calls(send("alice", "revision", "Check the section.", inReplyTo="{last result}")),
                FINAL,
            ],
            "alice": [Say(entries(0)), Say(entries(0))],
        },
        ["lead", "alice"],
    ),
    Scene(
        "A shutdown",
        "A member that has nothing else in its inbox leaves without reading it.",
        {
            "lead": [
                calls(task("alice"), read(2, "5")),
                calls(send("alice", "clarify_resp", "By the way: no titles."), send("alice", "shutdown", "Enough.")),
                Say(entries(0, 1, 2), seconds=9.0),
            ],
            "alice": [calls(read(0, "5"), seconds=5.0), calls(read(0, "4"))],
        },
        ["alice"],
    ),
    Scene(
        "Messages and orders that are refused",
        "Nothing is sent. All that is wrong with an order is said at once.",
        {
            "lead": [
                calls(
                    send("zoe", "clarify_resp", "Hello?"),
                    send("alice", "result", "[]"),
                    send("alice", "task", "Find the inspector of 2020."),
                    send("alice", "revision"),
                    send("alice", "task", order=FAULTY),
                    send("alice", "task", order=UNKNOWN_CHECK),
                    Call("send_message", {"to": "alice"}),
                    Call("send_message", '{"to": "alice'),
                ),
                FINAL,
            ]
        },
        ["lead"],
        {"delegation": {"card_tokens": 10}},
    ),
    Scene(
        "A member's messages that are refused",
        "Handing work on is refused by depth, where the order does not forbid it.",
        {
            "lead": [calls(task("alice", forbidden_actions=[])), FINAL],
            "alice": [
                calls(
                    send("bob", "task", "Find the inspector of 2020."),
                    send("lead", "revision", "Check the section."),
                    send("alice", "progress", "I talk to myself."),
                ),
                Say(entries(0)),
            ],
        },
        ["alice"],
    ),
    Scene(
        "A result that is returned, and one that needs a person",
        "Alice's last words are returned to her as a message, Bob's `result` as the answer to his tool call.",
        {
            "lead": [calls(task("alice", max_retries=1), task("bob")), FINAL],
            "alice": [Say(f"Here it is: {WRONG}"), Say(WRONG)],
            "bob": [
                calls(send("lead", "result", WRONG)),
                calls(send("lead", "result", entries(0))),
            ],
        },
        ["alice", "bob", "lead"],
    ),
    Scene(
        "A member that is blocked",
        "It says so in the form that its order asks for.",
        {
            "lead": [calls(task("alice")), FINAL],
            "alice": [Say("BLOCKED: the document names two inspectors and does not say who was in charge.")],
        },
        ["lead"],
    ),
    Scene(
        "Members that end without a result",
        "The engine sends an error in their place and the lead is woken: a member that cannot be loaded, one whose "
        "provider fails, one that does what its order forbids, one that takes too long, one without steps left, one "
        "that falls silent.",
        {
            "lead": [
                calls(*(task(n) for n in ("alice", "bob", "carol", "dave", "erin", "frank"))),
                *[Say("On.")] * 4,
                FINAL,
            ],
            "bob": [
                Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False)),
            ],
            "carol": [calls(send("dave", "task", "Find the inspector of 2020."), seconds=3.0)],
            "dave": [Say(entries(0), seconds=99.0)],
            "erin": [calls(read(0, "5"), seconds=5.0), calls(read(0, "4"))],
            "frank": [calls(send("lead", "progress", "I wait."), seconds=2.0)],
        },
        ["lead"],
        {
            "roster": [
                {"name": "alice", "active": False},
                *({"name": n} for n in ("bob", "carol", "dave", "erin", "frank")),
            ],
            "worker_steps": 2,
        },
    ),
    Scene(
        "A full inbox",
        f"A mailbox holds {INBOX_CAP} messages. Here alice's messages to bob push the lead's order out of it while the "
        "lead waits for nothing else.",
        {
            "lead": [
                calls(send("alice", "clarify_resp", "Talk to bob."), read(2, "5")),
                calls(task("bob"), seconds=2.0),
                FINAL,
            ],
            "alice": [
                calls(send("bob", "clarify", "Hello?"), read(0, "5")),
                calls(*(send("bob", "progress", f"Note {n}.") for n in range(INBOX_CAP)), seconds=2.0),
            ],
            "bob": [calls(read(0, "5"), seconds=10.0)],
        },
        ["lead"],
    ),
    Scene(
        "With vague feedback",
        "An ablation: the member is not told what is wrong.",
        {"lead": [calls(task("alice")), FINAL], "alice": [Say(WRONG), Say(entries(0))]},
        ["alice"],
        {"delegation": {"feedback": "vague"}},
    ),
    Scene(
        "With orders in one sentence",
        "An ablation.",
        {
            "lead": [
                calls(send("alice", "task", "Find the inspector of 2020."), send("bob", "task", " ")),
                FINAL,
            ],
            "alice": [Say("Helen Baptiste, 00-0000-inspection.txt §5")],
        },
        ["lead", "alice"],
        {"delegation": {"order": "sentence"}},
        tools=True,
    ),
    Scene(
        "With the whole conversation instead of a context card",
        "An ablation.",
        {"lead": [calls(task("alice", context_card=None)), FINAL], "alice": [Say(entries(0))]},
        ["alice"],
        {"delegation": {"context": "history"}},
    ),
    Scene(
        "Without messages between members",
        "An ablation: a member may write to its lead only.",
        {
            "lead": [calls(task("alice")), FINAL],
            "alice": [calls(send("bob", "progress", "I give full names.")), Say(entries(0))],
        },
        ["alice"],
        {"messages": False},
        tools=True,
        prompts=True,
    ),
    Scene(
        "With a member that is a topology",
        "Its agents read what the member has been sent, and its answer is the result. A result that is returned is "
        "made anew, by new agents who read what was wrong first. What they read of each other stands in debate.md.",
        {
            "lead": [calls(task("alice")), FINAL],
            "alice/debater_1": [Say(WRONG)],
            "alice/debater_2": [Say(WRONG)],
            "alice/time_2/debater_1": [Say(entries(0))],
            "alice/time_2/debater_2": [Say(entries(0))],
        },
        ["lead", "alice/time_2/debater_1"],
        {"inside": {"alice": {"_target_": "topologies.debate.Debate", "debaters": 2}}},
    ),
)
