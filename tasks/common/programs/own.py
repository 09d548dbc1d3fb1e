"""The suites' own functions as functions to write."""

from __future__ import annotations

from tasks.common.programs.cases import tests_of
from tasks.common.programs.function import Function
from tasks.common.programs.pool.material import Material


def function_of(material: Material) -> Function:
    """A function of the pool, in a file of its own name."""
    name = material.name
    shown = "; ".join(f"{call} == {wanted}" for call, wanted in material.examples)
    return Function(
        name=name,
        file=f"{name}.py",
        asked=f"def {material.signature}: {material.text} Examples: {shown}",
        solution=material.solution,
        wrong=material.wrong,
        tests=tests_of(name, name, (*material.examples, *material.cases), material.refused),
        examples=tests_of(name, name, material.examples),
    )
