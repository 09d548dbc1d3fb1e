"""Larger functions that search, count or plan."""

from __future__ import annotations

from tasks.common.programs.pool.material import Material

SEARCHING = (
    Material(
        "work_order(needs: dict[str, list[str]]) -> list[str]",
        "Put tasks in an order in which each stands after all that it needs; `needs` gives for a task what it needs, "
        "and what is only named there is a task too; of all tasks that could come next the first in the alphabet "
        "does; raise ValueError if tasks need each other in a circle.",
        """\
def work_order(needs):
    waiting = {task: set(needed) for task, needed in needs.items()}
    for needed in needs.values():
        for task in needed:
            waiting.setdefault(task, set())
    order = []
    while waiting:
        free = [task for task, needed in waiting.items() if not needed]
        if not free:
            raise ValueError("tasks need each other in a circle")
        task = min(free)
        order.append(task)
        del waiting[task]
        for needed in waiting.values():
            needed.discard(task)
    return order
""",
        examples=(("work_order({'paint': ['build'], 'build': ['plan']})", "['plan', 'build', 'paint']"),),
        cases=(
            ("work_order({})", "[]"),
            ("work_order({'b': [], 'a': []})", "['a', 'b']"),
            ("work_order({'a': ['c'], 'b': []})", "['b', 'c', 'a']"),
            ("work_order({'d': ['a'], 'b': ['d', 'a'], 'c': []})", "['a', 'c', 'd', 'b']"),
            ("work_order({'z': ['y', 'y'], 'x': ['z']})", "['y', 'z', 'x']"),
        ),
        refused=("work_order({'a': ['b'], 'b': ['a']})", "work_order({'a': ['a']})"),
        slips=(
            ("min(free)", "free[0]"),
            ("min(free)", "max(free)"),
            ('            raise ValueError("tasks need each other in a circle")', "            return order"),
        ),
    ),
    Material(
        "maze_steps(grid: list[str]) -> int",
        "Give the fewest steps up, down, left or right over free fields from the first field of the first row to the "
        "last field of the last row; '.' is a free field, '#' a wall, all rows are equally long; -1 if there is no "
        "way, also if one of the two fields is a wall or there are no fields.",
        """\
def maze_steps(grid):
    if not grid or not grid[0] or grid[0][0] == "#":
        return -1
    goal = (len(grid) - 1, len(grid[0]) - 1)
    steps = {(0, 0): 0}
    queue = [(0, 0)]
    for row, column in queue:
        if (row, column) == goal:
            return steps[goal]
        for place in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            inside = 0 <= place[0] <= goal[0] and 0 <= place[1] <= goal[1]
            if inside and place not in steps and grid[place[0]][place[1]] == ".":
                steps[place] = steps[row, column] + 1
                queue.append(place)
    return -1
""",
        examples=(("maze_steps(['..', '#.'])", "2"),),
        cases=(
            ("maze_steps([])", "-1"),
            ("maze_steps([''])", "-1"),
            ("maze_steps(['.'])", "0"),
            ("maze_steps(['#'])", "-1"),
            ("maze_steps(['.#'])", "-1"),
            ("maze_steps(['.#', '#.'])", "-1"),
            ("maze_steps(['...', '##.', '...', '.##', '...'])", "10"),
            ("maze_steps(['.#...', '.#.#.', '...#.'])", "10"),
        ),
        slips=(
            (", (row - 1, column)", ""),
            ('== "#":\n        return -1', '== "#":\n        return 0'),
            (", (row, column - 1)", ""),
        ),
    ),
    Material(
        "fewest_coins(amount: int, coins: list[int]) -> int | None",
        "Give the smallest number of coins that make up exactly `amount`, 0 or more, where each value in `coins` may "
        "be used as often as one likes; None if they cannot; raise ValueError if a coin is below 1.",
        """\
def fewest_coins(amount, coins):
    if any(coin < 1 for coin in coins):
        raise ValueError("a coin is worth at least 1")
    fewest = [0] + [None] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            before = fewest[total - coin] if coin <= total else None
            if before is not None and (fewest[total] is None or before + 1 < fewest[total]):
                fewest[total] = before + 1
    return fewest[amount]
""",
        examples=(("fewest_coins(6, [1, 3, 4])", "2"), ("fewest_coins(3, [2])", "None")),
        cases=(
            ("fewest_coins(0, [5])", "0"),
            ("fewest_coins(0, [])", "0"),
            ("fewest_coins(4, [])", "None"),
            ("fewest_coins(11, [5, 2])", "4"),
            ("fewest_coins(63, [1, 5, 10, 21, 25])", "3"),
            ("fewest_coins(7, [7, 1])", "1"),
        ),
        refused=("fewest_coins(3, [1, 0])", "fewest_coins(0, [-1])"),
        slips=(
            ("before + 1 < fewest[total]", "before + 1 > fewest[total]"),
            ("coin <= total", "coin < total"),
            ("(fewest[total] is None or before + 1 < fewest[total])", "fewest[total] is None"),
        ),
    ),
    Material(
        "edit_distance(first: str, second: str) -> int",
        "Give the fewest changes that turn one text into the other, where a change puts in, takes out or replaces one "
        "character.",
        """\
def edit_distance(first, second):
    above = list(range(len(second) + 1))
    for place, character in enumerate(first, 1):
        row = [place]
        for column, other in enumerate(second, 1):
            replaced = above[column - 1] + (character != other)
            row.append(min(replaced, above[column] + 1, row[-1] + 1))
        above = row
    return above[-1]
""",
        examples=(("edit_distance('kitten', 'sitting')", "3"),),
        cases=(
            ("edit_distance('', '')", "0"),
            ("edit_distance('abc', '')", "3"),
            ("edit_distance('', 'ab')", "2"),
            ("edit_distance('same', 'same')", "0"),
            ("edit_distance('ab', 'ba')", "2"),
            ("edit_distance('flaw', 'lawn')", "2"),
            ("edit_distance('a', 'abc')", "2"),
        ),
        slips=(
            ("(character != other)", "2 * (character != other)"),
            ("row = [place]", "row = [0]"),
            (", row[-1] + 1)", ")"),
        ),
    ),
    Material(
        "best_load(items: list[tuple[int, int]], capacity: int) -> int",
        "Give the highest total value of items (weight, value) that can be chosen, each at most once, with a total "
        "weight of at most `capacity`; weights are 1 or more, values 0 or more, the capacity 0 or more.",
        """\
def best_load(items, capacity):
    best = [0] * (capacity + 1)
    for weight, value in items:
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]
""",
        examples=(("best_load([(2, 3), (3, 4), (4, 5)], 5)", "7"),),
        cases=(
            ("best_load([], 10)", "0"),
            ("best_load([(1, 5)], 0)", "0"),
            ("best_load([(3, 10)], 3)", "10"),
            ("best_load([(1, 4)], 3)", "4"),
            ("best_load([(5, 10), (3, 6), (3, 6)], 6)", "12"),
            ("best_load([(6, 30), (3, 14), (4, 16), (2, 9)], 10)", "46"),
        ),
        slips=(
            ("range(capacity, weight - 1, -1)", "range(weight, capacity + 1)"),
            ("range(capacity, weight - 1, -1)", "range(capacity, weight, -1)"),
        ),
    ),
    Material(
        "rooms_needed(meetings: list[tuple[int, int]]) -> int",
        "Give the smallest number of rooms for meetings (start, end), where start is before end and a room is free "
        "again for a meeting that starts when another ends.",
        """\
def rooms_needed(meetings):
    changes = []
    for start, end in meetings:
        changes.append((start, 1))
        changes.append((end, -1))
    used = most = 0
    for _, change in sorted(changes):
        used += change
        most = max(most, used)
    return most
""",
        examples=(("rooms_needed([(9, 11), (10, 12), (11, 13)])", "2"),),
        cases=(
            ("rooms_needed([])", "0"),
            ("rooms_needed([(1, 2)])", "1"),
            ("rooms_needed([(3, 4), (1, 3)])", "1"),
            ("rooms_needed([(1, 9), (2, 3), (3, 4), (4, 5)])", "2"),
            ("rooms_needed([(1, 5), (1, 5), (1, 5)])", "3"),
            ("rooms_needed([(1, 10), (2, 7), (3, 19), (8, 12), (10, 20), (11, 30)])", "4"),
        ),
        slips=(
            ("sorted(changes)", "sorted(changes, key=lambda change: (change[0], -change[1]))"),
            ("sorted(changes)", "changes"),
            ("most = max(most, used)", "most = used"),
        ),
    ),
    Material(
        "ladder_steps(start: str, goal: str, words: list[str]) -> int",
        "Give the fewest steps from one word to another, where a step changes one letter and every word reached, the "
        "goal included, is one of `words`; 0 if start and goal are the same; -1 if there is no way.",
        """\
def ladder_steps(start, goal, words):
    left = set(words) - {start}
    reached, steps = {start}, 0
    while reached:
        if goal in reached:
            return steps
        reached = {word for word in left if any(differ_by_one(word, other) for other in reached)}
        left -= reached
        steps += 1
    return -1


def differ_by_one(first, second):
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second)) == 1
""",
        examples=(("ladder_steps('cold', 'warm', ['cord', 'word', 'ward', 'warm', 'wall'])", "4"),),
        cases=(
            ("ladder_steps('a', 'a', [])", "0"),
            ("ladder_steps('cat', 'cot', ['cot'])", "1"),
            ("ladder_steps('cat', 'cot', ['cat'])", "-1"),
            ("ladder_steps('cat', 'dog', ['cot', 'dog'])", "-1"),
            ("ladder_steps('cat', 'bats', ['bats'])", "-1"),
            ("ladder_steps('aa', 'bb', ['ab', 'ba', 'bb', 'aa'])", "2"),
        ),
        slips=(
            ("len(first) == len(second) and ", ""),
            ("set(words) - {start}", "set(words) | {goal}"),
            (")) == 1", ")) <= 2"),
        ),
    ),
    Material(
        "free_slots(busy: list[tuple[int, int]], start: int, end: int, least: int) -> list[tuple[int, int]]",
        "Give the times from `start` to `end` in which nothing is busy, as long as they go, by their start, leaving "
        "out those shorter than `least`, which is 1 or more; busy times (from, to) may overlap, may come in any "
        "order, and may reach beyond start and end.",
        """\
def free_slots(busy, start, end, least):
    slots = []
    free_from = start
    for begins, ends in sorted(busy):
        until = min(begins, end)
        if until - free_from >= least:
            slots.append((free_from, until))
        free_from = max(free_from, ends)
    if end - free_from >= least:
        slots.append((free_from, end))
    return slots
""",
        examples=(("free_slots([(10, 12), (9, 11)], 8, 14, 1)", "[(8, 9), (12, 14)]"),),
        cases=(
            ("free_slots([], 0, 5, 1)", "[(0, 5)]"),
            ("free_slots([], 0, 5, 6)", "[]"),
            ("free_slots([(0, 5)], 0, 5, 1)", "[]"),
            ("free_slots([(-3, 2), (4, 9)], 0, 6, 2)", "[(2, 4)]"),
            ("free_slots([(1, 9), (2, 3)], 0, 12, 1)", "[(0, 1), (9, 12)]"),
            ("free_slots([(8, 9)], 0, 5, 1)", "[(0, 5)]"),
            ("free_slots([(2, 3), (5, 6)], 0, 7, 2)", "[(0, 2), (3, 5)]"),
        ),
        slips=(
            ("max(free_from, ends)", "ends"),
            ("min(begins, end)", "begins"),
            ("until - free_from >= least", "until - free_from > least"),
        ),
    ),
)
