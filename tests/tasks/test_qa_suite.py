"""The suite as the engine sees it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from harness.agents.tools import Tool, ToolFailed
from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError, HarnessError
from harness.suite import Suite
from tasks.qa_corpus import QaCorpus

CONF = Path(__file__).parents[2] / "conf" / "task" / "qa_corpus.yaml"
OPTIONS: list[dict[str, Any]] = [
    {},
    {"docs": 1},
    {"docs": 79},
    {"corpus": "generated"},
    {"corpus": "generated", "docs": 30, "samples": 2, "questions": 4, "languages": ["zh"]},
]


def score(suite: QaCorpus, sample_id: str, answer: str) -> float:
    return asyncio.run(suite.grade(suite.sample(sample_id), answer)).score


def call(tool: Tool, **arguments: object) -> str:
    result = asyncio.run(_run(tool, arguments))
    assert isinstance(result, str)
    return result


async def _run(tool: Tool, arguments: dict[str, object]) -> object:
    return await tool.run(arguments)


def test_the_suite_keeps_the_contract_and_its_configuration_file() -> None:
    suite: Suite = QaCorpus()
    assert suite.name == "qa_corpus"
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(QaCorpus)}
    assert make(values, "task") == suite


def test_sample_ids_is_a_configuration_key() -> None:
    chosen = make({"_target_": "tasks.qa_corpus.QaCorpus", "sample_ids": ["python_docs-8-s0-04"]}, "task")
    assert list(chosen.sample_ids()) == ["python_docs-8-s0-04"]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_key_scores_one_and_other_keys_score_nothing(options: dict[str, Any]) -> None:
    suite = QaCorpus(**options)
    ids = list(suite.sample_ids())
    for sample_id in ids[:3]:
        assert score(suite, sample_id, suite.key(sample_id)) == 1.0
        for other in ids[:3]:
            if other != sample_id:
                assert score(suite, sample_id, suite.key(other)) == 0.0


@pytest.mark.parametrize("options", OPTIONS)
def test_cheap_tricks_score_nothing(options: dict[str, Any]) -> None:
    suite = QaCorpus(**options)
    sample_id = suite.sample_ids()[0]
    sample = suite.sample(sample_id)
    tools = {tool.name: tool for tool in suite.tools(sample)}
    names = [line[2:].split(" (")[0] for line in call(tools["list_documents"]).splitlines()]
    dump = "\n".join(call(tools["read_document"], document=name) for name in names)
    key = json.loads(suite.key(sample_id))
    candidates = list(dict.fromkeys(entry["answer"] for entry in key))
    everything = [{**entry, "answer": answer} for entry in key for answer in [*candidates, "none of these"]]
    for answer in ("", "[]", dump, json.dumps([{**entry, "answer": dump} for entry in key]), json.dumps(everything)):
        assert score(suite, sample_id, answer) == 0.0


def test_a_sample_shows_documents_and_questions_one_a_line() -> None:
    suite = QaCorpus()
    sample = suite.sample("python_docs-8-s0-03")
    key = json.loads(suite.key(sample.id))
    lines = sample.statement.splitlines()
    listed = [line for line in lines if line.startswith("- ")]
    assert len(listed) == 8
    sizes = [int(line.rsplit("; ", 1)[1].removesuffix(" tokens)").replace(",", "")) for line in listed]
    assert sum(sizes) == sample.material_tokens
    questions = lines[lines.index("Questions:") + 1 :]
    assert questions[: len(key)] == [f"{n}. {entry['question']}" for n, entry in enumerate(key, 1)]
    merge = sample.graph_work - sample.material_tokens
    assert merge > 0 and sample.graph_critical_path == max(sizes) + merge


def test_samples_do_not_depend_on_what_was_asked_before() -> None:
    one, two = QaCorpus(), QaCorpus()
    ids = list(one.sample_ids())
    assert {i: one.sample(i) for i in ids} == {i: two.sample(i) for i in reversed(ids)}


def test_the_hash_covers_the_key() -> None:
    hashes = {
        QaCorpus(corpus="generated", samples=1, seed=seed, questions=questions)
        .sample(f"generated-8-s{seed}-00")
        .material_hash
        for seed in (0, 1)
        for questions in (1, 2)
    }
    assert len(hashes) == 4 and all(len(h) == 64 for h in hashes)


def test_limit_and_sample_ids_select() -> None:
    assert list(QaCorpus(limit=2).sample_ids()) == ["python_docs-8-s0-00", "python_docs-8-s0-01"]
    chosen = QaCorpus(only=["python_docs-8-s0-05", "python_docs-8-s0-01"], limit=9)
    assert list(chosen.sample_ids()) == ["python_docs-8-s0-01", "python_docs-8-s0-05"]
    with pytest.raises(CorpusError, match="unknown sample"):
        chosen.sample("python_docs-8-s0-02")


@pytest.mark.parametrize(
    ("options", "error", "names"),
    [
        ({"docs": 0}, ConfigError, "task.docs=0"),
        ({"docs": 80}, CorpusError, "task.docs=80"),
        ({"limit": 0}, ConfigError, "task.limit=0"),
        ({"limit": -3}, ConfigError, "task.limit=-3"),
        ({"samples": 0, "corpus": "generated"}, ConfigError, "task.samples=0"),
        ({"samples": 4}, ConfigError, "generated only"),
        ({"questions": 5}, ConfigError, "task.questions=5"),
        ({"languages": ["de"]}, ConfigError, "Valid choices: en, zh"),
        ({"languages": []}, ConfigError, "at least one"),
        ({"pass_threshold": 1.5}, ConfigError, "pass_threshold=1.5"),
        ({"only": []}, ConfigError, "empty list"),
        ({"only": ["python_docs-8-s1-00"]}, CorpusError, "Did you mean 'python_docs-8-s0-00'"),
        ({"corpus": "/no/such/folder"}, CorpusError, "/no/such/folder"),
    ],
)
def test_bad_options_give_one_clear_error(options: dict[str, Any], error: type[HarnessError], names: str) -> None:
    with pytest.raises(error) as caught:
        QaCorpus(**options).load()
    assert names in str(caught.value)


@pytest.mark.parametrize("options", OPTIONS)
def test_tools_read_only_this_sample_and_repeat_themselves(options: dict[str, Any]) -> None:
    suite = QaCorpus(**options)
    first, *rest = suite.sample_ids()
    sample = suite.sample(first)
    tools = {tool.name: tool for tool in suite.tools(sample)}
    assert all(tool.tags == {"read"} and not tool.coordination for tool in tools.values())
    for entry in json.loads(suite.key(first)):
        name, section = entry["clause_ref"].split(" §")
        whole = call(tools["read_document"], document=name)
        part = call(tools["read_document"], document=name, sections=section)
        assert f"[{entry['clause_ref']}]" in whole and f"[{entry['clause_ref']}]" in part
        assert whole == call(tools["read_document"], document=name, sections=None)
    if rest:
        foreign = json.loads(suite.key(rest[0]))[0]["clause_ref"].split(" §")[0]
        with pytest.raises(ToolFailed, match="unknown document"):
            call(tools["read_document"], document=foreign)


@pytest.mark.parametrize("sections", ["0", "3-2", "1-999", "x", "-1", [1]])
def test_a_bad_range_is_answered_with_the_valid_one(sections: object) -> None:
    suite = QaCorpus(limit=1)
    sample = suite.sample(suite.sample_ids()[0])
    read = next(tool for tool in suite.tools(sample) if tool.name == "read_document")
    name = json.loads(suite.key(sample.id))[0]["clause_ref"].split(" §")[0]
    with pytest.raises(ToolFailed, match=f"{name} has the sections 1 to"):
        call(read, document=name, sections=sections)


@pytest.mark.parametrize("options", OPTIONS)
def test_search_finds_the_evidence_by_its_own_words_and_stays_small(options: dict[str, Any]) -> None:
    suite = QaCorpus(**options)
    sample = suite.sample(suite.sample_ids()[0])
    search = next(tool for tool in suite.tools(sample) if tool.name == "search_documents")
    oracle = suite.oracle()
    for entry in json.loads(suite.key(sample.id))[:6]:
        item = oracle.lookup(entry["question"])
        assert item is not None
        found = call(search, query=item.evidence[0][:200])
        assert len(found) < 8 * 1600 + 200
        assert item.evidence[0] in found or len(item.evidence[0]) > 1500
    assert call(search, query="zzzqqq").startswith("No paragraph holds")
    with pytest.raises(ToolFailed, match="at least one word"):
        call(search, query=" ?! ")


@pytest.mark.parametrize("options", OPTIONS)
def test_the_oracle_knows_every_question_and_its_entries_grade_as_they_claim(options: dict[str, Any]) -> None:
    suite = QaCorpus(**options)
    oracle = suite.oracle()
    for sample_id in list(suite.sample_ids())[:3]:
        sample = suite.sample(sample_id)
        read = next(tool for tool in suite.tools(sample) if tool.name == "read_document")
        key = json.loads(suite.key(sample_id))
        one = 1 / len(key)
        for number, entry in enumerate(key[:12], 1):
            item = oracle.lookup(f"  {number}. {entry['question']} ")
            assert item is not None and item.question == entry["question"] and item.right == entry
            text = call(read, document=entry["clause_ref"].split(" §")[0])
            assert all(evidence in text for evidence in item.evidence)
            assert score(suite, sample_id, json.dumps([item.right])) == pytest.approx(one)
            assert item.wrong
            for wrong in item.wrong:
                assert score(suite, sample_id, json.dumps([wrong])) == 0.0
            for evidence, mixup in item.mixups:
                assert evidence in call(read, document=mixup["clause_ref"].split(" §")[0])
                assert score(suite, sample_id, json.dumps([mixup])) == 0.0
    for line in ("", "Questions:", sample.statement.splitlines()[3], "In the 2012 supply contract of nobody, what?"):
        assert oracle.lookup(line) is None


def test_the_oracle_is_not_narrowed_by_limit() -> None:
    question = json.loads(QaCorpus().key("python_docs-8-s0-08"))[0]["question"]
    assert QaCorpus(limit=1).oracle().lookup(question) is not None


def test_a_thousand_documents_in_one_sample() -> None:
    suite = QaCorpus(corpus="generated", docs=1000, samples=1, questions=1)
    sample = suite.sample("generated-1000-s0-00")
    assert sample.statement.count("\n- ") == 1000
    assert score(suite, sample.id, suite.key(sample.id)) == 1.0
