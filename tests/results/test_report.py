"""The report as a whole: what it says, that nothing of a row becomes markup, and that it is written whole or not."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from report_worlds import AGENT, SCRIPT, TEAM, nasty, plain_team, written
from run_builder import Call, Read, record, single, team

import harness.run
import results
from harness.errors import StoreError
from results.__main__ import main
from results.origin import IMPORTED
from results.report import facts, published
from results.report.build import document
from results.report.document import Section
from results.report.page import page as page_of
from results.report.paper import paper
from results.report.plots.style import png
from results.report.report import Written, write_report

VOID = {"meta", "img", "br", "link", "input", "hr"}


class Page(HTMLParser):
    """Every element with its attributes, texts by element, and whether the tags nest."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.shown = ""
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.shown += data
            for tag in set(self.open):
                self.texts[tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Written:
    root = tmp_path_factory.mktemp("real")
    return write_report(results.load(nasty(root / "store")), root / "out")


@pytest.fixture(scope="module")
def page(real: Written) -> Page:
    return Page(real.html.read_text(encoding="utf-8"))


def kinds(made: Written) -> dict[str, str]:
    return {banner.kind: banner.says for banner in made.document.banners}


def test_page_loads_nothing_and_may_not(page: Page) -> None:
    for tag, attributes in page.elements:
        assert tag not in ("script", "link", "iframe", "object", "embed", "base", "form"), tag
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("src", "href", "srcset", "action", "poster", "data"):
            if name in attributes:
                assert re.match(r"data:image/png;base64,|#", attributes[name]), (tag, attributes[name][:80])
    (policy,) = [m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")


def test_nothing_of_a_row_becomes_markup(page: Page) -> None:
    assert SCRIPT in page.shown  # the run's error, and the command
    assert f"python -m harness {SCRIPT}" in page.shown
    assert AGENT in page.shown
    assert TEAM in page.shown


def test_page_is_readable_without_eyes(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.texts["title"][0]) > 10
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(page.all("caption")) == len(page.all("table"))
    assert {th.get("scope") for th in page.all("th")} == {"col", "row"}
    assert all(len(img["alt"]) > 20 for img in page.all("img"))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [a["href"][1:] for a in page.all("a")]
    assert links and set(links) <= set(ids)


def test_every_picture_has_its_table_and_its_file(real: Written, page: Page) -> None:
    pictures = list(real.document.pictures())
    assert len(pictures) == real.pictures == len(page.all("img"))
    for picture in pictures:
        assert (real.html.parent / f"{picture.name}.png").read_bytes().startswith(b"\x89PNG")
        for table in picture.tables:
            assert table.heading in page.texts["caption"]


def test_first_screen_tells_what_was_run_and_what_came_out(real: Written, page: Page) -> None:
    header = page.texts["header"][0]
    for _, text in real.document.facts:
        assert text in header
    (answer,) = real.document.answers
    assert answer.verdict is not None and answer.verdict in header and answer.why in header
    assert answer.sentences
    assert all(sentence in header for sentence in answer.sentences)


def test_banners(real: Written) -> None:
    found = kinds(real)
    assert "SIMULATED" not in found
    assert "dear on qa" in found["Incomplete cost"] and TEAM not in found["Incomplete cost"]
    assert found["Tokeniser drift"].startswith("in 1 of 32 runs")
    assert found["Unfinished"] == "experiment exp is not whole: 32 of 40 planned runs are here."


def test_drift_is_named_as_runs_name_it() -> None:
    assert f'"{facts.DRIFT}: ' in inspect.getsource(harness.run)


def test_real_rows_never_say_simulated(page: Page) -> None:
    words = page.shown.split("Words used here")[0]
    assert "SIMULATED" not in words and "Monte-Carlo" not in words


def test_markdown_says_the_same(real: Written) -> None:
    source = real.markdown.read_text(encoding="utf-8")
    shown = Page(f"<body>{MarkdownIt('commonmark', {'html': True}).enable('table').render(source)}</body>")
    assert not shown.all("script")
    images = [img["src"] for img in shown.all("img")]
    assert images == [f"{picture.name}.png" for picture in real.document.pictures()]
    for picture in real.document.pictures():
        assert picture.caption in shown.shown
    assert SCRIPT in shown.shown
    (answer,) = real.document.answers
    assert answer.verdict is not None and answer.verdict in shown.shown


def test_failed_runs_are_told(real: Written) -> None:
    def walk(sections: tuple[Section, ...]) -> list[Section]:
        return [s for section in sections for s in (section, *walk(section.sections))]

    (failed,) = [t for s in walk(real.document.sections) for t in s.sheets if t.title == "Runs that did not end ok"]
    assert failed.rows == [(TEAM, "1", "error", f"RuntimeError: {SCRIPT}")]


def test_same_rows_make_the_same_bytes(real: Written) -> None:
    again = document(results.load(real.html.parent.parent / "store"))
    stored = {p.name: (real.html.parent / f"{p.name}.png").read_bytes() for p in again.pictures()}
    for picture in list(again.pictures())[:2]:
        assert png(picture.draw) == stored[picture.name]
    assert page_of(again, stored).encode() == real.html.read_bytes()
    assert paper(again).encode() == real.markdown.read_bytes()


def test_simulated_rows_are_marked_everywhere(tmp_path: Path) -> None:
    found = document(results.load(plain_team(tmp_path, simulated=True)))
    assert found.banners[0].kind == "SIMULATED"
    assert all(answer.verdict is not None and answer.verdict.startswith("sim: ") for answer in found.answers)
    (suite,) = [s for s in found.sections if s.title.startswith("Suite")]
    assert suite.simulated
    for section in suite.sections:
        assert all(table.simulated for table in (*section.sheets, *section.folded))


def test_pictures_of_simulated_rows_say_so_to_who_cannot_see_them(tmp_path: Path) -> None:
    done = write_report(results.load(plain_team(tmp_path / "store", simulated=True)), tmp_path / "out")
    images = Page(done.html.read_text(encoding="utf-8")).all("img")
    assert images and all("SIMULATED" in image["alt"] for image in images)
    assert done.markdown.read_text(encoding="utf-8").count("![SIMULATED: ") == len(images)


def test_missing_runs_are_not_called_unknown_cost(tmp_path: Path) -> None:
    made = [f(sample=f"s{i}") for i in range(3) for f in (single, team)][:-1]
    found = {b.kind: b.says for b in document(results.load(written(tmp_path, made))).banners}
    assert "bus on qa 1 of 3" in found["Missing runs"]
    assert "Incomplete cost" not in found


def test_one_of_a_kind_is_no_plural(tmp_path: Path) -> None:
    done = write_report(results.load(written(tmp_path / "store", [single(), team()])), tmp_path / "out")
    shown = done.markdown.read_text(encoding="utf-8")
    nouns = "run|pair|sample|cluster|scenario|call|agent|epoch|message|experiment"
    assert not re.findall(rf"\b1 (?:\([^)]*\) )?(?:{nouns})s\b|\b0 did not|\(s\)", shown)


def test_simulated_and_real_stand_apart(tmp_path: Path) -> None:
    both = [f(sample=f"s{i}", simulated=s, cell=f"{f.__name__}{s}") for i in range(2) for s in (True, False)
            for f in (single, team)]  # fmt: skip
    found = document(results.load(written(tmp_path, both)))
    assert [s.simulated for s in found.sections if s.title.startswith("Suite")] == [False, True]
    assert "4 of 8 runs" in found.banners[0].says
    assert len({picture.name for picture in found.pictures()}) == len(list(found.pictures()))


def test_several_experiments_say_so(tmp_path: Path) -> None:
    plain_team(tmp_path)
    written(tmp_path, [single(experiment="other"), team(experiment="other")], "other")
    everything = document(results.load(tmp_path))
    assert any(b.kind == "Several experiments" for b in everything.banners)
    only = {b.kind: b.says for b in document(results.load(tmp_path), "exp").banners}
    assert "Several experiments" not in only
    assert "1 experiment beside this one (other)" in only["Other experiments"]
    assert "`--experiment other`" in only["Other experiments"]


def test_mixed_commits_say_so(tmp_path: Path) -> None:
    found = document(results.load(written(tmp_path, [single(git_commit="abc"), team(git_commit="abd")])))
    assert [b.says for b in found.banners] == ["one experiment from several commits: abc, abd."]


@pytest.mark.parametrize("only", ["single", "team"])
def test_without_a_partner_it_reports_and_says_why_there_is_no_verdict(tmp_path: Path, only: str) -> None:
    made = single() if only == "single" else team()
    done = write_report(results.load(written(tmp_path / "store", [made])), tmp_path / "out")
    (answer,) = done.document.answers
    assert answer.verdict is None and "nothing to compare" in answer.why
    assert "no verdict" in Page(done.html.read_text(encoding="utf-8")).texts["header"][0]
    assert done.pictures >= 1


def test_published_ratios_follow_from_the_published_table() -> None:
    success = [0.466, 0.370, 0.477, 0.463, 0.452]
    per_thousand = [67.7, 42.4, 23.9, 21.5, 13.6]
    tokens = [s / p for s, p in zip(success, per_thousand, strict=True)]
    ratios = ", ".join(f"{t / tokens[0]:.2f} ×" for t in tokens[1:])
    assert published.PUBLISHED[0].figure == ratios
    turns = [7.2, 11.4, 26.1, 27.7, 44.3]
    overhead = [float(x) for x in re.findall(r"[\d.]+", published.PUBLISHED[2].figure)]
    assert overhead == pytest.approx([100 * (t / turns[0] - 1) for t in turns[1:]], abs=1.5)  # from rounded turns


def test_published_stand_beside_what_is_measured_alike(real: Written) -> None:
    (suite,) = [s for s in real.document.sections if s.title.startswith("Suite")]
    (section,) = [s for s in suite.sections if "published" in s.title]
    (table,) = section.sheets
    at = table.columns.index(f"{TEAM}\nmeasured")
    shown = {row[0]: row[at] for row in table.rows}
    assert shown[published.QUANTITIES["tokens"]] == "2.50 ×"  # 2,500 tokens against 1,000
    assert shown[published.QUANTITIES["turns"]] == "200.0 %"  # three operations against one
    assert shown[published.QUANTITIES["input"]] == "64.0 %"  # 1,600 of 2,500
    assert shown[published.QUANTITIES["resent"]] == "18.8 %"  # 300 of 1,600
    assert shown[published.QUANTITIES["not passed"]] == "12.5 %"  # 1 of 8
    assert all(row[-1] for row in table.rows)
    assert published.DISCLAIMER in table.notes[0]


# --- the folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return written(tmp_path / "store", [single()])


def test_the_verb_writes_and_writes_again(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a" / "out"
    assert main(["report", str(store), "--out", str(out)]) == 0
    assert "report.html" in capsys.readouterr().out
    contents = json.loads((out / "report.json").read_text())
    assert sorted([*contents["files"], "report.json"]) == sorted(p.name for p in out.iterdir())
    before = (out / "report.html").read_bytes()
    (out / "report.html").write_text("old")
    assert main(["report", str(store), "--out", str(out)]) == 0
    assert (out / "report.html").read_bytes() == before
    assert [p.name for p in out.parent.iterdir()] == ["out"]


def test_what_is_no_report_is_refused(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    assert main(["report", str(store), "--out", str(mine)]) == 2
    error = capsys.readouterr().err
    assert "thesis.txt" in error and error.count("\n") == 1
    assert [p.name for p in mine.iterdir()] == ["thesis.txt"]
    assert main(["report", str(store), "--out", str(mine / "thesis.txt")]) == 2
    assert (mine / "thesis.txt").read_text() == "years of work"


def test_a_report_with_something_added_is_refused(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(results.load(store), out)
    (out / "notes.md").write_text("mine")
    with pytest.raises(StoreError, match=r"notes\.md"):
        write_report(results.load(store), out)
    assert (out / "notes.md").read_text() == "mine"


def test_an_empty_folder_is_used(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert write_report(results.load(store), out).html.exists()


def test_a_full_disk_leaves_the_earlier_report(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    write_report(results.load(store), out)
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    write = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.name == "report.md":
            raise OSError(28, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreError, match=r"No space left on device.*nothing was changed"):
        write_report(results.load(store), out)
    monkeypatch.undo()
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "store"]


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [(OSError(18, "Invalid cross-device link"), StoreError), (KeyboardInterrupt(), KeyboardInterrupt)],
    ids=["refused", "interrupted"],
)
def test_a_move_that_fails_puts_the_earlier_report_back(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, wanted: type[BaseException]
) -> None:
    out = tmp_path / "out"
    write_report(results.load(store), out)
    before = (out / "report.html").read_bytes()
    rename = Path.rename

    def stuck(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise fault
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", stuck)
    with pytest.raises(wanted):
        write_report(results.load(store), out)
    monkeypatch.undo()
    assert (out / "report.html").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "store"]


@pytest.mark.parametrize("missing", ["nowhere", "empty"])
def test_nothing_to_report_is_one_clear_error(tmp_path: Path, missing: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["report", str(tmp_path / missing), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_other_verbs_do_not_pay_for_it() -> None:
    heavy = "{'matplotlib', 'jinja2', 'pandas', 'scipy'}"
    code = f"import sys, results.__main__ as m; m._parser(); print(sorted({heavy} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_of_imported_runs_nothing_unknown_is_told(tmp_path: Path) -> None:
    """One call of unknown purpose: no timeline, no coordination, no claim that nothing was retried."""
    made = []
    for i in range(8):
        for topology, family, tokens in (("single", "single", 1000), ("crew", "team", 3000)):
            call = Call("agent", [Read("unknown", tokens)], [], intent="unknown")
            made.append(record([call], topology=topology, sample=f"s{i}", family=family, harness_version=IMPORTED))
    done = write_report(results.load(written(tmp_path / "store", made)), tmp_path / "out")
    names = {picture.name for picture in done.document.pictures()}
    assert names == {"qa-money", "qa-tokens", "qa-bridge-crew"}
    (bridge,) = [p for p in done.document.pictures() if p.name == "qa-bridge-crew"]
    assert "coordination" not in bridge.alt and "unknown purpose +16,000" in bridge.alt
    page = Page(done.html.read_text(encoding="utf-8"))
    assert "Nothing was retried" not in page.shown and "nobody knows what was retried" in page.shown
