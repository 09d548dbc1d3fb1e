"""The page in a real browser, at the width of a desk and of a phone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from browser import Seen, browser, chromium
from report_worlds import nasty

import results
from results.report.report import write_report

WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Seen]:
    if chromium() is None:
        pytest.skip("no Chromium on PATH (chromium, chromium-browser or google-chrome) to open the page in")
    root = tmp_path_factory.mktemp("browser")
    made = write_report(results.load(nasty(root / "store")), root / "out")
    return asyncio.run(_open(made.html, root / "profile"))


async def _open(page: Path, profile: Path) -> dict[int, Seen]:
    async with browser(profile) as tab:
        return {width: await tab.open(page, width, 900, unfolded=True) for width in WIDTHS}


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_asked_of_the_network(seen: dict[int, Seen], width: int) -> None:
    asked = [url for url in seen[width].requests if not url.startswith("data:")]
    assert [url.rpartition("/")[2] for url in asked] == ["report.html"]
    assert asked[0].startswith("file:")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_complained_about(seen: dict[int, Seen], width: int) -> None:
    assert not seen[width].complaints


@pytest.mark.parametrize("width", WIDTHS)
def test_page_is_no_wider_than_the_window(seen: dict[int, Seen], width: int) -> None:
    assert seen[width].window == width
    assert seen[width].wide <= width
    assert not seen[width].overflowing
    assert seen[width].small >= 13
