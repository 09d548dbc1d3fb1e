"""A script that never ends ends by a limit: its rounds are counted, all of them, over the whole run."""

from __future__ import annotations

import ast

STEP = "<step>"
"""The name under which a script counts: none that a script could write."""


class _Metered(ast.NodeTransformer):
    """Counts each round of a loop or comprehension and each call of a function."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._body(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._body(node)

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._body(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        return self._body(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._body(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.copy_location(ast.BoolOp(ast.Or(), [_call(node), node.body]), node.body)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, ast.copy_location(ast.UnaryOp(ast.Not(), _call(node.iter)), node.iter))
        return node

    def _body(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_call(node)), node))
        return node


def _call(at: ast.AST) -> ast.Call:
    name = ast.copy_location(ast.Name(STEP, ast.Load()), at)
    return ast.copy_location(ast.Call(name, [], []), at)


def metered(tree: ast.Module) -> ast.Module:
    """The same script, calling a function (which returns None) at each round and each function's entry."""
    made: ast.Module = _Metered().visit(tree)
    return ast.fix_missing_locations(made)
