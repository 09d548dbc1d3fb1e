"""Whatever cannot be used of a foreign file is told in one line that says where it stands, and nothing is written."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from foreign import CREW, HEAD, MAP, SOLO, table

from results.__main__ import main

YAML = "columns: {agent: who, sample: item, score: points}\nsingle: solo\n"


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line, where nothing is left behind."""
    before = sorted(folder.iterdir())
    assert main(["import", *arguments, "--out", str(folder / "store")]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and told.err.startswith("error: ")
    assert sorted(folder.iterdir()) == before, "nothing is half-written"
    return told.err


ROWS = {
    "score above 1": (["solo,a,90,1,1,1,1"], ["line 2, column 'points'", "score 90", "--percent"]),
    "score below 0": (["solo,a,-0.1,1,1,1,1"], ["line 2, column 'points'", "not between 0 and 1"]),
    "score in per cent": (["solo,a,90%,1,1,1,1"], ["is a percentage", "--percent"]),
    "score NaN": (["solo,a,NaN,1,1,1,1"], ["'NaN' is no finite number", "Leave the value out"]),
    "no score": ([SOLO, "crew,a,,1,1,1,1"], ["line 3, column 'points'", "no score", "failed or error"]),
    "score a word": (["solo,a,good,1,1,1,1"], ["'good' is not a number"]),
    "tokens negative": (["solo,a,1,-5,1,1,1"], ["column 'in'", "-5 tokens is negative"]),
    "tokens a fraction": (["solo,a,1,1.5,1,1,1"], ["column 'in'", "not a whole number"]),
    "tokens beyond reason": (["solo,a,1,1e15,1,1,1"], ["column 'in'", "more than 1,000,000,000,000"]),
    "USD infinite": (["solo,a,1,1,1,inf,1"], ["column 'cost'", "'inf' is no finite number"]),
    "USD with a sign": (["solo,a,1,1,1,$3,1"], ["column 'cost'", "'$3' is not a number"]),
    "USD with separators": (['solo,a,1,1,1,"1,000",1'], ["column 'cost'", "separators of thousands"]),
    "USD underscored": (["solo,a,1,1,1,1_000,1"], ["'1_000' is not a number"]),
    "seconds negative": (["solo,a,1,1,1,1,-1"], ["column 'took'", "is negative"]),
    "no agent": ([",a,1,1,1,1,1"], ["line 2, column 'who'", "every row needs its agent"]),
    "no sample": (["solo,,1,1,1,1,1"], ["line 2, column 'item'", "every row needs its sample"]),
    "twice": ([SOLO, CREW, SOLO], ["line 4", "agent 'solo'", "sample 'a'", "already in", "line 2", "Map 'sample'"]),
    "too many values": (["solo,a,1,1,1,1,1,1"], ["line 2", "8 values for 7 columns", "double quotes"]),
    "a quote left open": (['solo,"a,1,1,1,1,1'], ["line 2", "not CSV"]),
    "name too long": ([f"{'名' * 30},a,1,1,1,1,1", SOLO], ["cannot name a folder", "shorter name"]),
    "no rows": ([], ["has no rows", "who, item"]),
}


@pytest.mark.parametrize("case", ROWS)
def test_rows(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, words = ROWS[case]
    path = table(tmp_path, *lines)
    told = refused(tmp_path, capsys, str(path), "--map", MAP, "--single", "solo")
    assert "rows.csv" in told or case == "name too long"
    assert [w for w in words if w not in told] == []


AGENTS = {
    "no single": ([], ["which agent is the baseline", "--single NAME", "solo, crew"]),
    "unknown single": (["--single", "Solo"], ["--single: unknown agent 'Solo'", "Did you mean 'solo'", "crew, solo"]),
    "unknown family": (["--single", "solo", "--family", "crew,duo"], ["--family: unknown agent 'duo'"]),
}


@pytest.mark.parametrize("case", AGENTS)
def test_agents(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options, words = AGENTS[case]
    told = refused(tmp_path, capsys, str(table(tmp_path, SOLO, CREW)), "--map", MAP, *options)
    assert [w for w in words if w not in told] == []


MAPS = {
    "unknown field": ("agent=who,scor=points", ["unknown field 'scor'", "Did you mean 'score'", "prompt_tokens"]),
    "no equals sign": ("agent=who,points", ["'points' is not KEY=COLUMN"]),
    "twice": ("agent=who,agent=item,score=points", ["'agent' is named twice"]),
    "no agent": ("score=points", ["names no column for 'agent'"]),
    "no score": ("agent=who", ["names no column for 'score' (nor for 'passed')"]),
    "half a usage": ("agent=who,score=points,prompt_tokens=in", ["'prompt_tokens' without 'completion_tokens'"]),
    "two bills": ("agent=who,score=points,usd=cost,pusd=cost", ["both 'usd' and 'pusd'"]),
    "missing column": ("agent=who,score=point", ["rows.csv: unknown column 'point'", "'points'", "cost, in, item"]),
    "missing part": ("agent=who+whose,score=points", ["unknown column 'whose'", "'who'"]),
    "no such file": ("map.yaml", ["--map 'map.yaml'", "KEY=COLUMN"]),
}


@pytest.mark.parametrize("case", MAPS)
def test_maps(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, words = MAPS[case]
    told = refused(tmp_path, capsys, str(table(tmp_path, SOLO, CREW)), "--map", text, "--single", "solo")
    assert [w for w in words if w not in told] == []


FILES = {
    "not YAML": ("columns: {agent", ["not YAML"]),
    "a list": ("- agent", ["expected keys with values"]),
    "unknown key": (f"{YAML}percents: true\n", ["unknown key 'percents'", "Did you mean 'percent'"]),
    "a field on top": ("agent: who\nscore: points\n", ["unknown key 'agent'", "Fields stand under 'columns'"]),
    "no columns": ("single: solo\n", ["'columns' must map fields to columns"]),
    "a column that is a number": ("columns: {agent: 3, score: points}\n", ["columns.agent must be a column's name"]),
    "a column called on": ("columns: {agent: who, score: on}\n", ["columns.score", "got True", "in quotes"]),
    "status": (f"{YAML}statuses: {{done: fine}}\n", ["unknown status for 'done' 'fine'", "ok, timeout"]),
    "price": (f"{YAML}prices: {{m: 3}}\n", ["prices.m must be [USD, USD]"]),
    "negative price": (f"{YAML}prices: {{m: [-1, 3]}}\n", ["input=-1.0"]),
    "threshold": (f"{YAML}threshold: 50\n", ["threshold=50.0", "at most 1"]),
    "threshold in words": (f"{YAML}threshold: half\n", ["threshold must be a number"]),
    "percent": (f"{YAML}percent: 'yes'\n", ["percent must be true or false"]),
    "zero tokens": (f"{YAML}zero_tokens: maybe\n", ["unknown value of zero_tokens 'maybe'"]),
    "measure": (f"{YAML}unknown: {{crew: [time]}}\n", ["unknown measure 'time'", "seconds"]),
    "unknown agent": (f"{YAML}unknown: {{crw: [tokens]}}\n", ["unknown agent 'crw'", "'crew'"]),
    "single a number": ("columns: {agent: who, score: points}\nsingle: 3\n", ["single must be a text"]),
}


@pytest.mark.parametrize("case", FILES)
def test_map_files(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, words = FILES[case]
    path = tmp_path / "map.yaml"
    path.write_text(text, encoding="utf-8")
    told = refused(tmp_path, capsys, str(table(tmp_path, SOLO, CREW)), "--map", str(path))
    assert [w for w in words if w not in told] == []


CONTENT = {
    "empty": ("rows.csv", b"", ["rows.csv is empty"]),
    "blank": ("rows.csv", b"\n\n", ["rows.csv is empty"]),
    "not UTF-8": ("rows.csv", b"who,item\nsolo,\xe9\n", ["line 2", "not UTF-8"]),
    "not packed": ("rows.csv.gz", b"who,item\n", ["cannot be read", "gzip"]),
    "cut off": ("rows.csv.gz", gzip.compress(b"who,item\n" * 99)[:-9], ["cannot be read"]),
    "another kind": ("rows.xlsx", b"PK", ["unknown kind of file '.xlsx'", ".jsonl"]),
    "not JSON": ("rows.jsonl", b'{"who": "solo"}\n{who}\n', ["line 2", "not a JSON object"]),
    "a list": ("rows.jsonl", b"[1]\n", ["line 1", "not a JSON object"]),
    "half a character": ("rows.jsonl", b'{"who": "\\ud800", "points": 1}\n', ["line 1", "UTF-8"]),
    "NaN": ("rows.jsonl", b'{"who": "solo", "points": NaN}\n', ["'NaN' is no finite number"]),
    "a column twice": ("rows.csv", b"who,who,points\nsolo,crew,1\n", ["two columns are called 'who'"]),
}


@pytest.mark.parametrize("case", CONTENT)
def test_files(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, content, words = CONTENT[case]
    (tmp_path / name).write_bytes(content)
    told = refused(tmp_path, capsys, str(tmp_path / name), "--map", "agent=who,score=points", "--single", "solo")
    assert [w for w in words if w not in told] == []


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(tmp_path, capsys, str(tmp_path / "none.csv"), "--map", MAP, "--single", "solo")
    assert "none.csv cannot be read" in told


def test_a_place_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even another import is overwritten."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "mine").touch()
    told = refused(tmp_path, capsys, str(table(tmp_path, SOLO, CREW)), "--map", MAP, "--single", "solo")
    assert "is a folder that is not empty: nothing is overwritten" in told


SAID = {
    "passed against score": ("who,item,points,won", ["solo,a,0.4,true"], "passed=won", ["says true", "--threshold"]),
    "tokens in all": ("who,item,points,i,o,n", ["solo,a,1,5,5,11"], "prompt_tokens=i,completion_tokens=o,tokens=n",
                      ["11 tokens, but 5 read and 5 written"]),
    "tokens by model": ("who,item,points,i,o,n", ["solo,a,1,5,5,m:5/4"],
                        "prompt_tokens=i,completion_tokens=o,tokens_by_model=n", ["5/4 tokens by model, but 5/5"]),
    "no counts": ("who,item,points,n", ["solo,a,1,m"], "tokens_by_model=n", ["'m' is not MODEL:PROMPT/COMPLETION"]),
    "a model twice": ("who,item,points,n", ["solo,a,1,m:1/1;m:2/2"], "tokens_by_model=n", ["named twice"]),
    "status": ("who,item,points,end", ["solo,a,1,done"], "status=end",
               ["unknown status 'done'", "statuses: {done: ok}"]),
    "family": ("who,item,points,kind", ["solo,a,1,pair"], "family=kind", ["'pair' is neither single nor team"]),
    "two families": ("who,item,points,kind", ["solo,a,1,", "crew,a,1,team", "crew,b,1,single"], "family=kind",
                     ["line 4", "agent 'crew' is single here and team"]),
    "a team as single": ("who,item,points,kind", ["solo,a,1,team"], "family=kind", ["'solo' is a team by its column"]),
    "two clusters": ("who,item,points,of", ["solo,a,1,x", "crew,a,1,y"], "cluster=of", ["'y'", "'x'", "one cluster"]),
    "epoch left out": ("who,item,points,rep", ["solo,a,1,1", "crew,a,1,"], "epoch=rep", ["line 3: no epoch"]),
    "called single": ("who,item,points,kind", ["solo,a,1,", "single,a,1,"], "family=kind",
                      ["agent is called 'single'"]),
    "no object": ("who,item,points,set", ["solo,a,1,[]"], "params=set", ["'[]' is not a JSON object"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_rows_that_contradict_themselves(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, lines, more, words = SAID[case]
    path = table(tmp_path, *lines, head=head)
    chosen = f"agent=who,sample=item,score=points,{more}"
    told = refused(tmp_path, capsys, str(path), "--map", chosen, "--single", "solo")
    assert [w for w in words if w not in told] == []


def test_a_model_without_a_price(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path, f"{SOLO},big".replace("0.5", ""), head=f"{HEAD},on")
    yaml = tmp_path / "map.yaml"
    yaml.write_text(
        'columns: {agent: who, score: points, prompt_tokens: in, completion_tokens: out, model: "on"}\n'
        "single: solo\nprices: {small: [1, 2]}\n"
    )
    told = refused(tmp_path, capsys, str(path), "--map", str(yaml))
    assert "line 2, column 'on': no price for model 'big'; there are prices for small" in told


def test_half_a_price(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(table(tmp_path, SOLO, CREW))
    told = refused(tmp_path, capsys, path, "--map", MAP, "--single", "solo", "--price-in", "3")
    assert "--price-in and --price-out go together" in told
    told = refused(tmp_path, capsys, path, "--map", "agent=who,score=points,tokens=in,sample=item",
                   "--single", "solo", "--price-in", "3", "--price-out", "9")  # fmt: skip
    assert "not told apart" in told
