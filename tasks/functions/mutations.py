"""Plausible wrong solutions made of a right one, by its syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from tasks.common.programs.source import definition, parsed

MOST = 3
_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

Definition = ast.FunctionDef | ast.AsyncFunctionDef


def mutations(source: str, name: str) -> tuple[str, ...]:
    """Whole files in which one thing of the function is changed: a comparison, a number by one, a statement dropped, or
    else what it returns. At most ``MOST``, at least two, none like another or like the source. Nobody has tested them:
    one may happen to do the same."""
    tree = parsed(source)
    if tree is None or definition(tree, name) is None:
        return ()
    known = {ast.unparse(tree)}
    found: list[str] = []
    for change in (_comparison, _number, _dropped, _constant, _listed):
        changed = copy.deepcopy(tree)
        function = definition(changed, name)
        if function is not None and change(function):
            text = ast.unparse(changed)
            if text not in known:
                known.add(text)
                found.append(text)
    return tuple(found[:MOST])


Change = Callable[[Definition], bool]
"""Changes one thing in place; False if there is no such thing."""


def _comparison(function: Definition) -> bool:
    for node in _code(function):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED:
            node.ops[0] = _SWAPPED[type(node.ops[0])]()
            return True
    return False


def _number(function: Definition) -> bool:
    for node in _code(function):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
            return True
    return False


def _dropped(function: Definition) -> bool:
    """The last loop, branch or assignment in place, so that what follows still finds its names."""
    for at in range(len(function.body) - 1, -1, -1):
        if isinstance(function.body[at], ast.For | ast.While | ast.If | ast.AugAssign):
            del function.body[at]
            return bool(function.body)
    return False


def _constant(function: Definition) -> bool:
    return _returned(function, lambda value: ast.Constant(None))


def _listed(function: Definition) -> bool:
    return _returned(function, lambda value: ast.List([value], ast.Load()))


def _returned(function: Definition, other: Callable[[ast.expr], ast.expr]) -> bool:
    returns = [node for node in _code(function) if isinstance(node, ast.Return) and node.value is not None]
    for node in returns:
        if node.value is not None:
            node.value = ast.copy_location(other(node.value), node)
    if returns:
        ast.fix_missing_locations(function)
    return bool(returns)


def _code(function: Definition) -> Iterator[ast.AST]:
    """The nodes of its body in the order of the source, those of functions in it left out."""
    for statement in function.body:
        yield from _walked(statement)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walked(child)
