"""Small functions on numbers."""

from __future__ import annotations

from tasks.common.programs.pool.material import Material

NUMBERS = (
    Material(
        "clamp_all(values: list[int], low: int, high: int) -> list[int]",
        "Put `low` in the place of every value below it and `high` in the place of every value above it, in a new "
        "list; raise ValueError if `low` is above `high`.",
        """\
def clamp_all(values, low, high):
    if low > high:
        raise ValueError("low is above high")
    return [min(max(value, low), high) for value in values]
""",
        examples=(("clamp_all([1, 5, 9], 2, 6)", "[2, 5, 6]"),),
        cases=(
            ("clamp_all([], 0, 1)", "[]"),
            ("clamp_all([5, -5], 0, 0)", "[0, 0]"),
            ("clamp_all([2, 6], 2, 6)", "[2, 6]"),
            ("clamp_all([-7, -3, 8], -4, -1)", "[-4, -3, -1]"),
            ("[clamp_all(given := [9, 1], 2, 3), given]", "[[3, 2], [9, 1]]"),
        ),
        refused=("clamp_all([1], 3, 2)", "clamp_all([], 1, 0)"),
        slips=(("low > high", "low >= high"), ("min(max(value, low), high)", "max(value, low)")),
    ),
    Material(
        "digit_sum(number: int, base: int) -> int",
        "Add up the digits of `number`, its sign aside, as it is written in `base`; raise ValueError for a base below "
        "2.",
        """\
def digit_sum(number, base):
    if base < 2:
        raise ValueError("a base is at least 2")
    rest, total = abs(number), 0
    while rest:
        rest, digit = divmod(rest, base)
        total += digit
    return total
""",
        examples=(("digit_sum(255, 10)", "12"), ("digit_sum(6, 2)", "2")),
        cases=(
            ("digit_sum(0, 7)", "0"),
            ("digit_sum(-38, 10)", "11"),
            ("digit_sum(255, 16)", "30"),
            ("digit_sum(1000, 1000)", "1"),
            ("digit_sum(5, 100)", "5"),
        ),
        refused=("digit_sum(3, 1)", "digit_sum(0, 0)", "digit_sum(3, -2)"),
        slips=(("total += digit", "total = digit"), ("divmod(rest, base)", "divmod(rest, 10)")),
    ),
    Material(
        "second_largest(values: list[int]) -> int | None",
        "Give the largest of the values that are smaller than the largest one; None if there is none.",
        """\
def second_largest(values):
    distinct = sorted(set(values))
    return distinct[-2] if len(distinct) > 1 else None
""",
        examples=(("second_largest([4, 9, 7])", "7"), ("second_largest([5, 5])", "None")),
        cases=(
            ("second_largest([])", "None"),
            ("second_largest([3])", "None"),
            ("second_largest([8, 8, 2])", "2"),
            ("second_largest([-1, -5, -1, -3])", "-3"),
            ("second_largest([0, 1])", "0"),
        ),
        slips=(("sorted(set(values))", "sorted(values)"), ("> 1", "> 2"), ("distinct[-2]", "distinct[1]")),
    ),
    Material(
        "leap_years(first: int, last: int) -> int",
        "Count the leap years of the Gregorian calendar from `first` to `last`, both included; 0 if `last` is before "
        "`first`.",
        """\
def leap_years(first, last):
    return sum(year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) for year in range(first, last + 1))
""",
        examples=(("leap_years(2000, 2008)", "3"),),
        cases=(
            ("leap_years(1900, 1900)", "0"),
            ("leap_years(2000, 2000)", "1"),
            ("leap_years(2024, 2024)", "1"),
            ("leap_years(2025, 2027)", "0"),
            ("leap_years(2008, 2000)", "0"),
            ("leap_years(1801, 2000)", "49"),
        ),
        slips=(("last + 1", "last"), (" or year % 400 == 0", ""), (" and (year % 100 != 0 or year % 400 == 0)", "")),
    ),
    Material(
        "to_roman(number: int) -> str",
        "Write a number from 1 to 3999 in Roman numerals, in capitals, with IV, IX, XL, XC, CD and CM; raise "
        "ValueError for any other number.",
        """\
def to_roman(number):
    if not 1 <= number <= 3999:
        raise ValueError("only 1 to 3999 can be written")
    values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    numerals = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
    written = ""
    for value, numeral in zip(values, numerals):
        times, number = divmod(number, value)
        written += numeral * times
    return written
""",
        examples=(("to_roman(1994)", "'MCMXCIV'"),),
        cases=(
            ("to_roman(1)", "'I'"),
            ("to_roman(4)", "'IV'"),
            ("to_roman(8)", "'VIII'"),
            ("to_roman(40)", "'XL'"),
            ("to_roman(449)", "'CDXLIX'"),
            ("to_roman(3999)", "'MMMCMXCIX'"),
        ),
        refused=("to_roman(0)", "to_roman(4000)", "to_roman(-1)"),
        slips=((", 4, 1]", ", 1]"), ("<= 3999", "<= 4000"), ("900, 500, 400", "900, 500, 450")),
    ),
    Material(
        "split_cents(cents: int, people: int) -> list[int]",
        "Share an amount of whole cents, 0 or more, among so many people as evenly as whole cents allow, the larger "
        "shares first; raise ValueError for fewer than 1 person.",
        """\
def split_cents(cents, people):
    if people < 1:
        raise ValueError("there is nobody to share with")
    share, rest = divmod(cents, people)
    return [share + 1] * rest + [share] * (people - rest)
""",
        examples=(("split_cents(10, 3)", "[4, 3, 3]"),),
        cases=(
            ("split_cents(0, 2)", "[0, 0]"),
            ("split_cents(7, 1)", "[7]"),
            ("split_cents(2, 4)", "[1, 1, 0, 0]"),
            ("split_cents(12, 4)", "[3, 3, 3, 3]"),
            ("split_cents(11, 4)", "[3, 3, 3, 2]"),
        ),
        refused=("split_cents(5, 0)", "split_cents(5, -1)"),
        slips=(
            ("[share + 1] * rest + [share] * (people - rest)", "[share] * (people - rest) + [share + 1] * rest"),
            ("[share + 1] * rest + [share] * (people - rest)", "[share] * people"),
            ("[share + 1] * rest", "[share + rest] * (rest > 0)"),
        ),
    ),
    Material(
        "binary_gap(number: int) -> int",
        "Give the length of the longest run of zeros that has a one on both sides in the binary form of a number of 1 "
        "or more; 0 if there is none.",
        """\
def binary_gap(number):
    return max(map(len, bin(number)[2:].strip("0").split("1")))
""",
        examples=(("binary_gap(9)", "2"), ("binary_gap(20)", "1")),
        cases=(
            ("binary_gap(1)", "0"),
            ("binary_gap(8)", "0"),
            ("binary_gap(15)", "0"),
            ("binary_gap(529)", "4"),
            ("binary_gap(1041)", "5"),
            ("binary_gap(328)", "2"),
        ),
        slips=(('.strip("0")', ""), ("[2:]", "[3:]"), ("max(map", "min(map")),
    ),
    Material(
        "luhn_valid(text: str) -> bool",
        "Check a number by Luhn: from the right, every second digit is doubled, 9 taken off where that is above 9, and "
        "the sum of all must be a multiple of 10; blanks do not count; False if there are fewer than two digits or any "
        "other characters.",
        """\
def luhn_valid(text):
    digits = text.replace(" ", "")
    if len(digits) < 2 or any(character not in "0123456789" for character in digits):
        return False
    total = 0
    for place, character in enumerate(reversed(digits)):
        value = int(character) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
""",
        examples=(("luhn_valid('7992 7398 713')", "True"),),
        cases=(
            ("luhn_valid('79927398710')", "False"),
            ("luhn_valid('0')", "False"),
            ("luhn_valid('00')", "True"),
            ("luhn_valid('')", "False"),
            ("luhn_valid('59')", "True"),
            ("luhn_valid('18')", "True"),
            ("luhn_valid('81')", "False"),
            ("luhn_valid('1-8')", "False"),
            ("luhn_valid('125')", "True"),
        ),
        slips=(("value > 9", "value > 10"), ("enumerate(reversed(digits))", "enumerate(digits)"), ("< 2 or", "< 1 or")),
    ),
)
