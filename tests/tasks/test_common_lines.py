"""JSON Lines, plain and packed with gzip: read once, then line by line."""

from __future__ import annotations

import gc
import gzip
import json
import random
import tracemalloc
from pathlib import Path

import pytest

from harness.errors import CorpusError
from tasks.common.jsonlines import JsonLines


def test_rows_are_read_again_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf\n{"n": 1}\n\n{"n": "\xe4\xb8\xad"}')
    lines = JsonLines(tmp_path / "a.jsonl")
    lines.read(lambda number, row: [], "hint")
    assert [(lines.numbers[i], lines.row(i)) for i in range(len(lines))] == [(2, {"n": 1}), (4, {"n": "中"})]


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, '{"n": 1}'.encode("utf-16")])
def test_what_is_no_text_is_told_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(CorpusError, match="is no text in UTF-8: it holds NUL bytes") as caught:
        JsonLines(tmp_path / "a.jsonl").read(lambda number, row: [], "hint")
    assert "\n" not in str(caught.value)


# -- packed with gzip ----------------------------------------------------------------------------------------------

PLAIN = b'\xef\xbb\xbf\n{"n": 1}\n\n{"n": "\xe4\xb8\xad"}'


def opened(path: Path) -> JsonLines:
    lines = JsonLines(path)
    lines.read(lambda number, row: [], "hint")
    return lines


def refused(path: Path) -> CorpusError:
    with pytest.raises(CorpusError) as caught:
        opened(path)
    return caught.value


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl"])
@pytest.mark.parametrize(
    "packed",
    [gzip.compress(PLAIN), gzip.compress(PLAIN[:9]) + gzip.compress(PLAIN[9:]) + bytes(8)],
    ids=["one member", "two members and padding"],  # the bytes hold the time
)
def test_a_packed_file_is_told_by_its_content_and_read_in_any_order(tmp_path: Path, name: str, packed: bytes) -> None:
    (tmp_path / name).write_bytes(packed)
    lines = opened(tmp_path / name)
    assert list(lines.numbers) == [2, 4] and lines.name == "a"
    assert [lines.row(i) for i in (1, 0, 1)] == [{"n": "中"}, {"n": 1}, {"n": "中"}]
    (tmp_path / name).unlink()
    assert lines.row(0) == {"n": 1}, "unpacked once, and then its own"


def test_a_plain_file_may_have_the_name_of_a_packed_one(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(PLAIN)
    assert opened(tmp_path / "a.gz").row(1) == {"n": "中"}


def test_a_packed_file_that_is_damaged_gives_one_clear_error(tmp_path: Path) -> None:
    noise = "".join(random.Random(0).choices("abcdefgh", k=2000))
    whole = gzip.compress(json.dumps({"n": noise}).encode())
    flipped = whole[:200] + bytes([whole[200] ^ 255]) + whole[201:]
    path = tmp_path / "a.jsonl.gz"
    for damaged in (whole[:2], whole[:5], whole[:-12], whole[:-4], flipped, whole[:-8] + bytes(8), whole + b"{}"):
        path.write_bytes(damaged)
        error = refused(path)
        assert str(error).startswith(f"task.path={path} cannot be unpacked, it is cut short or damaged ("), error
        assert error.facts == {"path": str(path)}
    path.write_bytes(gzip.compress(b"\n"))
    assert "is empty" in str(refused(path))
    path.write_bytes(gzip.compress(b'{"n": \n'))
    assert refused(path).facts["problems"][0].startswith("a.jsonl.gz:1: not JSON (")


def test_where_no_temporary_file_can_be_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(PLAIN))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(CorpusError, match=r"into a temporary file \(No such file .*TMPDIR"):
        opened(tmp_path / "a.jsonl.gz")


def test_memory_stays_flat_over_a_packed_file(tmp_path: Path) -> None:
    """16 MB that pack into 16 KB."""
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress((json.dumps({"n": "x" * 100_000}).encode() + b"\n") * 160))
    tracemalloc.start()
    lines = opened(tmp_path / "a.jsonl.gz")
    assert len(lines.row(159)["n"]) == 100_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000


def test_the_temporary_file_goes_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(PLAIN))
    lines = opened(tmp_path / "a.jsonl.gz")
    plain = lines._unpacked
    assert plain is not None and not plain.closed
    del lines
    gc.collect()
    assert plain.closed


@pytest.mark.parametrize(
    ("name", "said"),
    [("my set.jsonl", "my-set"), ("a.jsonl.gz", "a"), ("a.b.jsonl", "a.b"), ("a.gz", "a"), ("§.jsonl", "file")],
)
def test_what_a_file_is_called_in_sample_ids(name: str, said: str) -> None:
    assert JsonLines(name).name == said
