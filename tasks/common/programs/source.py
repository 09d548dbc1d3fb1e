"""Source text that came as an answer, looked at without executing any of it."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Iterator

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MAX_CHARS = 200_000
"""A longer text is no function."""


def parsed(source: str) -> ast.Module | None:
    """Its syntax tree; None if it is no Python, whatever it is instead."""
    if len(source) > MAX_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def definition(tree: ast.Module, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The last function of this name at the top of a module."""
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == name]
    return found[-1] if found else None


def defines(source: str, *names: str) -> bool:
    """Whether it is Python that gives a module all of these names itself: by a definition or an assignment, not by an
    import. What returns or yields outside of any function is the body of one, and gives a module none."""
    tree = parsed(source)
    if tree is None:
        return False
    outside = list(_outside(tree))
    if any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in outside):
        return False
    given = {node.name for node in outside if isinstance(node, _DEFINITIONS)}
    given |= {node.id for node in outside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return given.issuperset(names)


def completed(prompt: str, name: str, code: str) -> str | None:
    """A whole file from a prompt, which ends with the head of the function, and an answer to it; None if they make
    none.

    As the usual evaluators of HumanEval do: an answer that defines the function itself (``defines``) follows what
    stands before the function in the prompt (imports, helpers); any other is taken for the function's body and follows
    the prompt as it is. A body whose indent was lost, on all lines or on the first alone, gets it back.
    """
    if defines(code, name):
        return code if "from __future__" in code else preamble(prompt, name) + code
    for body in _bodies(code):
        source = f"{prompt.rstrip()}\n{body}"
        tree = parsed(source)
        made = None if tree is None else definition(tree, name)
        if made is not None and len(made.body) > (ast.get_docstring(made) is not None):
            return source
    return None


def preamble(prompt: str, name: str) -> str:
    """What stands in a prompt before its function."""
    made = head(prompt, name)
    if made is None:
        return ""
    first = min([made.lineno, *(d.lineno for d in made.decorator_list)])
    return "".join(f"{line}\n" for line in prompt.split("\n")[: first - 1])


def head(prompt: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function that a prompt begins; None if it ends with the head of no such function."""
    tree = parsed(f"{prompt.rstrip()}\n    pass\n")
    return None if tree is None else definition(tree, name)


def _outside(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node that is inside of no function, class or comprehension, these themselves included."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))


def _bodies(code: str) -> Iterator[str]:
    lines = code.strip("\n")
    if lines[:1].isspace():
        yield lines + "\n"
    else:
        yield textwrap.indent(lines, "    ") + "\n"
        yield f"    {lines}\n"
