"""Checks against the material: right values stated by hand."""

from __future__ import annotations

from typing import Any

import pytest

from harness.delegation.checks.registry import CHECKS
from harness.delegation.checks.source import folded, named, stands_in

SOURCES = {
    "names.txt": "Names are bound\n   by PEP 484 and by\tassignment. The fee is 1,200.50 EUR in 2023.",
    "合同.md": "第3条 付款\n条款：甲方应于收到发票后30日内付款，金额为340.00万元。",
    "lost.txt": None,
}


def errors(check: str, entry: Any, **parameters: Any) -> list[str]:
    assert CHECKS[check].refuse(parameters) is None
    return CHECKS[check].errors(parameters, [entry], SOURCES)


@pytest.mark.parametrize(
    "quote",
    [
        "PEP 484",
        "pep  484",
        "names ARE bound by",
        "付款条款：甲方",
        "付款 条款",
        "３０日内",
        "1,200.50 EUR",
        "2023",
        None,
    ],
)
def test_quotes_that_stand(quote: str | None) -> None:
    assert errors("quote_in_source", {"a": quote}, field="a") == []


@pytest.mark.parametrize("quote", ["PEP 48", "84", "200.50", "1,200", "PEP 485", "340万元", "0万元"])
def test_quotes_that_do_not(quote: str) -> None:
    """A piece of a longer number is another number."""
    (error,) = errors("quote_in_source", {"a": quote}, field="a")
    assert error == f'entry 1 ("{quote}"): a "{quote}" does not stand in names.txt, 合同.md, lost.txt'


@pytest.mark.parametrize("value", ["", " ", True, ["PEP 484"], {"a": 1}])
def test_what_is_no_quote(value: Any) -> None:
    (error,) = errors("quote_in_source", {"a": value}, field="a")
    assert "is no text to look for" in error


def test_a_quote_in_the_material_that_another_field_names() -> None:
    quote = {"field": "a", "by": "ref"}
    assert errors("quote_in_source", {"a": "PEP 484", "ref": "names.txt §1"}, **quote) == []
    assert errors("quote_in_source", {"a": "付款条款", "ref": "见合同.md第3条"}, **quote) == []
    assert errors("quote_in_source", {"a": "PEP 484", "ref": "合同.md"}, **quote) == [
        'entry 1 ("PEP 484"): a "PEP 484" does not stand in 合同.md'
    ]
    assert errors("quote_in_source", {"a": "PEP 484", "ref": "other.txt §1"}, **quote) == [
        'entry 1 ("PEP 484"): ref "other.txt §1" names none of: names.txt, 合同.md, lost.txt'
    ]
    assert "ref null names none of" in errors("quote_in_source", {"a": "PEP 484", "ref": None}, **quote)[0]
    assert errors("quote_in_source", {"a": "PEP 484"}, **quote) == ['entry 1 ("PEP 484"): there is no field "ref"']
    assert errors("quote_in_source", {"a": None, "ref": None}, **quote) == []
    assert (
        "cannot be looked up: lost.txt cannot be read"
        in (errors("quote_in_source", {"a": "PEP 484", "ref": "lost.txt"}, **quote)[0])
    )


def test_a_source_is_named() -> None:
    for right in ("names.txt", "NAMES.TXT §3", "lost.txt", None, "见《合同.md》"):
        assert errors("names_source", {"ref": right}, field="ref") == []
    for wrong in ("nicknames.txt", "names.txt2", "my-names.txt", 3, True, ""):
        (error,) = errors("names_source", {"ref": wrong}, field="ref")
        assert error.endswith("names none of: names.txt, 合同.md, lost.txt")


def test_a_name_inside_a_longer_one_is_not_named() -> None:
    assert named("see a/b.txt", ["b.txt", "a/b.txt"]) == ["a/b.txt"]
    assert set(named("b.txt and a/b.txt", ["b.txt", "a/b.txt"])) == {"b.txt", "a/b.txt"}
    assert named("anything", ["", "  "]) == []


@pytest.mark.parametrize(
    ("quote", "text", "stands"),
    [
        ("12", "12.50", False),
        ("12", "12. Next", True),
        ("50", "12.50", False),
        ("3", "3,4", True),
        ("a.b", "axb", False),
    ],
)
def test_numbers_are_whole(quote: str, text: str, stands: bool) -> None:
    assert stands_in(folded(quote), folded(text)) is stands
