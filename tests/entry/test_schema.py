"""Configuration values against the dataclasses that declare them."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from harness.entry.schema import TARGET, build, make, settings
from harness.errors import ConfigError, HarnessError


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    depth: int = 1


@dataclass(frozen=True)
class Thing:
    """One field of each kind that a configuration may hold."""

    count: int
    share: float = 0.5
    name: str = ""
    on: bool = False
    bound: float | None = None
    kind: Literal["a", "b"] = "a"
    colour: Colour = Colour.RED
    path: Path = Path()
    names: list[str] = field(default_factory=list)
    pair: tuple[int, str] = (0, "")
    several: tuple[float, ...] = ()
    rates: Mapping[str, float] = field(default_factory=dict)
    inner: Inner = Inner()
    inners: Sequence[Inner] = ()
    any: Any = None
    hidden: int = field(default=0, init=False)
    only: list[str] | None = field(default=None, metadata={"key": "sample_ids"})


@dataclass(frozen=True)
class Picky:
    size: int = 1

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("size below 0")


class Plain:
    """Not a dataclass."""


HERE = __name__


def test_every_kind_of_value_arrives_as_what_the_field_says() -> None:
    inner = {TARGET: f"{HERE}.Inner", "depth": 3}
    thing = build(
        Thing,
        {
            "count": 1e6,  # written so for readability; it is a whole number
            "share": 1,
            "name": 2024,  # a folder or a model may be called that
            "on": True,
            "bound": None,
            "kind": "b",
            "colour": "blue",
            "path": "x/y",
            "names": ["a", 7],
            "pair": [1, "x"],
            "several": [1, 2.5],
            "rates": {"in": 1},
            "inner": {"depth": 2},
            "inners": [{"depth": 4}, inner],
            "any": {"deep": [inner, "text"]},
            "sample_ids": ["s-1"],
        },
        "thing",
    )
    assert thing == Thing(
        1_000_000, 1.0, "2024", True, None, "b", Colour.BLUE, Path("x/y"), ["a", "7"], (1, "x"), (1.0, 2.5),
        {"in": 1.0}, Inner(2), [Inner(4), Inner(3)], {"deep": [Inner(3), "text"]}, only=["s-1"],
    )  # fmt: skip
    assert isinstance(thing.share, float) and isinstance(thing.count, int)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"count": "many"}, "thing.count=many: must be a whole number, but this is text."),
        ({"count": 1.5}, "thing.count=1.5: must be a whole number, but this is a number."),
        ({"count": True}, "thing.count=True: must be a whole number, but this is true or false."),
        ({"count": float("inf")}, "thing.count=inf: must be a whole number, but this is a number."),
        ({"count": None}, "thing.count=null: must be a whole number, but this is null."),
        ({"count": 1, "on": 1}, "thing.on=1: must be true or false, but this is a whole number."),
        ({"count": 1, "name": 1.0}, "thing.name=1.0: must be text, but this is a number."),
        ({"count": 1, "bound": "x"}, "thing.bound=x: must be a number or null, but this is text."),
        ({"count": 1, "kind": "c"}, "unknown value of thing.kind 'c'. Valid choices: a, b."),
        ({"count": 1, "colour": "rad"}, "unknown value of thing.colour 'rad'. Did you mean 'red'?"),
        ({"count": 1, "names": "a"}, "thing.names=a: must be a list [a,b,…] of text, but this is text."),
        ({"count": 1, "names": [{}]}, "thing.names.0={}: must be text, but this is a mapping."),
        ({"count": 1, "pair": [1]}, "thing.pair=[1]: must be a list of 2 values."),
        ({"count": 1, "rates": [1]}, "thing.rates=[1]: must be a mapping {key: value}, but this is a list."),
        (
            {"count": 1, "inner": 3},
            "thing.inner=3: must be a mapping {depth}, but this is a whole number.",
        ),
        ({"count": 1, "inner": {"dept": 3}}, "unknown key 'thing.inner.dept'. Did you mean 'thing.inner.depth'?"),
        ({"count": 1, "hidden": 3}, "unknown key 'thing.hidden'."),
        ({"count": 1, "nmae": "x"}, "unknown key 'thing.nmae'. Did you mean 'thing.name'? Valid choices: thing.any,"),
        ({}, "thing.count has no value: set it with thing.count=VALUE."),
    ],
)
def test_what_does_not_fit_is_named_with_its_full_key(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(Thing, values, "thing")
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({}, "x has no _target_"),
        ({TARGET: "nodots"}, "x._target_=nodots: must be the dotted path of a class"),
        ({TARGET: 3}, "x._target_=3: must be the dotted path of a class"),
        ({TARGET: "no.such.Thing"}, "x._target_=no.such.Thing: there is no module 'no'."),
        ({TARGET: "harness.nothing.Thing"}, "x._target_=harness.nothing.Thing: there is no module 'harness.nothing'."),
        ({TARGET: f"{HERE}.Thin"}, f"x._target_={HERE}.Thin: unknown name in {HERE} 'Thin'. Did you mean 'Thing'?"),
        ({TARGET: f"{HERE}.Plain"}, f"x._target_={HERE}.Plain: must name a dataclass"),
        ({TARGET: f"{HERE}.pytest"}, f"x._target_={HERE}.pytest: must name a dataclass"),
        ({TARGET: f"{HERE}.Picky", "size": -1}, "x: Picky refuses these values: ValueError: size below 0"),
    ],
)
def test_a_target_that_cannot_be_made_is_an_error(node: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make(node, "x")
    assert str(caught.value).startswith(said)


def test_a_module_that_breaks_on_import_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "breaks_on_import.py").write_text("1 / 0\n")
    (tmp_path / "needs_another.py").write_text("import package_that_is_not_there\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match="importing 'breaks_on_import' failed with ZeroDivisionError"):
        make({TARGET: "breaks_on_import.Thing"}, "x")
    with pytest.raises(ConfigError, match="needs the package 'package_that_is_not_there'"):
        make({TARGET: "needs_another.Thing"}, "x")


def test_an_error_of_the_class_itself_passes_unchanged() -> None:
    class Refusal(HarnessError):
        pass

    @dataclass
    class Refusing:
        def __post_init__(self) -> None:
            raise Refusal("no")

    with pytest.raises(Refusal, match=r"^no$"):
        build(Refusing, {}, "x")


@dataclass
class Part:
    """Refuses values by the key that it has at the top of its group."""

    size: int = 1

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ConfigError(f"group.size={self.size}: must be 0 or more.", size=self.size)
        if self.size > 9:
            raise ConfigError(f"group.sizes={self.size}: is another key.")


@dataclass
class Whole:
    part: Part = field(default_factory=Part)


def test_a_refusal_names_the_key_where_its_class_stands() -> None:
    for cls, data, where, said in (
        (Part, {"size": -1}, "group", "group.size=-1: "),
        (Whole, {"part": {"size": -1}}, "group", "group.part.size=-1: "),
        (Whole, {"part": {"size": -1}}, "group.deep", "group.deep.part.size=-1: "),
        (Whole, {"part": {"size": 10}}, "group", "group.sizes=10: "),
    ):
        with pytest.raises(ConfigError, match=f"^{re.escape(said)}"):
            build(cls, data, where)


def test_field_types_that_cannot_be_read_are_an_error() -> None:
    @dataclass
    class Torn:
        x: NotThere = None  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(ConfigError, match=r"cannot read the field types of .*Torn.*NotThere"):
        build(Torn, {"x": 1}, "x")


def test_settings_are_the_fields_one_can_pass_by_key() -> None:
    keys = set(settings(Thing))
    assert "sample_ids" in keys
    assert not {"only", "hidden"} & keys


@pytest.mark.parametrize(
    ("inside", "error"),
    [
        ({"proposers": 0}, "topology.inside.crew.proposers=0: must be from 1 to 100."),
        ({"quorum": 9}, "topology.inside.crew.quorum=9 with topology.inside.crew.proposers=3: must be from 1 to 3, or"),
        ({"layers": "two"}, "topology.inside.crew.layers=two: must be a whole number, but this is text."),
        ({"rounds": 2}, "unknown key 'topology.inside.crew.rounds'"),
    ],
)
def test_what_a_topology_refuses_inside_another_has_its_full_key(inside: dict[str, Any], error: str) -> None:
    moa = {"_target_": "topologies.moa.Moa", **inside}
    with pytest.raises(ConfigError) as refused:
        make({"_target_": "topologies.sync.Sync", "inside": {"crew": moa}}, "topology")
    assert str(refused.value).startswith(error)


def test_the_key_is_full_however_deep_it_stands() -> None:
    pool = {"_target_": "topologies.sync.Sync", "pool": {"core": 9}}
    crew = {"name": "crew", "does": "all", "inside": {"_target_": "topologies.bus.Bus", "inside": {"bob": pool}}}
    with pytest.raises(ConfigError, match=r"^topology\.definitions\.0\.inside\.inside\.bob\.pool: core=9, max=8"):
        make({"_target_": "topologies.sync.Sync", "definitions": [crew]}, "topology")
