"""The part of a suite that is the same in every one: which of its samples are run, and keeping a few of them made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, TypeVar

from harness.errors import ConfigError, CorpusError, unknown
from harness.suite import Sample

KEPT, LEAST_KEPT = 16, 2
"""Samples whose material stays in memory between calls; any other is made again when asked for."""
KEPT_TOKENS = 1_000_000
"""Tokens of material from which fewer are kept."""
MOST_SAMPLES = 10_000
"""Samples that a suite makes at most; a file of one's own may have more."""
MOST_SHOWN = 20
"""Ids that an error lists."""

P = TypeVar("P")


@dataclass(kw_only=True)
class Sampled(ABC, Generic[P]):
    """Base of the suites (``harness.suite.Suite``), with the options that each has (``conf/task/*.yaml``).

    ``seed``: of everything that is drawn. ``limit``: only the first so many samples. ``only`` (option ``sample_ids``,
    whose own name the method has): only these. ``pass_threshold``: the score from which a run has passed. A suite says
    what its samples are called (``read``) and makes one of them (``build``): what a solver may see, and the problem
    behind it, which only the suite's own methods see. Raises ConfigError for a value that no material could use, and
    from ``load`` CorpusError for one that this material cannot.
    """

    seed: int = 0
    limit: int | None = None
    only: list[str] | None = field(default=None, metadata={"key": "sample_ids"})
    pass_threshold: float = 1.0

    name: ClassVar[str]
    id_options: ClassVar[str] = "task.seed"
    """The options that sample ids depend on, for the error about an unknown one."""

    def __post_init__(self) -> None:
        at_least(1, limit=self.limit)
        within(1, MOST_SAMPLES, samples=getattr(self, "samples", None))
        if not 0 <= self.pass_threshold <= 1:
            raise ConfigError(f"task.pass_threshold={self.pass_threshold} must be between 0 and 1.")
        if self.only is not None and not self.only:
            raise ConfigError("task.sample_ids is an empty list: name at least one sample, or leave the option out.")
        self._numbers: dict[str, int] | None = None
        self._kept: OrderedDict[str, tuple[Sample, P]] = OrderedDict()

    @abstractmethod
    def read(self) -> Sequence[str]:
        """Read and check the material, once; the ids of all samples in order, whatever ``limit`` and ``only`` say."""

    @abstractmethod
    def build(self, sample_id: str, number: int) -> tuple[Sample, P]:
        """Make one sample. ``number``: its place in what ``read`` returned."""

    def load(self) -> None:
        """Read and check the material; a second call does nothing."""
        self._loaded()

    def sample_ids(self) -> Sequence[str]:
        """All sample ids in order, after the options ``limit`` and ``sample_ids``."""
        return list(self._loaded())

    def sample(self, sample_id: str) -> Sample:
        """What a solver may see. Raises CorpusError for an unknown id."""
        return self._made(sample_id)[0]

    def problem(self, sample_id: str) -> P:
        """What is behind a sample, its key included. Topologies cannot reach it: they get a Sample and its tools, never
        the suite."""
        return self._made(sample_id)[1]

    def _loaded(self) -> dict[str, int]:
        if self._numbers is None:
            ids = self.read()
            numbers = {sample_id: i for i, sample_id in enumerate(ids)}
            if self.only is not None:
                for chosen in self.only:
                    if chosen not in numbers:
                        raise self._unknown(chosen, ids)
                numbers = {i: numbers[i] for i in sorted(set(self.only), key=numbers.__getitem__)}
            self._numbers = dict(list(numbers.items())[: self.limit])
        return self._numbers

    def _made(self, sample_id: str) -> tuple[Sample, P]:
        numbers = self._loaded()
        if sample_id not in numbers:
            raise self._unknown(sample_id, numbers)
        if sample_id not in self._kept:
            self._kept[sample_id] = self.build(sample_id, numbers[sample_id])
            while len(self._kept) > KEPT or (len(self._kept) > LEAST_KEPT and self._size() > KEPT_TOKENS):
                self._kept.popitem(last=False)
        self._kept.move_to_end(sample_id)
        return self._kept[sample_id]

    def _size(self) -> int:
        return sum(sample.material_tokens for sample, _ in self._kept.values())

    def _unknown(self, sample_id: str, known: Iterable[str]) -> CorpusError:
        shown = list(known)
        choices = shown if len(shown) <= MOST_SHOWN else [*shown[:10], "…", *shown[-2:]]
        return CorpusError(unknown("sample", sample_id, choices, f"Ids change with {self.id_options}."))


def each_once(option: str, chosen: Sequence[str], known: Collection[str]) -> None:
    """Raise ConfigError for a list of names (an option in ``task.*``) that names something unknown, or twice, or
    nothing."""
    for name in chosen:
        if name not in known:
            raise ConfigError(unknown(f"task.{option} entry", name, known))
    if not chosen or len(set(chosen)) < len(chosen):
        raise ConfigError(f"task.{option}={list(chosen)} must name each of them once, and at least one.")


def within(least: int, most: int, **options: int | None) -> None:
    """Raise ConfigError for an option (by its name in ``task.*``) that is set to less or to more. An upper bound stands
    where more would fill the machine before the first sample: such a run is a slip of the hand."""
    at_least(least, **options)
    for option, value in options.items():
        if value is not None and value > most:
            raise ConfigError(f"task.{option}={value} is too large: it must be at most {most:,}.")


def at_least(least: int, **options: int | None) -> None:
    """Raise ConfigError for an option (by its name in ``task.*``) that is set to less."""
    for option, value in options.items():
        if value is not None and value < least:
            raise ConfigError(f"task.{option}={value} is too small: it must be at least {least}.")


def numbered(prefix: str, count: int) -> list[str]:
    """So many sample ids: ``prefix-00``, ``prefix-01``, … in as many digits as the last one needs, at least two."""
    digits = max(2, len(str(count - 1)))
    return [f"{prefix}-{i:0{digits}d}" for i in range(count)]
