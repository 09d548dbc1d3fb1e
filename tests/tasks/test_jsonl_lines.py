"""What is wrong with a file: told by file, line and field, all at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.lines import write

from harness.errors import CorpusError
from tasks.common.jsonlines import MOST_TOLD
from tasks.jsonl import Jsonl

GOOD: dict[str, Any] = {"input": "Where?", "target": "here"}
TESTS = "def test_it(program):\n    assert program['solution'].f() == 1\n"
NUMBER = {**GOOD, "grader": "number", "target": "45 days"}
SCHEMA = {**GOOD, "grader": "schema", "target": {"a": 1}, "schema": {"type": "object"}}
CODE = {**GOOD, "grader": "python", "target": TESTS}
NOTES = {"documents": [{"name": "a.md", "text": "One two.\n\nThree."}]}

WRONG: list[tuple[str | dict[str, Any], str]] = [
    ("{", "not JSON ("),
    ('["a"]', "not a JSON object"),
    ("[" * 100_000, "nested too deep"),
    ('{"input": "a", "input": "b", "target": "c"}', "'input' stands twice in one object"),
    ('{"input": "a", "target": NaN}', "NaN is no JSON number"),
    ('{"input": "\\ud800", "target": "c"}', "half of a surrogate pair"),
    ({"target": "x"}, "'input' is missing"),
    ({**GOOD, "input": " "}, "'input' must be a text that is not empty"),
    ({**GOOD, "input": [{"role": "user", "content": "hi"}]}, "'input' must be a text"),
    ({"input": "x"}, "'target' is missing"),
    ({"input": "x", "target": None}, "'target' is missing"),
    ({"input": "x", "target": []}, "'target' is an empty list"),
    ({"input": "x", "target": ""}, "'target' must be a text or a number"),
    ({"input": "x", "target": True}, "'target' must be a text or a number"),
    ({"input": "x", "target": ["a", {}]}, "'target' must be a text or a number"),
    ({**GOOD, "tarjet": "x"}, "unknown field 'tarjet'. Did you mean 'target'?"),
    ({**GOOD, "choices": ["a", "b"]}, "'choices' is not used here: write the choices into 'input'"),
    ({**GOOD, "grader": "exactly"}, "unknown grader 'exactly'. Did you mean 'exact'?"),
    ({**GOOD, "grader": ["exact"]}, "unknown grader"),
    ({**GOOD, "tolerance": 1}, "'tolerance' means nothing to the grader exact"),
    ({**GOOD, "aliases": [None]}, "'aliases' must be a text or a number"),
    ({**GOOD, "id": 1.5}, "'id' must be a whole number or a text"),
    ({**GOOD, "id": "a\nb"}, "'id' must be a whole number or a text"),
    ({**GOOD, "id": "x" * 101}, "'id' has 101 characters"),
    ({**GOOD, "cluster": 3}, "'cluster' must be a text"),
    ({**GOOD, "tags": "a"}, "'tags' must be a list of texts"),
    ({**GOOD, "wrong": "a"}, "'wrong' must be a list"),
    ({**GOOD, "wrong": ["there", "Here."]}, "'wrong' holds 'Here.', which is right"),
    ({**NUMBER, "target": "some days"}, "'target' 'some days' is not one number"),
    ({**NUMBER, "aliases": ["x"]}, "'aliases' 'x' is not one number"),
    ({**NUMBER, "tolerance": -1}, "'tolerance' must be a number from 0"),
    ({**NUMBER, "tolerance": "few"}, "'tolerance' must be a number from 0"),
    ({**NUMBER, "wrong": ["45.0 days"]}, "which is right"),
    ({**SCHEMA, "schema": None}, "'schema' is missing"),
    ({**SCHEMA, "schema": "object"}, "'schema' must be an object"),
    ({**SCHEMA, "schema": {"type": "objekt"}}, "'schema' is no JSON Schema: type:"),
    ({**SCHEMA, "schema": {"pattern": "("}}, "'schema' is no JSON Schema: pattern:"),
    ({**SCHEMA, "schema": {"$ref": "http://x.example/s"}}, "'schema' refers to 'http://x.example/s'"),
    ({**SCHEMA, "schema": {"$ref": "#/$defs/a"}}, "'schema' refers to '#/$defs/a', which is not there"),
    ({**SCHEMA, "target": "x"}, "'target' does not match 'schema': the answer: 'x' is not of type 'object'"),
    ({**SCHEMA, "solution": 3}, "'solution' does not match 'schema'"),
    ({**SCHEMA, "wrong": [{"a": 1.0}]}, "which is right"),
    ({**CODE, "target": "def test("}, "'target': the tests do not parse"),
    ({**CODE, "target": "assert f() == 1"}, "'target': the tests hold no top-level function test_"),
    ({**CODE, "target": [TESTS]}, "'target' must be a text, Python source"),
    ({**CODE, "solution": 3}, "'solution' must be a text, Python source"),
    ({**GOOD, "documents": "a.md"}, "'documents' must be a list"),
    ({**GOOD, "documents": [{"name": "a"}]}, "'documents.0' must be"),
    ({**GOOD, "documents": [{"name": "a", "text": 1}]}, "'documents.0' must have a 'name' and a 'text'"),
    ({**GOOD, "documents": [{"name": "a", "text": " \n"}]}, "'documents.0' holds no text"),
    ({**GOOD, "documents": ["no.md"]}, "'documents.0' 'no.md': there is no such file"),
    ({**GOOD, "documents": ["../secret.md"]}, "'documents.0' '../secret.md' lies outside of the folder"),
    ({**GOOD, "documents": ["/etc/passwd"]}, "'documents.0' '/etc/passwd' lies outside"),
    ({**GOOD, "documents": ["link.md"]}, "'documents.0' 'link.md' lies outside"),
    ({**GOOD, "documents": ["a.pdf"]}, "'documents.0' 'a.pdf' is no text that can be read here: .txt, .md, .html can"),
    ({**GOOD, "documents": ["latin.txt"]}, "'documents.0' 'latin.txt': byte 2 is not UTF-8"),
    ({**GOOD, "documents": ["ok.md", {"name": "OK.md", "text": "x"}]}, "'documents.1' cannot be told by its name"),
    ({**GOOD, "documents": ["a\0.md"]}, "'documents.0' is no path"),
    ({**GOOD, "evidence": "One"}, "stands in no section of the line's documents"),
    ({**GOOD, **NOTES, "evidence": ["One two", "four"]}, "'evidence' 'four' stands in no section"),
    ({**GOOD, **NOTES, "evidence": 3}, "'evidence' must be a text, or a list of texts"),
    ({**GOOD, "id": 3}, "'id' 3 is that of line"),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (home / "link.md").symlink_to(tmp_path / "secret.md")
    (home / "ok.md").write_text("Fine.", encoding="utf-8-sig")
    (home / "latin.txt").write_bytes("Grüße".encode("latin-1"))
    return home


def refused(path: Path) -> CorpusError:
    with pytest.raises(CorpusError) as caught:
        Jsonl(path=str(path)).load()
    return caught.value


def test_everything_wrong_is_told_by_line_and_field_in_one_error(folder: Path) -> None:
    """In two files, since one error lists only so much."""
    for rows in (WRONG[:40], WRONG[40:]):
        first = {**GOOD, "id": 3}
        lines = [json.dumps(first), *(r if isinstance(r, str) else json.dumps(r) for r, _ in rows)]
        (folder / "bad.jsonl").write_text("\n\n".join(lines), encoding="utf-8")
        error = refused(folder / "bad.jsonl")
        told: list[str] = error.facts["problems"]
        assert len(told) == len(rows), told
        for number, ((_, said), problem) in enumerate(zip(rows, told, strict=True)):
            assert problem.startswith(f"bad.jsonl:{2 * number + 3}: ") and said in problem, problem
            assert problem in str(error)
        assert f"has {len(rows)} problem(s)" in str(error) and "docs/your-own-data.md" in str(error)


def test_several_problems_of_one_line_are_all_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"inptu": "x", "tags": 1, "id": ""}))
    told = refused(tmp_path / "a.jsonl").facts["problems"]
    assert [t.split(": ", 1)[1][:13] for t in told] == [
        "unknown field", "'id' must be ", "'input' is mi", "'tags' must b", "'target' is m"
    ]  # fmt: skip


def test_an_error_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n" * 1000)
    error = refused(tmp_path / "a.jsonl")
    assert len(error.facts["problems"]) == MOST_TOLD
    assert "2000 problem(s)" in str(error) and f"… and {2000 - MOST_TOLD} more" in str(error)


@pytest.mark.parametrize("content", [b"", b"\n \r\n\n", b"\xef\xbb\xbf\n"])
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    assert "is empty. Write one JSON object a line" in str(refused(tmp_path / "a.jsonl"))


def test_files_that_are_no_json_lines(tmp_path: Path) -> None:
    row = json.dumps({"input": "Grüße?", "target": "ja"}, ensure_ascii=False)
    (tmp_path / "a.jsonl").write_bytes(row.encode("latin-1"))
    assert "a.jsonl:1: byte 13 of the line is not UTF-8" in str(refused(tmp_path / "a.jsonl"))
    (tmp_path / "a.jsonl").write_bytes(row.encode("utf-16"))
    assert "is no text in UTF-8: it holds NUL bytes" in str(refused(tmp_path / "a.jsonl"))
    (tmp_path / "a.jsonl").write_text(f"[\n{row}\n]")
    assert "a.jsonl:1: not JSON" in str(refused(tmp_path / "a.jsonl"))


def test_a_byte_order_mark_line_ends_of_windows_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    one, two = json.dumps({"input": "a\r\nb", "target": "x"}), json.dumps({"input": "c", "target": "y"})
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + f"{one}\r\n\r\n{two}\r\n".encode())
    suite = Jsonl(path=str(tmp_path / "a.jsonl"))
    assert suite.sample_ids() == ["1", "3"], "ids are the numbers of lines"
    assert suite.sample("1").statement.endswith("Task 1: a\nb")
    assert suite.sample("3").statement.endswith("Task 3: c")


def test_a_line_of_megabytes(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"input": "many words " * 450_000, "target": "x"}))
    suite = Jsonl(path=str(tmp_path / "a.jsonl"))
    assert 800_000 < suite.sample("1").material_tokens < 1_000_000


def test_a_file_that_changes_while_in_use_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [json.dumps({"input": f"{n}?", "target": "x"}) for n in (1, 2)]
    path.write_text("\n".join(rows))
    suite = Jsonl(path=str(path))
    suite.load()
    path.write_text("\n".join(rows).replace("2?", "3?"))
    assert suite.sample("1").statement.endswith("1?")
    with pytest.raises(CorpusError, match=r"changed while it was in use \(line 2\)"):
        suite.sample("2")
    path.unlink()
    suite = Jsonl(path=str(path))
    with pytest.raises(CorpusError, match="does not exist"):
        suite.load()


def test_a_document_that_goes_away_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("One.")
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({**GOOD, "documents": [f"{n}.md"]}) for n in ("a", "b")))
    (tmp_path / "b.md").write_text("Two.")
    suite = Jsonl(path=str(tmp_path / "a.jsonl"))
    suite.load()
    suite._shelf._read.cache_clear()
    (tmp_path / "b.md").unlink()
    with pytest.raises(CorpusError, match=r"a\.jsonl:2: 'documents\.0' 'b\.md': there is no such file"):
        suite.sample("2")


def test_documents_from_files_below_the_folder(tmp_path: Path) -> None:
    (tmp_path / "sub folder").mkdir()
    (tmp_path / "sub folder" / "a.html").write_text("<title>T</title><p>One <b>two</b></p>")
    row = {**GOOD, "documents": ["sub folder/a.html"], "evidence": "One  two"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    (document,) = Jsonl(path=str(tmp_path / "a.jsonl")).problem("1").documents
    assert (document.name, document.title) == ("sub_folder/a.html", "T") and "One two" in document.text


def test_a_suite_is_the_same_packed_or_not(tmp_path: Path) -> None:
    rows = [{"input": f"{n}?", "target": str(n)} for n in range(3)]
    plain, packed = (Jsonl(path=write(tmp_path / name, *rows)) for name in ("a.jsonl", "b.jsonl.gz"))
    assert [packed.sample(i) for i in packed.sample_ids()] == [plain.sample(i) for i in plain.sample_ids()]
