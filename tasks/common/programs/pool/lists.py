"""Small functions on lists."""

from __future__ import annotations

from tasks.common.programs.pool.material import Material

LISTS = (
    Material(
        "rotate(items: list, steps: int) -> list",
        "Give a new list in which all items stand `steps` places further right and those that leave it come back in at "
        "the front; a negative number moves left, and `steps` may be larger than the list is long.",
        """\
def rotate(items, steps):
    if not items:
        return []
    cut = -steps % len(items)
    return items[cut:] + items[:cut]
""",
        examples=(("rotate([1, 2, 3, 4], 1)", "[4, 1, 2, 3]"),),
        cases=(
            ("rotate([], 3)", "[]"),
            ("rotate([7], 5)", "[7]"),
            ("rotate([1, 2, 3], 0)", "[1, 2, 3]"),
            ("rotate([1, 2, 3], -1)", "[2, 3, 1]"),
            ("rotate([1, 2, 3], 8)", "[2, 3, 1]"),
            ("rotate([1, 2, 3], -7)", "[2, 3, 1]"),
            ("[rotate(given := [1, 2], 1), given]", "[[2, 1], [1, 2]]"),
        ),
        slips=(("-steps % len(items)", "steps % len(items)"), ("-steps % len(items)", "len(items) - steps")),
    ),
    Material(
        "window_sums(values: list[int], size: int) -> list[int]",
        "Give the sum of every run of `size` neighbouring values, in order; no sums if there are fewer values; raise "
        "ValueError for a size below 1.",
        """\
def window_sums(values, size):
    if size < 1:
        raise ValueError("a window holds at least one value")
    return [sum(values[start : start + size]) for start in range(len(values) - size + 1)]
""",
        examples=(("window_sums([1, 2, 3, 4], 2)", "[3, 5, 7]"),),
        cases=(
            ("window_sums([], 1)", "[]"),
            ("window_sums([5], 1)", "[5]"),
            ("window_sums([5, 6], 3)", "[]"),
            ("window_sums([2, -2, 4], 3)", "[4]"),
            ("window_sums([1, 1, 1, 1, 1], 4)", "[4, 4]"),
        ),
        refused=("window_sums([1, 2], 0)", "window_sums([], -1)"),
        slips=(("- size + 1", "- size"), ("size < 1", "size < 0"), ("len(values) - size + 1", "len(values)")),
    ),
    Material(
        "interleave(first: list, second: list) -> list",
        "Take items from the two lists in turn, beginning with the first; when one has ended, the rest of the other "
        "follows.",
        """\
def interleave(first, second):
    shared = min(len(first), len(second))
    mixed = []
    for place in range(shared):
        mixed += [first[place], second[place]]
    return mixed + first[shared:] + second[shared:]
""",
        examples=(("interleave([1, 3], [2, 4, 5])", "[1, 2, 3, 4, 5]"),),
        cases=(
            ("interleave([], [])", "[]"),
            ("interleave([1], [])", "[1]"),
            ("interleave([], [1, 2])", "[1, 2]"),
            ("interleave([1, 2, 3], [9])", "[1, 9, 2, 3]"),
            ("interleave(['a', 'b'], ['c', 'd'])", "['a', 'c', 'b', 'd']"),
        ),
        slips=((" + second[shared:]", ""), ("[first[place], second[place]]", "[second[place], first[place]]")),
    ),
    Material(
        "merge_intervals(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]",
        "Unite closed intervals (start, end) that overlap or have an end in common, and give them by their start; the "
        "list that is given stays as it is.",
        """\
def merge_intervals(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
""",
        examples=(("merge_intervals([(5, 8), (1, 3), (2, 4)])", "[(1, 4), (5, 8)]"),),
        cases=(
            ("merge_intervals([])", "[]"),
            ("merge_intervals([(1, 2), (2, 3)])", "[(1, 3)]"),
            ("merge_intervals([(1, 9), (2, 3)])", "[(1, 9)]"),
            ("merge_intervals([(1, 2), (3, 4)])", "[(1, 2), (3, 4)]"),
            ("merge_intervals([(4, 4), (4, 4)])", "[(4, 4)]"),
            ("merge_intervals([(1, 9), (2, 3), (8, 10), (-5, -1)])", "[(-5, -1), (1, 10)]"),
            ("[merge_intervals(given := [(3, 4), (1, 2)]), given]", "[[(1, 2), (3, 4)], [(3, 4), (1, 2)]]"),
        ),
        slips=(
            ("start <= merged[-1][1]", "start < merged[-1][1]"),
            ("max(merged[-1][1], end)", "end"),
            ("sorted(intervals)", "intervals"),
        ),
    ),
    Material(
        "transpose(rows: list[list]) -> list[list]",
        "Make columns of rows, as a list of lists; raise ValueError if the rows are not all equally long.",
        """\
def transpose(rows):
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the rows are not equally long")
    return [list(column) for column in zip(*rows)]
""",
        examples=(("transpose([[1, 2, 3], [4, 5, 6]])", "[[1, 4], [2, 5], [3, 6]]"),),
        cases=(
            ("transpose([])", "[]"),
            ("transpose([[1]])", "[[1]]"),
            ("transpose([[], []])", "[]"),
            ("transpose([['a', 'b']])", "[['a'], ['b']]"),
            ("transpose([[1], [2], [3]])", "[[1, 2, 3]]"),
        ),
        refused=("transpose([[1, 2], [3]])", "transpose([[], [1]])"),
        slips=(("list(column) for", "column for"), ("> 1", "> 2")),
    ),
    Material(
        "missing_between(values: list[int]) -> list[int]",
        "Give the whole numbers between the smallest and the largest value that are not among the values, from small "
        "to large; of no values there are none.",
        """\
def missing_between(values):
    if not values:
        return []
    present = set(values)
    return [number for number in range(min(values), max(values)) if number not in present]
""",
        examples=(("missing_between([7, 3, 5])", "[4, 6]"),),
        cases=(
            ("missing_between([])", "[]"),
            ("missing_between([5])", "[]"),
            ("missing_between([1, 2, 3])", "[]"),
            ("missing_between([-2, 1])", "[-1, 0]"),
            ("missing_between([4, 4, 6, 6])", "[5]"),
        ),
        slips=(("range(min(values), ", "range("), ("range(min(values), ", "range(values[0], "), ("not in", "in")),
    ),
    Material(
        "is_subsequence(short: str, long: str) -> bool",
        "Tell whether the characters of `short` stand in `long` in the same order, others between them allowed.",
        """\
def is_subsequence(short, long):
    rest = iter(long)
    return all(character in rest for character in short)
""",
        examples=(("is_subsequence('ace', 'abcde')", "True"), ("is_subsequence('aec', 'abcde')", "False")),
        cases=(
            ("is_subsequence('', '')", "True"),
            ("is_subsequence('', 'x')", "True"),
            ("is_subsequence('x', '')", "False"),
            ("is_subsequence('aa', 'ba')", "False"),
            ("is_subsequence('aa', 'aba')", "True"),
            ("is_subsequence('abc', 'abc')", "True"),
        ),
        slips=(("iter(long)", "long"), ("all(character in rest for character in short)", "short in long")),
    ),
    Material(
        "flatten(nested: list) -> list",
        "Give all items of a list and of the lists in it, however deep, as one list in order; tuples and texts are "
        "items and stay whole.",
        """\
def flatten(nested):
    flat = []
    for item in nested:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(item)
    return flat
""",
        examples=(("flatten([1, [2, [3]], 4])", "[1, 2, 3, 4]"),),
        cases=(
            ("flatten([])", "[]"),
            ("flatten([[], [[]]])", "[]"),
            ("flatten([(1, [2]), [3]])", "[(1, [2]), 3]"),
            ("flatten(['ab', ['cd']])", "['ab', 'cd']"),
            ("flatten([[[[5]]], None])", "[5, None]"),
            ("[flatten(given := [[1], 2]), given]", "[[1, 2], [[1], 2]]"),
        ),
        slips=(("isinstance(item, list)", "isinstance(item, (list, tuple))"), ("flatten(item)", "item")),
    ),
)
