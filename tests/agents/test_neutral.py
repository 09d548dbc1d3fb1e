"""Neutral text is as long as what it replaces, to the token, and says nothing of it."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.accounting.tokens import PIECE, count_tokens
from harness.agents.neutral import _WORDS, neutral

CHINESE = "你负责安全审查：检查每一个接口的权限，并记录所有没有授权的访问。"
KNOWN = {word.strip(".,") for word in _WORDS} | {"a", "it", ""}
texts = st.one_of(
    st.text(max_size=120),
    st.text(alphabet="你负责安全审查，。：abc 012\n\t#*-", max_size=120),
    st.lists(st.sampled_from(["Kubernetes", "rate limits", "JWT,", "签名", "\n\n", " ", "e.g.", "(RS256)", "🙂"])).map(
        " ".join
    ),
)


@given(texts, st.sampled_from([("", ""), ("\n", ""), (" ", "\n"), ("\n\n", "\n")]))
@example("", ("", ""))
@example("x", (" ", "\n"))
@example(CHINESE, (" ", "\n"))
@example("Kubernetes", (" ", "\n"))
def test_as_many_tokens_in_its_place(text: str, place: tuple[str, str]) -> None:
    before, after = place
    said = neutral(text, before, after)
    assert count_tokens(f"{before}{said}{after}") == count_tokens(f"{before}{text}{after}")
    if any(c.isalnum() for c in text):
        assert {word.strip(".,") for word in said.split(" ")} <= KNOWN
    else:
        assert said == text, "it says nothing as it is"


def test_it_says_nothing_of_what_it_replaces() -> None:
    said = neutral("You know which pumps need an oil change: the north pump, every 300 hours.")
    assert said.startswith("The path along the river is quiet") and "pump" not in said


@pytest.mark.parametrize("unit", ["The fee is 340 yuan. ", CHINESE, "x"])
def test_long_texts_take_no_longer_than_their_length(unit: str) -> None:
    """Beyond the size at which texts are counted in pieces, too. Counting each beginning would take minutes."""
    text = unit * (2 * PIECE // len(unit) + 7)
    began = time.process_time()
    said = neutral(text)
    assert count_tokens(said) == count_tokens(text)
    assert time.process_time() - began < 5
