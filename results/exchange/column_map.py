"""Which column holds which field, and what the words in it mean: ``--map`` and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, unknown
from results.exchange.card import Card
from results.exchange.fields import ALIASES, EXPORTED, FIELDS, REQUIRED
from results.words import STATUSES

BUILT_IN = "export"
HELP = "docs/import.md says what a map may hold."
MEASURES = ("tokens", "usd", "seconds")
ANY_MODEL = "*"
"""The price of every model that has none of its own."""


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """``columns``: field → its column, or several that make one name together. ``single``: the agent that plays the
    baseline; ``family``: further single agents. ``task``, ``experiment``: names where no column has them.
    ``threshold``: likewise. ``percent``: scores are 0 to 100. ``statuses``: foreign word → ours. ``prices``: model →
    card. ``unknown``: agent → which of MEASURES were recorded in part only, and so are not known. ``zero_tokens``:
    whether 0 tokens were measured (``known``) or just not recorded (``unknown``). ``join``: what stands between the
    parts of a name."""

    columns: Mapping[str, str | tuple[str, ...]]
    single: str | None = None
    family: tuple[str, ...] = ()
    task: str | None = None
    experiment: str | None = None
    threshold: float | None = None
    percent: bool = False
    statuses: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Card] = field(default_factory=dict)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zero_tokens: str = "unknown"
    join: str = " "

    def __post_init__(self) -> None:
        for name in REQUIRED:
            if name not in self.columns:
                raise ConfigError(f"the map names no column for '{name}': say --map {name}=COLUMN,… {HELP}")
        if "score" not in self.columns and "passed" not in self.columns:
            raise ConfigError(f"the map names no column for 'score' (nor for 'passed'). {HELP}")
        for one, other in (("prompt_tokens", "completion_tokens"), ("completion_tokens", "prompt_tokens")):
            if one in self.columns and other not in self.columns:
                raise ConfigError(f"the map has '{one}' without '{other}': name both, or map their sum to 'tokens'.")
        if "usd" in self.columns and "pusd" in self.columns:
            raise ConfigError("the map has both 'usd' and 'pusd': name one of them.")
        if self.zero_tokens not in ("known", "unknown"):
            raise ConfigError(unknown("value of zero_tokens", self.zero_tokens, ("known", "unknown")))
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise ConfigError(f"threshold={self.threshold}: must be above 0 and at most 1.")
        for agent, measures in self.unknown.items():
            for name in measures:
                if name not in MEASURES:
                    raise ConfigError(f"unknown.{agent}: {unknown('measure', name, MEASURES)}")
        for word, ours in self.statuses.items():
            if ours not in STATUSES:
                raise ConfigError(unknown(f"status for '{word}'", ours, STATUSES))

    def changed(self, **options: Any) -> ColumnMap:
        """The same with the options that are not None."""
        return replace(self, **{k: v for k, v in options.items() if v is not None})

    def with_price(self, model: str, price_in: float | None, price_out: float | None) -> ColumnMap:
        """The same with a price for a model. Raises ConfigError where only one of the two is given."""
        if price_in is None and price_out is None:
            return self
        if price_in is None or price_out is None:
            raise ConfigError("--price-in and --price-out go together: USD a million tokens read, and written.")
        return replace(self, prices={**self.prices, model: Card(price_in, price_out)})

    @property
    def facts(self) -> dict[str, Any]:
        """All of it as JSON values, for the manifest."""
        cards = {model: [card.input, card.output] for model, card in self.prices.items()}
        columns = {k: list(v) if isinstance(v, tuple) else v for k, v in self.columns.items()}
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**plain, "columns": columns, "prices": cards, "statuses": dict(self.statuses),
                "family": list(self.family), "unknown": {a: list(m) for a, m in self.unknown.items()}}  # fmt: skip


def parse(text: str) -> ColumnMap:
    """``export``, ``key=column,…``, or the path of a YAML file. Raises ConfigError naming what is wrong."""
    if text == BUILT_IN:
        return ColumnMap(dict(EXPORTED), zero_tokens="known")
    if "=" in text and not Path(text).is_file():
        return ColumnMap(_inline(text))
    return _from_file(Path(text))


def _inline(text: str) -> dict[str, str | tuple[str, ...]]:
    columns: dict[str, str | tuple[str, ...]] = {}
    for pair in text.split(","):
        key, equals, column = (part.strip() for part in pair.partition("="))
        if not equals or not key or not column:
            raise ConfigError(f"--map: '{pair}' is not KEY=COLUMN. A column with a comma in its name needs a YAML map.")
        _put(columns, key, column, "--map")
    return columns


def _put(columns: dict[str, str | tuple[str, ...]], key: str, column: str | tuple[str, ...], where: str) -> None:
    name = ALIASES.get(key.lower(), key.lower())
    if name not in FIELDS:
        raise ConfigError(f"{where}: {unknown('field', key, FIELDS, HELP)}")
    if name in columns:
        raise ConfigError(f"{where}: '{name}' is named twice.")
    columns[name] = column


def _from_file(path: Path) -> ColumnMap:
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"--map '{path}' is no file that can be read ({error}). Name a YAML file, or KEY=COLUMN,…, or '{BUILT_IN}' "
            f"for the runs that `export` writes."
        ) from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML ({' '.join(str(error).split())}). {HELP}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: expected keys with values, as `columns: {{agent: COLUMN, …}}`. {HELP}")
    known = {f.name for f in fields(ColumnMap)}
    for key in content:
        if key not in known:
            hint = f"Fields stand under 'columns'. {HELP}" if str(key).lower() in {*FIELDS, *ALIASES} else HELP
            raise ConfigError(f"{path}: {unknown('key', key, known, hint)}")
    if not isinstance(content.get("columns"), dict):
        raise ConfigError(f"{path}: 'columns' must map fields to columns, as `columns: {{agent: COLUMN, …}}`. {HELP}")
    columns: dict[str, str | tuple[str, ...]] = {}
    for key, column in content["columns"].items():
        several = isinstance(column, list)
        names = column if several else [column]
        if not names or not all(isinstance(n, str) and n for n in names):
            raise ConfigError(f"{path}: columns.{key} must be a column's name, in quotes where YAML reads another "
                              f"thing, or a list of them, got {column!r}.")  # fmt: skip
        _put(columns, str(key), tuple(names) if several else column, f"{path}: columns")
    rest = {key: _READ[key](value, f"{path}: {key}") for key, value in content.items() if key != "columns"}
    return ColumnMap(columns, **rest)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where} must be a text, got {value!r}.")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
        raise ConfigError(f"{where} must be a list of texts, got {value!r}.")
    return tuple(value)


def _measures(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must map agents to lists of {', '.join(MEASURES)}, got {value!r}.")
    return {str(agent): _texts(names, f"{where}.{agent}") for agent, names in value.items()}


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where} must be true or false, got {value!r}.")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{where} must be a number, got {value!r}.")
    return float(value)


def _words(value: Any, where: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise ConfigError(f"{where} must map words to {', '.join(sorted(STATUSES))}, got {value!r}.")
    return {str(k): v for k, v in value.items()}


def _cards(value: Any, where: str) -> dict[str, Card]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must map models to [USD, USD] a million tokens read and written, got {value!r}.")
    made = {}
    for model, pair in value.items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise ConfigError(f"{where}.{model} must be [USD, USD] a million tokens read and written, got {pair!r}.")
        made[str(model)] = Card(*(_number(p, f"{where}.{model}") for p in pair))
    return made


_READ: Mapping[str, Callable[[Any, str], Any]] = {
    "single": _text,
    "family": _texts,
    "task": _text,
    "experiment": _text,
    "threshold": _number,
    "percent": _truth,
    "statuses": _words,
    "prices": _cards,
    "unknown": _measures,
    "zero_tokens": _text,
    "join": lambda value, where: value if value == "" else _text(value, where),
}
