"""The suite: options in, samples, grades and an oracle out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.common.programs.function import Function
from tasks.common.programs.own import function_of
from tasks.common.programs.pool import SMALL
from tasks.common.programs.suite import Programs
from tasks.common.sampled import at_least
from tasks.functions import humaneval


@dataclass
class Functions(Programs):
    """Small functions, our own or those of a file in HumanEval's format (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/functions.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    path: str | None = None
    functions: int = 1

    name = "functions"
    id_options = "task.path, task.functions and task.seed"
    size_option = "functions"

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(1, functions=self.functions)

    def pool(self) -> tuple[str, Sequence[Function]]:
        """The small functions of our own, or all of the file."""
        if self.path is None:
            return "own", [function_of(material) for material in SMALL]
        return humaneval.load(self.path)
