"""The pages of docs/prompts are what the code makes of them now, and show every text that the engine writes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from harness.bus.protocol import MESSAGE_TYPES
from harness.entry.prompts.__main__ import main, write
from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes import SCENES
from harness.entry.prompts.studio import Studio
from harness.errors import ScriptError
from harness.models.scripted import load_script

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "prompts"
_STEP = re.compile(r"says\*\*\n\n```yaml\n(.*?)\n```", re.S)

TOOL_ERRORS = ("There is no tool '", "are not a JSON object", "Call it again.")
RING = ("try 2 of 2]\nNot accepted:\n- ", "The result is not right.", "needs_person", "not accepted after 2 tries")
ORDERS = (
    "Output schema: ", "Acceptance criteria:\n- ", 'answer only "BLOCKED: "', "Order refused. ", "the most is 10",
    "cannot be read: ", "is no JSON schema", "0 to 2 are allowed", "It is empty", "[conversation so far]\n",
    "Refused: you work at depth 1", "forbidden action: delegate", "max_steps: not done after", "server_error: ",
)  # fmt: skip
TEXTS = {
    "single": (
        *TOOL_ERRORS, "error: unknown document", "error: sections '9' cannot be read", "Left out: this result has ",
        "Your context window is nearly full.", "These are your notes so far.",
        "Check your answer against the material, entry by entry,",
    ),
    "strong": ("Check your answer against the material, entry by entry,",),
    "resample": (
        "attempts at this task follow. Compare them entry by entry. You cannot look at the material.",
        "Where they differ, check them against the material.", "\n\n[attempt 1]\n", "\n\n[attempt 3]\n",
        "Answer with the number of the best attempt and nothing else: a whole number from 1 to 3.",
        "That is not the number of an attempt. Answer with one whole number from 1 to 2 and nothing else.",
        "Check your answer against the material, entry by entry,",
    ),
    "escalate": ("Check your answer against the material, entry by entry,",),
    "sync": (
        *ORDERS, *RING, "are not a JSON object", "[SUCCESS] subtask_1 by research_1\n", "[PARTIAL_SUCCESS] ",
        "Finished steps:\n1. ", "[FAILED] subtask_1 by research_1: blocked\nBLOCKED: ",
        "worker_timeout_s: not done after 5 s",
        "REFUSED: the only dispatch is used.", "rejected: 1 sub-agents run",
        "// panel: a team of its own (moa): does a whole part", "[SUCCESS] subtask_1 by panel_1\n", "Proposal 2:\n[",
        *(f"You are a sub-agent of the type {t}." for t in ("research", "explore", "plan", "coder", "reviewer")),
    ),
    "inline": (
        "[SUCCESS] subtask_1 by worker_1\n", "\n\n[SUCCESS] subtask_2 by worker_2\n", "at most 8 in all",
        "Not taken: tag 1 is closed and not opened; tag 2 is opened and not closed; tag 4 is empty; "
        "tag 5 is more than its bare name; tag 6 is around another tag. ",
        "Not taken: tag 1 is opened and not closed. ",
        "REFUSED: the only delegation is used.", "Refused: you work at depth 1",
        "[FAILED] subtask_1 by worker_1: blocked\nBLOCKED: ", "worker_1: max_steps: not done after 1 steps",
        "worker_1: worker_timeout_s: not done after 5 s", "worker_1: server_error: ", "You are a sub-agent.",
    ),
    "taskboard": (
        "[board] task subtask_1 from coordinator:\n", "posted subtask_2", "[DONE] subtask_1 by alice\n",
        "\n\n[DONE] subtask_3 by bob\n", "Order refused. It is empty", *TOOL_ERRORS[1:],
        "Refused: you work at depth 1", "REFUSED: the only task is used.",
        "[FAILED] subtask_1 by alice: server_error: ",
        "[FAILED] subtask_2 by nobody: no member is left to take it", "alice: max_steps: not done after 1 steps",
        "alice: member_timeout_s: not done after 5 s",
    ),
    "nested": (
        *ORDERS, *RING, "are not a JSON object", "Read all documents before you divide it", "You are given the whole",
        "Divide it into 3 parts", "Divide your order into 2 parts", "You are a sub-agent of the type bottom",
        "Refused: you work at depth 2", "default: none", "[SUCCESS] subtask_1 by middle_1\n",
        "[SUCCESS] subtask_2 by bottom_1_1\n", "[SUCCESS] subtask_3 by bottom_1_1_1\n", "[PARTIAL_SUCCESS] ",
        "Finished steps:\n1. ", "[FAILED] subtask_1 by middle_1: blocked\nBLOCKED: ",
        "worker_timeout_s: not done after 5 s",
    ),
    "bus": (
        *ORDERS, *RING, "are not a JSON object", "\nsent msg_", "[order subtask_2, try 2 of 3]",
        *(f"[inbox] {type} msg_" for type in MESSAGE_TYPES),
        ", in reply to msg_", "\n[context] ", "[needs_person] subtask_1: ", "[blocked] subtask_1\nBLOCKED: ",
        "[error] alice cannot be loaded: it is not active", "round_timeout_s: no answer in 30 s", "idle_timeout_s: ",
        "there is no agent 'zoe'", "you may not send 'result' to alice", "needs an order", "needs content",
        "A full inbox lost what you were waiting for.",
        "other members: none.\nUse send_message only to ask (`clarify`) or to", "You may send to: lead.",
        "[order subtask_1, try 2 of 3]\nNot accepted:\n- entry 1",
    ),
    "moa": (
        "Several agents have done this task. Their proposals follow it.", "You have no tools: work from the proposals",
        "Use your tools only to check what they disagree about.", "Proposal 1:\n[", "\n\nProposal 2:\n",
        "There is no tool 'read_document'. Your tools: none.",
    ),
    "vote": TOOL_ERRORS,
    "debate": (
        "Others have done the same task. These are their latest answers:\n\nAnswer 1:\n[", "\n\nAnswer 2:\n",
        "Reconsider your answer in the light of theirs",
    ),
    "workflow": (
        "You are a sub-agent of the type solver. ", "You are a sub-agent of the type reviewer. ",
        "[order subtask_1]\nObjective: ", "Output schema: ", 'answer only "BLOCKED: "',
        "try 2 of 3]\nNot accepted:\n- ", "Try to refute each of their findings",
        "Others have answered this. Combine their findings", "\n[finding 2] given by ", ", refuted: ",
        "Look above all for defects in values and their order", "Somebody has reviewed this; do not review it again.",
        "\n[finding 2]\n{",
    ),
    "expert": (
        "You plan the work of a team of experts: alice; bob; carol.", "There is no plan yet.", "The plan has no step.",
        "5 steps; at most 4 are allowed", "in a cycle: a -> b -> a", "'x', which is no step", "'b' stands for 2 steps",
        "The id '' is empty.", "The id 'price' is taken by a step that is done.", "Step 'c': objective is empty",
        "cannot be read: ", "'zoe' is not one of", "'cuont' is not one of", *TOOL_ERRORS[1:],
        "Correct it and hand it in again.", "Plan refused. One is accepted already", "Plan accepted.",
        "You are alice, an expert in a team.", "an expert in a team, whose field is inspections.",
        "A report is signed by its inspector.\n",
        "The task as a whole:\nAnswer ", "Result of step inspector by alice:\n",
        "You may write to the other members: bob.", "[inbox] progress msg_", "[inbox] clarify msg_",
        "[inbox] clarify_resp msg_", "there is no agent 'planner' to whom", "you may not send 'revision' to carol",
        "You evaluate the product of one step", "What was handed in:\n========\n[", "[order subtask_1]\nObjective: ",
        "[order subtask_1, try 2 of 3]\nNot accepted:\n- entry 1: section 5", 'answer "Maria Kelter" does not stand in',
        "That is not the form that was asked for. The result must be one JSON value",
        "The answer must be one JSON object.",
        '"verdict" must be "PASS" or "REVISE".', '"errors" must be a list of texts.', '"replan" must be true or false.',
        '"PASS" goes with no errors and without "replan".', '"REVISE" needs at least one error.',
        "You are the architect of a team.", "text\nWhat was found wrong:\n- forbidden action: search_documents\n",
        '"ruling" must be one of "REVISED_INSTRUCTION", "ACC', '"ACCEPT_WITH_CAVEATS" needs "caveats", a text.',
        "Objective: Who signed section 5 as the inspector?", "\nTo be known of it: The inspector's first name",
        "\n\nSomebody else has tried this step before you. What was found wrong:\n- entry 1: section 5",
        "The plan does not work: step inspector by alice: BLOCKED: ", "step wall by bob: The order names another year.",
        "not to be planned again: price.", "All steps are done. Give the answer to the task now",
        "have written these files differently: notes.txt (steps a, b).", "You work on a task alone",
        "You may send explorers out", "You are a sub-agent of the type explore.",
        "[SUCCESS] subtask_2 by dave_explore_1\n",
    ),
}  # fmt: skip
"""Page → a piece of every text that the engine writes there."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prompts") / "new"
    write(folder)
    return folder


