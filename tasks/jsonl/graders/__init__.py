"""The graders by the name that stands in a line's field ``grader``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tasks.jsonl.graders.contains import Contains
from tasks.jsonl.graders.exact import Exact
from tasks.jsonl.graders.grader import Grader
from tasks.jsonl.graders.number import Number
from tasks.jsonl.graders.python import Python
from tasks.jsonl.graders.schema import Schema

GRADERS: Mapping[str, Grader] = MappingProxyType(
    {grader.name: grader for grader in (Exact(), Number(), Contains(), Schema(), Python())}
)
