"""Larger functions that keep account of something, or go through a board."""

from __future__ import annotations

from tasks.common.programs.pool.material import Material

KEEPING = (
    Material(
        "balances(lines: list[str]) -> dict[str, int]",
        "Carry out lines in order and give what every account holds that anything was ever put into: 'deposit ANN 10' "
        "puts 10 in, 'withdraw ANN 5' takes 5 out, 'transfer ANN BOB 7' moves 7; what would take more out than is "
        "there is passed over; words are separated by blanks, amounts are whole numbers; raise ValueError for any "
        "other line.",
        """\
def balances(lines):
    held = {}
    for line in lines:
        words = line.split()
        kind = (words[0], len(words)) if words else ("", 0)
        if kind not in (("deposit", 3), ("withdraw", 3), ("transfer", 4)) or not words[-1].isdigit():
            raise ValueError(f"{line!r} cannot be carried out")
        amount = int(words[-1])
        if words[0] != "deposit":
            if held.get(words[1], 0) < amount:
                continue
            if words[1] in held:
                held[words[1]] -= amount
        if words[0] != "withdraw":
            target = words[-2]
            held[target] = held.get(target, 0) + amount
    return held
""",
        examples=(("balances(['deposit ANN 10', 'transfer ANN BOB 7'])", "{'ANN': 3, 'BOB': 7}"),),
        cases=(
            ("balances([])", "{}"),
            ("balances(['deposit A 5', 'withdraw A 5'])", "{'A': 0}"),
            ("balances(['deposit A 5', 'withdraw A 6'])", "{'A': 5}"),
            ("balances(['transfer A B 1', 'deposit A 1'])", "{'A': 1}"),
            ("balances(['withdraw C 1'])", "{}"),
            ("balances(['deposit A 2', 'deposit A 3', 'transfer A A 4'])", "{'A': 5}"),
        ),
        refused=("balances(['steal A 5'])", "balances(['deposit A'])", "balances([''])", "balances(['deposit A x'])"),
        slips=(
            ("held.get(words[1], 0) < amount", "held.get(words[1], 0) <= amount"),
            ("held.get(target, 0) + amount", "amount"),
            ("                continue", "                break"),
        ),
    ),
    Material(
        "next_generation(cells: list[tuple[int, int]]) -> list[tuple[int, int]]",
        "Give the next generation of Conway's game of life on an endless board, sorted: of the living cells (x, y) "
        "those with two or three living neighbours among the eight around them stay alive, and a dead cell with "
        "exactly three comes alive.",
        """\
def next_generation(cells):
    alive = set(cells)
    neighbours = {}
    for x, y in alive:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx, dy) != (0, 0):
                    place = (x + dx, y + dy)
                    neighbours[place] = neighbours.get(place, 0) + 1
    return sorted(place for place, count in neighbours.items() if count == 3 or (count == 2 and place in alive))
""",
        examples=(("next_generation([(0, 0), (0, 1), (0, 2)])", "[(-1, 1), (0, 1), (1, 1)]"),),
        cases=(
            ("next_generation([])", "[]"),
            ("next_generation([(5, 5)])", "[]"),
            ("next_generation([(0, 0), (0, 1)])", "[]"),
            ("next_generation([(0, 0), (0, 1), (1, 0)])", "[(0, 0), (0, 1), (1, 0), (1, 1)]"),
            ("next_generation([(1, 1), (0, 0), (0, 1), (1, 0)])", "[(0, 0), (0, 1), (1, 0), (1, 1)]"),
            (
                "next_generation([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)])",
                "[(-1, 1), (0, 0), (0, 2), (1, 0), (1, 2), (2, 1)]",
            ),
        ),
        slips=(
            ("count == 3 or (count == 2 and place in alive)", "count == 3"),
            ("(count == 2 and place in alive)", "count == 2"),
            ("                if (dx, dy) != (0, 0):", "                if dx or not dy:"),
        ),
    ),
    Material(
        "spiral(rows: list[list[int]]) -> list[int]",
        "Give the values of a rectangle of rows in the order of a spiral that begins with the first row from left to "
        "right and turns right at every corner, until each value has come once.",
        """\
def spiral(rows):
    found = []
    top, bottom = 0, len(rows)
    left, right = 0, len(rows[0]) if rows else 0
    while top < bottom and left < right:
        found += rows[top][left:right]
        found += [rows[row][right - 1] for row in range(top + 1, bottom)]
        if bottom - top > 1:
            found += [rows[bottom - 1][column] for column in range(right - 2, left - 1, -1)]
        if right - left > 1:
            found += [rows[row][left] for row in range(bottom - 2, top, -1)]
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
    return found
""",
        examples=(("spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]])", "[1, 2, 3, 6, 9, 8, 7, 4, 5]"),),
        cases=(
            ("spiral([])", "[]"),
            ("spiral([[]])", "[]"),
            ("spiral([[1]])", "[1]"),
            ("spiral([[1, 2, 3]])", "[1, 2, 3]"),
            ("spiral([[1], [2], [3]])", "[1, 2, 3]"),
            ("spiral([[1, 2], [3, 4], [5, 6]])", "[1, 2, 4, 6, 5, 3]"),
            ("spiral([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])", "[1, 2, 3, 4, 8, 12, 11, 10, 9, 5, 6, 7]"),
        ),
        slips=(
            ("if bottom - top > 1:", "if True:"),
            ("if right - left > 1:", "if True:"),
            ("range(bottom - 2, top, -1)", "range(bottom - 2, top - 1, -1)"),
        ),
    ),
    Material(
        "sudoku_consistent(rows: list[str]) -> bool",
        "Tell whether a sudoku that is filled in part breaks no rule: nine rows of nine characters, digits 1 to 9 or "
        "'.' for an empty field, no digit twice in a row, a column or one of the nine boxes of three by three; False "
        "for any other form of rows.",
        """\
def sudoku_consistent(rows):
    if len(rows) != 9 or any(len(row) != 9 or not set(row) <= set(".123456789") for row in rows):
        return False
    seen = set()
    for y, row in enumerate(rows):
        for x, digit in enumerate(row):
            if digit == ".":
                continue
            for place in (("row", y), ("column", x), ("box", y // 3, x // 3)):
                if (place, digit) in seen:
                    return False
                seen.add((place, digit))
    return True
""",
        examples=(("sudoku_consistent(['.........'] * 9)", "True"), ("sudoku_consistent(['5...5....'] * 9)", "False")),
        cases=(
            ("sudoku_consistent([])", "False"),
            ("sudoku_consistent(['.........'] * 8)", "False"),
            ("sudoku_consistent(['........'] * 9)", "False"),
            ("sudoku_consistent(['0........'] + ['.........'] * 8)", "False"),
            ("sudoku_consistent(['1........', '.........', '..1......'] + ['.........'] * 6)", "False"),
            ("sudoku_consistent(['1........', '...1.....', '......1..'] + ['.........'] * 6)", "True"),
            ("sudoku_consistent(['1........'] + ['.........'] * 7 + ['1........'])", "False"),
            ("sudoku_consistent(['..7...7..'] + ['.........'] * 8)", "False"),
            ("sudoku_consistent(['123456789'] + ['.........'] * 7 + ['234567891'])", "True"),
        ),
        slips=(
            (', ("box", y // 3, x // 3)', ""),
            (', ("column", x)', ""),
            ('".123456789"', '".0123456789"'),
        ),
    ),
    Material(
        "finish_times(jobs: list[tuple[str, int]], turn: int) -> list[tuple[str, int]]",
        "Jobs (name, time needed) wait in a queue: the first gets up to `turn` units of time, then goes to the end of "
        "the queue unless it is done, and so on; give (name, time at which it is done) in the order in which jobs are "
        "done; a job that needs no time is done as soon as it is first in the queue; raise ValueError for a turn "
        "below 1.",
        """\
def finish_times(jobs, turn):
    if turn < 1:
        raise ValueError("a turn takes at least 1")
    queue = list(jobs)
    now, done = 0, []
    while queue:
        name, left = queue.pop(0)
        spent = min(left, turn)
        now += spent
        if left > spent:
            queue.append((name, left - spent))
        else:
            done.append((name, now))
    return done
""",
        examples=(("finish_times([('a', 3), ('b', 1)], 2)", "[('b', 3), ('a', 4)]"),),
        cases=(
            ("finish_times([], 1)", "[]"),
            ("finish_times([('a', 0)], 5)", "[('a', 0)]"),
            ("finish_times([('a', 2), ('b', 2)], 2)", "[('a', 2), ('b', 4)]"),
            ("finish_times([('a', 5), ('b', 0), ('c', 3)], 2)", "[('b', 2), ('c', 7), ('a', 8)]"),
            ("finish_times([('x', 4), ('x', 1)], 1)", "[('x', 2), ('x', 5)]"),
            ("[finish_times(given := [('a', 2)], 1), given]", "[[('a', 2)], [('a', 2)]]"),
        ),
        refused=("finish_times([('a', 1)], 0)",),
        slips=(
            ("queue.append((name, left - spent))", "queue.insert(0, (name, left - spent))"),
            ("now += spent", "now += turn"),
            ("list(jobs)", "jobs"),
        ),
    ),
    Material(
        "ranking(scores: dict[str, int]) -> list[tuple[int, str, int]]",
        "Rank names by score, the highest first, as (rank, name, score): equal scores share a rank and leave out as "
        "many ranks after it, as in 1, 2, 2, 4, and stand in the order of the alphabet.",
        """\
def ranking(scores):
    ranked = []
    for place, (name, score) in enumerate(sorted(scores.items(), key=lambda item: (-item[1], item[0])), 1):
        rank = ranked[-1][0] if ranked and ranked[-1][2] == score else place
        ranked.append((rank, name, score))
    return ranked
""",
        examples=(("ranking({'b': 7, 'a': 7, 'c': 9})", "[(1, 'c', 9), (2, 'a', 7), (2, 'b', 7)]"),),
        cases=(
            ("ranking({})", "[]"),
            ("ranking({'x': 0})", "[(1, 'x', 0)]"),
            ("ranking({'a': 1, 'b': 1, 'c': 0})", "[(1, 'a', 1), (1, 'b', 1), (3, 'c', 0)]"),
            ("ranking({'d': 5, 'c': 5, 'b': 5, 'a': -1})", "[(1, 'b', 5), (1, 'c', 5), (1, 'd', 5), (4, 'a', -1)]"),
            ("ranking({'a': 1, 'b': 2, 'c': 3})", "[(1, 'c', 3), (2, 'b', 2), (3, 'a', 1)]"),
        ),
        slips=(
            ("else place", "else (ranked[-1][0] if ranked else 0) + 1"),
            ("(-item[1], item[0])", "-item[1]"),
            ("(-item[1], item[0])", "(item[1], item[0])"),
        ),
    ),
    Material(
        "cost_of_sold(purchases: list[tuple[int, int]], sold: int) -> int",
        "Give what `sold` units cost when they were bought, where purchases (units, price of one) are used up in their "
        "order, the first first; raise ValueError if `sold` is below 0 or more than was bought.",
        """\
def cost_of_sold(purchases, sold):
    if sold < 0:
        raise ValueError("nothing can be sold less than never")
    cost, left = 0, sold
    for units, price in purchases:
        used = min(units, left)
        cost += used * price
        left -= used
    if left:
        raise ValueError("more was sold than bought")
    return cost
""",
        examples=(("cost_of_sold([(10, 2), (5, 3)], 12)", "26"),),
        cases=(
            ("cost_of_sold([], 0)", "0"),
            ("cost_of_sold([(3, 7)], 0)", "0"),
            ("cost_of_sold([(3, 7)], 3)", "21"),
            ("cost_of_sold([(1, 10), (1, 1), (1, 5)], 2)", "11"),
            ("cost_of_sold([(2, 4), (0, 9), (2, 6)], 4)", "20"),
        ),
        refused=("cost_of_sold([(3, 7)], 4)", "cost_of_sold([], 1)", "cost_of_sold([(3, 7)], -1)"),
        slips=(
            ("in purchases:", "in reversed(purchases):"),
            ("used * price", "units * price"),
            ('    if left:\n        raise ValueError("more was sold than bought")\n', ""),
        ),
    ),
    Material(
        "bowling_score(rolls: list[int]) -> int",
        "Score a complete game of ten-pin bowling from the pins of each roll: ten frames of up to two rolls; a strike, "
        "ten pins with the first roll of a frame, ends the frame and counts ten and the next two rolls; a spare, ten "
        "pins with both, counts ten and the next roll; rolls after the tenth frame count only in this way.",
        """\
def bowling_score(rolls):
    score, at = 0, 0
    for _ in range(10):
        if rolls[at] == 10:
            score += 10 + rolls[at + 1] + rolls[at + 2]
            at += 1
        elif rolls[at] + rolls[at + 1] == 10:
            score += 10 + rolls[at + 2]
            at += 2
        else:
            score += rolls[at] + rolls[at + 1]
            at += 2
    return score
""",
        examples=(("bowling_score([3, 4] + [0] * 18)", "7"),),
        cases=(
            ("bowling_score([0] * 20)", "0"),
            ("bowling_score([1] * 20)", "20"),
            ("bowling_score([10] * 12)", "300"),
            ("bowling_score([5] * 21)", "150"),
            ("bowling_score([10, 3, 4] + [0] * 16)", "24"),
            ("bowling_score([6, 4, 5] + [0] * 17)", "20"),
            ("bowling_score([0] * 18 + [7, 3, 2])", "12"),
            ("bowling_score([0] * 18 + [10, 2, 3])", "15"),
            ("bowling_score([0, 10, 3, 4] + [0] * 16)", "20"),
        ),
        slips=(
            ("10 + rolls[at + 1] + rolls[at + 2]", "10 + rolls[at + 1]"),
            ("            at += 1\n", "            at += 2\n"),
            ("score += 10 + rolls[at + 2]", "score += 10"),
        ),
    ),
)