def test_every_shipped_topology_has_its_page() -> None:
    """All but those that are made of others, and say nothing of their own."""
    options = (ROOT / "conf" / "topology").glob("*.yaml")
    shipped = {path.stem for path in options if "defaults:" not in path.read_text().splitlines()}
    assert shipped == set(SCENES) == {path.stem for path in PAGES.iterdir()}


@pytest.mark.parametrize("topology", SCENES)
def test_the_page_is_what_the_code_makes_of_it_now(topology: str, made: Path) -> None:
    """After a change of a prompt: python -m harness.entry.prompts"""
    assert (PAGES / f"{topology}.md").read_text(encoding="utf-8") == (made / f"{topology}.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("topology", SCENES)
def test_the_page_shows_every_text_of_the_engine(topology: str, made: Path) -> None:
    page = (made / f"{topology}.md").read_text(encoding="utf-8")
    assert "Made by `python -m harness.entry.prompts`" in page.split("##")[0]
    assert [text for text in TEXTS[topology] if text not in page] == []


@pytest.mark.parametrize("topology", SCENES)
def test_what_agents_say_has_the_form_of_a_transcript(topology: str, made: Path, tmp_path: Path) -> None:
    page = (made / f"{topology}.md").read_text(encoding="utf-8")
    steps = [yaml.safe_load(step) for step in _STEP.findall(page)]
    path = tmp_path / "transcript.yaml"
    path.write_text(yaml.safe_dump({"conversations": [{"steps": steps}]}), encoding="utf-8")
    (conversation,) = load_script(path)
    assert len(conversation.steps) == len(steps) > 5
    tools = {name for step in conversation.steps for name, _ in step.calls}
    assert all(f"### `{tool}` of " in page or f"**The tool `{tool}` of " in page for tool in tools - {"open_file"})


def test_the_command_writes_the_same_pages(made: Path, tmp_path: Path) -> None:
    """From another folder, and in another process: nothing depends on either."""
    command = [sys.executable, "-m", "harness.entry.prompts", "pages"]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [f"pages/{topology}.md" for topology in SCENES]
    for path in made.iterdir():
        assert (tmp_path / "pages" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("words", [["a", "b"], ["--fast"]])
def test_wrong_usage_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("error: ") and said.err.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "[DIR]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        ({"solver": [Say("[]"), Say("more")]}, "words left: solver"),
        ({"solver": [calls(Call("list_documents"))]}, "'solver' has no words left and reads: '- 00-0000"),
        ({"somebody": []}, "an agent speaks that has no words in the scene"),
    ],
)
def test_a_scene_that_does_not_go_as_written_is_an_error(acts: dict[str, list[Say]], words: str) -> None:
    with pytest.raises(ScriptError, match=re.escape("topology 'single', scene 'Odd'")) as fault:
        Studio("single").play(Scene("Odd", "", acts, []))
    assert words in str(fault.value)
