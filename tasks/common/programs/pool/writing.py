"""Larger functions that read or write texts with a form of their own."""

from __future__ import annotations

from tasks.common.programs.pool.material import Material

WRITING = (
    Material(
        "wrap_words(text: str, width: int) -> list[str]",
        "Break `text` into lines of at most `width` characters: words, which white space separates, are put on a line "
        "with single blanks between them as long as they fit; a word longer than `width` is first cut into pieces of "
        "`width` characters, the last may be shorter, and each piece counts as a word; raise ValueError for a width "
        "below 1.",
        """\
def wrap_words(text, width):
    if width < 1:
        raise ValueError("a line holds at least one character")
    lines = []
    for piece in pieces_of(text, width):
        if lines and len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += " " + piece
        else:
            lines.append(piece)
    return lines


def pieces_of(text, width):
    pieces = []
    for word in text.split():
        for start in range(0, len(word), width):
            pieces.append(word[start : start + width])
    return pieces
""",
        examples=(("wrap_words('to be or not to be', 8)", "['to be or', 'not to', 'be']"),),
        cases=(
            ("wrap_words('', 5)", "[]"),
            ("wrap_words('   ', 5)", "[]"),
            ("wrap_words('ab cd', 5)", "['ab cd']"),
            ("wrap_words('ab cd', 4)", "['ab', 'cd']"),
            ("wrap_words('abcdefg h', 3)", "['abc', 'def', 'g h']"),
            ("wrap_words('a\\n b', 1)", "['a', 'b']"),
            ("wrap_words('x abcd', 3)", "['x', 'abc', 'd']"),
        ),
        refused=("wrap_words('a', 0)", "wrap_words('', -1)"),
        slips=(("+ 1 + len(piece)", "+ len(piece)"), ("len(piece) <= width", "len(piece) < width")),
    ),
    Material(
        "evaluate(expression: str) -> int",
        "Work out a sum of whole numbers with +, -, *, round brackets and a minus sign before a number or bracket "
        "(also several, as in '--3'), * before + and -; blanks may stand between numbers, signs and brackets; anything "
        "else, the empty text included, raises ValueError.",
        """\
import re


def evaluate(expression):
    tokens = re.findall(r"[0-9]+|[^ ]", expression)
    value, at = total_of(tokens, 0)
    if at != len(tokens):
        raise ValueError(f"{tokens[at]!r} is not expected")
    return value


def total_of(tokens, at):
    value, at = product_of(tokens, at)
    while at < len(tokens) and tokens[at] in "+-":
        other, after = product_of(tokens, at + 1)
        value = value + other if tokens[at] == "+" else value - other
        at = after
    return value, at


def product_of(tokens, at):
    value, at = factor_of(tokens, at)
    while at < len(tokens) and tokens[at] == "*":
        other, at = factor_of(tokens, at + 1)
        value *= other
    return value, at


def factor_of(tokens, at):
    if at == len(tokens):
        raise ValueError("the expression ends too early")
    token = tokens[at]
    if token == "-":
        value, at = factor_of(tokens, at + 1)
        return -value, at
    if token == "(":
        value, at = total_of(tokens, at + 1)
        if at == len(tokens) or tokens[at] != ")":
            raise ValueError("a bracket is not closed")
        return value, at + 1
    if not re.fullmatch("[0-9]+", token):
        raise ValueError(f"{token!r} is not expected")
    return int(token), at + 1
""",
        examples=(("evaluate('2 + 3 * (4 - 1)')", "11"),),
        cases=(
            ("evaluate('7')", "7"),
            ("evaluate('10-3-2')", "5"),
            ("evaluate('-2*-3')", "6"),
            ("evaluate('--3')", "3"),
            ("evaluate('-(1 + 2) * 2')", "-6"),
            ("evaluate('((5))')", "5"),
            ("evaluate('2*3+4*5')", "26"),
            ("evaluate('1 - 2 + 3')", "2"),
        ),
        refused=(
            "evaluate('')",
            "evaluate('1 +')",
            "evaluate('(1')",
            "evaluate('1)')",
            "evaluate('1 2')",
            "evaluate('+1')",
            "evaluate('2 / 1')",
            "evaluate('()')",
        ),
        slips=(
            ("other, after = product_of(tokens, at + 1)", "other, after = total_of(tokens, at + 1)"),
            ("return -value, at", "return value, at"),
            (
                'if at != len(tokens):\n        raise ValueError(f"{tokens[at]!r} is not expected")\n    return value',
                "return value",
            ),
        ),
    ),
    Material(
        "render_table(rows: list[list[str]]) -> str",
        "Write rows of texts as a table: every column as wide as its longest text, texts at the left of their column, "
        "two blanks between columns, no blanks at the end of a line, one line for each row and no line break after the "
        "last; a row may have fewer texts than others.",
        """\
def render_table(rows):
    widths = []
    for row in rows:
        for column, text in enumerate(row):
            if column == len(widths):
                widths.append(0)
            widths[column] = max(widths[column], len(text))
    lines = []
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths)]
        lines.append("  ".join(padded).rstrip(" "))
    return "\\n".join(lines)
""",
        examples=(("render_table([['id', 'name'], ['7', 'Ann']])", "'id  name\\n7   Ann'"),),
        cases=(
            ("render_table([])", "''"),
            ("render_table([['a']])", "'a'"),
            ("render_table([['a', 'b'], ['longer', 'c']])", "'a       b\\nlonger  c'"),
            ("render_table([['x'], ['yy', 'z']])", "'x\\nyy  z'"),
            ("render_table([['x', 'y'], [], ['z']])", "'x  y\\n\\nz'"),
            ("render_table([['a', '', 'c'], ['', 'bb', '']])", "'a      c\\n   bb'"),
        ),
        slips=(('.rstrip(" ")', ""), ("max(widths[column], len(text))", "len(text)"), ('"  ".join', '" ".join')),
    ),
    Material(
        "parse_csv_line(line: str) -> list[str]",
        "Split a line at its commas into fields; a field may stand in double quotes, is then taken without them, may "
        "hold commas, and two double quotes in it stand for one; raise ValueError if a quoted field is not closed or "
        "something other than a comma follows it, or if a field holds a double quote but does not begin with one; the "
        "empty line is one empty field.",
        """\
def parse_csv_line(line):
    fields, at = [], 0
    while True:
        if line[at : at + 1] == '"':
            field, at = quoted(line, at + 1)
        else:
            end = line.find(",", at)
            end = len(line) if end < 0 else end
            field, at = line[at:end], end
            if '"' in field:
                raise ValueError("a quote inside a field")
        fields.append(field)
        if at == len(line):
            return fields
        if line[at] != ",":
            raise ValueError("only a comma may follow a quoted field")
        at += 1


def quoted(line, at):
    field = ""
    while at < len(line):
        if line[at] != '"':
            field += line[at]
            at += 1
        elif line[at + 1 : at + 2] == '"':
            field += '"'
            at += 2
        else:
            return field, at + 1
    raise ValueError("a quoted field is not closed")
""",
        examples=(("parse_csv_line('a,\"b,c\",d')", "['a', 'b,c', 'd']"),),
        cases=(
            ("parse_csv_line('')", "['']"),
            ("parse_csv_line(',')", "['', '']"),
            ("parse_csv_line('a, b')", "['a', ' b']"),
            ("parse_csv_line('\"\"')", "['']"),
            ('parse_csv_line(\'"say ""hi""",x\')', "['say \"hi\"', 'x']"),
            ("parse_csv_line('\"a\",')", "['a', '']"),
            ('parse_csv_line(\'""""\')', "['\"']"),
        ),
        refused=("parse_csv_line('\"a')", "parse_csv_line('\"a\"b')", "parse_csv_line('a\"b')", "parse_csv_line('\"')"),
        slips=(
            ("            at += 2", "            at += 1"),
            (
                '        if line[at] != ",":\n            raise ValueError("only a comma may follow a quoted field")\n',
                "",
            ),
            ("field += '\"'", "field += '\"\"'"),
        ),
    ),
    Material(
        "number_words(number: int) -> str",
        "Write a whole number from 0 to 9999 in English words, without 'and', with a hyphen between tens and ones as "
        "in 'forty-two', all other words with a blank between them; raise ValueError for any other number.",
        """\
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def number_words(number):
    if not 0 <= number <= 9999:
        raise ValueError("only 0 to 9999 can be written")
    words = []
    thousands, rest = divmod(number, 1000)
    if thousands:
        words += [ONES[thousands], "thousand"]
    hundreds, rest = divmod(rest, 100)
    if hundreds:
        words += [ONES[hundreds], "hundred"]
    if rest or not words:
        words.append(below_hundred(rest))
    return " ".join(words)


def below_hundred(number):
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + ("-" + ONES[ones] if ones else "")
""",
        examples=(("number_words(1042)", "'one thousand forty-two'"),),
        cases=(
            ("number_words(0)", "'zero'"),
            ("number_words(13)", "'thirteen'"),
            ("number_words(20)", "'twenty'"),
            ("number_words(81)", "'eighty-one'"),
            ("number_words(99)", "'ninety-nine'"),
            ("number_words(500)", "'five hundred'"),
            ("number_words(3000)", "'three thousand'"),
            ("number_words(9919)", "'nine thousand nine hundred nineteen'"),
        ),
        refused=("number_words(-1)", "number_words(10000)"),
        slips=(
            ("if rest or not words:", "if rest:"),
            ("number < 20", "number <= 20"),
            (' if ones else ""', ' if ones > 1 else ""'),
            ("if rest or not words:", "if True:"),
        ),
    ),
    Material(
        "parse_query(text: str) -> dict[str, list[str]]",
        "Read a query such as 'a=1&b=2&a=3' into the values of each name, in order: parts are separated by &, the "
        "name ends at the first = and the value is empty without one, empty parts are passed over, + stands for a "
        "blank, and % with two hexadecimal digits up to 7F for the character with that code; any other % stays as it "
        "is; names and values are split before + and % are replaced.",
        """\
import re


def parse_query(text):
    values = {}
    for part in text.split("&"):
        if part:
            name, _, value = part.partition("=")
            values.setdefault(decoded(name), []).append(decoded(value))
    return values


def decoded(text):
    return re.sub("%([0-7][0-9A-Fa-f])", lambda found: chr(int(found[1], 16)), text.replace("+", " "))
""",
        examples=(("parse_query('a=1&b=2&a=3')", "{'a': ['1', '3'], 'b': ['2']}"),),
        cases=(
            ("parse_query('')", "{}"),
            ("parse_query('&&x&')", "{'x': ['']}"),
            ("parse_query('x=1=2')", "{'x': ['1=2']}"),
            ("parse_query('q=a+b%2Bc')", "{'q': ['a b+c']}"),
            ("parse_query('a%26b=%3d')", "{'a&b': ['=']}"),
            ("parse_query('p=100%&r=%zz%80')", "{'p': ['100%'], 'r': ['%zz%80']}"),
            ("parse_query('=v')", "{'': ['v']}"),
            ("parse_query('k=%2541')", "{'k': ['%41']}"),
        ),
        slips=(
            (".setdefault(decoded(name), []).append(decoded(value))", "[decoded(name)] = [decoded(value)]"),
            ("        if part:\n            name, _, value", "        if '=' in part:\n            name, _, value"),
            (', text.replace("+", " "))', ', text).replace("+", " ")'),
        ),
    ),
    Material(
        "parse_settings(text: str) -> dict[str, dict[str, str]]",
        "Read lines of settings by section: '[name]' begins a section, or takes it up again, 'key = value' sets a "
        "value in it, split at the first =; white space at the ends of lines, names, keys and values does not count; "
        "empty lines and lines that begin with # or ; are passed over; of several values for a key the last counts; "
        "raise ValueError for any other line and for a key before the first section.",
        """\
def parse_settings(text):
    sections, section = {}, None
    for line in text.split("\\n"):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[" and line[-1] == "]":
            section = sections.setdefault(line[1:-1].strip(), {})
        elif "=" in line and section is not None:
            key, _, value = line.partition("=")
            section[key.strip()] = value.strip()
        else:
            raise ValueError(f"{line!r} is no setting of a section")
    return sections
""",
        examples=(("parse_settings('[db]\\nhost = here\\nport=1')", "{'db': {'host': 'here', 'port': '1'}}"),),
        cases=(
            ("parse_settings('')", "{}"),
            ("parse_settings('[ a ]')", "{'a': {}}"),
            ("parse_settings('# no\\n; no\\n\\n [a]\\n  k =  v w ')", "{'a': {'k': 'v w'}}"),
            ("parse_settings('[a]\\nk=1\\nk=2')", "{'a': {'k': '2'}}"),
            ("parse_settings('[a]\\nk=1\\n[b]\\n[a]\\nl=2')", "{'a': {'k': '1', 'l': '2'}, 'b': {}}"),
            ("parse_settings('[a]\\nsum = 1+1=2\\nnone =')", "{'a': {'sum': '1+1=2', 'none': ''}}"),
        ),
        refused=("parse_settings('k=1')", "parse_settings('[a]\\nword')", "parse_settings('[a')"),
        slips=(
            ("sections.setdefault(line[1:-1].strip(), {})", "sections[line[1:-1].strip()] = {}"),
            ('line.partition("=")', 'line.rpartition("=")'),
            ('in "#;"', 'in "#"'),
        ),
    ),
    Material(
        "justify(words: list[str], width: int) -> str",
        "Write words on one line of exactly `width` characters: the first at its beginning, the last at its end, and "
        "the blanks shared among the gaps as evenly as possible, the wider gaps on the left; a single word stands at "
        "the beginning with blanks after it; raise ValueError if there is no word or if they do not fit with at least "
        "one blank in each gap.",
        """\
def justify(words, width):
    blanks = width - sum(len(word) for word in words)
    gaps = len(words) - 1
    if not words or blanks < gaps:
        raise ValueError("these words cannot fill that line")
    if gaps == 0:
        return words[0].ljust(width)
    each, wider = divmod(blanks, gaps)
    line = words[0]
    for place, word in enumerate(words[1:]):
        line += " " * (each + (place < wider)) + word
    return line
""",
        examples=(("justify(['a', 'bb', 'c'], 9)", "'a   bb  c'"),),
        cases=(
            ("justify(['a', 'b'], 3)", "'a b'"),
            ("justify(['one'], 5)", "'one  '"),
            ("justify(['one'], 3)", "'one'"),
            ("justify(['a', 'b', 'c', 'd'], 9)", "'a  b  c d'"),
            ("justify(['to', 'be'], 10)", "'to      be'"),
            ("justify(['x', 'y', 'z'], 7)", "'x  y  z'"),
        ),
        refused=("justify([], 4)", "justify(['ab', 'cd'], 4)", "justify(['abc'], 2)"),
        slips=(
            ("(place < wider)", "(place >= gaps - wider)"),
            ("blanks < gaps", "blanks < 0"),
            ("words[0].ljust(width)", "words[0].rjust(width)"),
        ),
    ),
)
