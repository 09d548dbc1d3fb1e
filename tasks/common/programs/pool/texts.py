"""Small functions on texts."""

from __future__ import annotations

from tasks.common.programs.pool.material import Material

TEXTS = (
    Material(
        "run_lengths(text: str) -> list[tuple[str, int]]",
        "Give every run of equal neighbouring characters of `text` as (character, length), in order.",
        """\
def run_lengths(text):
    runs = []
    for character in text:
        if runs and runs[-1][0] == character:
            runs[-1] = (character, runs[-1][1] + 1)
        else:
            runs.append((character, 1))
    return runs
""",
        examples=(("run_lengths('aab')", "[('a', 2), ('b', 1)]"),),
        cases=(
            ("run_lengths('')", "[]"),
            ("run_lengths('z')", "[('z', 1)]"),
            ("run_lengths('aaaa')", "[('a', 4)]"),
            ("run_lengths('abba')", "[('a', 1), ('b', 2), ('a', 1)]"),
            ("run_lengths('Aa  ')", "[('A', 1), ('a', 1), (' ', 2)]"),
        ),
        slips=(("runs[-1][1] + 1", "2"), ("(character, 1)", "(character, 0)")),
    ),
    Material(
        "is_balanced(text: str) -> bool",
        "Tell whether the round, square and curly brackets of `text` are closed in the right order and kind; all other "
        "characters do not matter.",
        """\
def is_balanced(text):
    closing = {")": "(", "]": "[", "}": "{"}
    opened = []
    for character in text:
        if character in closing.values():
            opened.append(character)
        elif character in closing and (not opened or opened.pop() != closing[character]):
            return False
    return not opened
""",
        examples=(("is_balanced('f(a[0])')", "True"), ("is_balanced('(]')", "False")),
        cases=(
            ("is_balanced('')", "True"),
            ("is_balanced('no brackets')", "True"),
            ("is_balanced('{[()()]}')", "True"),
            ("is_balanced('([)]')", "False"),
            ("is_balanced('((')", "False"),
            ("is_balanced(')')", "False"),
            ("is_balanced('())(')", "False"),
        ),
        slips=(
            ("return not opened", "return True"),
            ("opened.pop() != closing[character]", "not opened.pop()"),
            ("(not opened or opened.pop() != closing[character])", "opened and opened.pop() != closing[character]"),
        ),
    ),
    Material(
        "common_prefix(words: list[str]) -> str",
        "Give the longest text with which all of the words begin; of no words it is the empty text.",
        """\
def common_prefix(words):
    if not words:
        return ""
    shortest = min(words, key=len)
    for place, character in enumerate(shortest):
        if any(word[place] != character for word in words):
            return shortest[:place]
    return shortest
""",
        examples=(("common_prefix(['inside', 'insect', 'input'])", "'in'"),),
        cases=(
            ("common_prefix([])", "''"),
            ("common_prefix(['alone'])", "'alone'"),
            ("common_prefix(['longer', 'long'])", "'long'"),
            ("common_prefix(['ab', 'cd'])", "''"),
            ("common_prefix(['same', 'same'])", "'same'"),
            ("common_prefix(['x', ''])", "''"),
            ("common_prefix(['abcd', 'abxd', 'abcd'])", "'ab'"),
        ),
        slips=(("shortest[:place]", "shortest[:place + 1]"), ("min(words, key=len)", "words[0]"), ("any(", "all(")),
    ),
    Material(
        "capital_words(text: str) -> str",
        "Write the first character of every word in upper case, leave the others as they are, and join the words by "
        "single blanks; words are separated by any white space.",
        """\
def capital_words(text):
    return " ".join(word[0].upper() + word[1:] for word in text.split())
""",
        examples=(("capital_words('the  old house')", "'The Old House'"),),
        cases=(
            ("capital_words('')", "''"),
            ("capital_words('  one ')", "'One'"),
            ("capital_words('a\\tb\\nc')", "'A B C'"),
            ("capital_words('my IBM pc')", "'My IBM Pc'"),
            ("capital_words('3 mice')", "'3 Mice'"),
            ('capital_words("don\'t")', '"Don\'t"'),
        ),
        slips=(("text.split()", "text.split(' ') if word"), ("word[1:]", "word[1:].lower()")),
    ),
    Material(
        "shift_letters(text: str, shift: int) -> str",
        "Move every letter from a to z and from A to Z `shift` places on in the alphabet, from its end back to its "
        "beginning, and keep its case; a negative `shift` moves back, and all other characters stay.",
        """\
def shift_letters(text, shift):
    moved = []
    for character in text:
        if "a" <= character <= "z" or "A" <= character <= "Z":
            first = ord("a" if character.islower() else "A")
            character = chr(first + (ord(character) - first + shift) % 26)
        moved.append(character)
    return "".join(moved)
""",
        examples=(("shift_letters('xyz, Abc', 2)", "'zab, Cde'"),),
        cases=(
            ("shift_letters('', 5)", "''"),
            ("shift_letters('Zz', 1)", "'Aa'"),
            ("shift_letters('Aa', -1)", "'Zz'"),
            ("shift_letters('abc', 52)", "'abc'"),
            ("shift_letters('m', -27)", "'l'"),
            ("shift_letters('été 7!', 3)", "'éwé 7!'"),
        ),
        slips=(
            (" % 26", ""),
            ('"a" if character.islower() else "A"', '"a"'),
            ('"a" <= character <= "z" or "A" <= character <= "Z"', "character.isalpha()"),
        ),
    ),
    Material(
        "top_word(text: str) -> str | None",
        "Give the word that stands most often in `text`; words are runs of the letters a to z, upper case counts as "
        "lower case and the result is in lower case; of words that are equally frequent the first in the alphabet; "
        "None if there is no word.",
        """\
import re


def top_word(text):
    counts = {}
    for word in re.findall("[a-z]+", text.lower()):
        counts[word] = counts.get(word, 0) + 1
    return min(counts, key=lambda word: (-counts[word], word)) if counts else None
""",
        examples=(("top_word('To be, or not to be: to sleep')", "'to'"),),
        cases=(
            ("top_word('')", "None"),
            ("top_word('12 + 34')", "None"),
            ("top_word('pear apple')", "'apple'"),
            ("top_word('b a b a c')", "'a'"),
            ("top_word('x1x y')", "'x'"),
            ("top_word('Dog dog DOG cat cat')", "'dog'"),
        ),
        slips=(("(-counts[word], word)", "-counts[word]"), ("text.lower()", "text")),
    ),
    Material(
        "compare_versions(first: str, second: str) -> int",
        "Compare two versions, numbers separated by points, and give -1 if the first is older, 1 if it is newer and 0 "
        "if they are the same; numbers are compared as numbers, and parts that are missing count as 0.",
        """\
def compare_versions(first, second):
    left, right = parts_of(first), parts_of(second)
    return (left > right) - (left < right)


def parts_of(version):
    parts = [int(part) for part in version.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts
""",
        examples=(("compare_versions('1.9', '1.10')", "-1"), ("compare_versions('2.0', '2')", "0")),
        cases=(
            ("compare_versions('1', '1')", "0"),
            ("compare_versions('3.1', '3.0.9')", "1"),
            ("compare_versions('0.0.1', '0')", "1"),
            ("compare_versions('0', '0.0.0')", "0"),
            ("compare_versions('10', '9')", "1"),
            ("compare_versions('1.02', '1.2')", "0"),
            ("compare_versions('1.2', '1.2.3')", "-1"),
        ),
        slips=(
            ('[int(part) for part in version.split(".")]', 'version.split(".")'),
            ("while parts and parts[-1] == 0:", "while False:"),
            ("(left > right) - (left < right)", "left > right"),
        ),
    ),
    Material(
        "seconds_of(duration: str) -> int",
        "Give the seconds of a duration such as '1h20m5s': hours, minutes and seconds in this order, each a whole "
        "number before its letter, each of which may be missing but not all; anything else raises ValueError.",
        """\
import re


def seconds_of(duration):
    found = re.fullmatch("(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?", duration)
    if found is None or not duration:
        raise ValueError(f"{duration!r} is no duration")
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds
""",
        examples=(("seconds_of('1h20m5s')", "4805"), ("seconds_of('90m')", "5400")),
        cases=(
            ("seconds_of('0s')", "0"),
            ("seconds_of('2h')", "7200"),
            ("seconds_of('1h1s')", "3601"),
            ("seconds_of('007m')", "420"),
            ("seconds_of('100s')", "100"),
        ),
        refused=("seconds_of('')", "seconds_of('5m1h')", "seconds_of('10')", "seconds_of('5s.')", "seconds_of('1 h')"),
        slips=(("re.fullmatch", "re.match"), (" or not duration", ""), ("hours * 3600", "hours * 60")),
    ),
)
