"""A headless Chromium, asked over its DevTools protocol what it makes of a page."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update",
    "--disable-background-networking", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
)  # fmt: skip
TALL = 16_000
"""Pixels in one picture; Chromium's textures end near there."""


def chromium() -> str | None:
    """The browser's path."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@dataclass
class Seen:
    """``complaints``: console messages and exceptions; ``requests``: addresses asked for, the page's own included;
    ``wide``: how wide the page is, against ``window``; ``overflowing``: elements wider than the window that no box of
    their own scrolls; ``small``: the smallest text in pixels; ``height``: of the page."""

    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    wide: int = 0
    window: int = 0
    overflowing: list[str] = field(default_factory=list)
    small: float = 0.0
    height: int = 0


MEASURE = """(() => {
  const scrolled = e => { for (; e; e = e.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) return true; return false; };
  document.querySelectorAll('details').forEach(d => { if (OPEN) d.open = true; });
  const all = [...document.body.querySelectorAll('*')];
  const out = all.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !scrolled(e));
  const texts = all.filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim()));
  return { wide: document.documentElement.scrollWidth, window: innerWidth,
    overflowing: out.map(e => e.tagName + ' ' + e.textContent.slice(0, 60)),
    small: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize))),
    height: document.documentElement.scrollHeight };
})()"""


class Tab:
    """One tab of a browser that is running."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._number, self._session = socket, 0, ""
        self.seen = Seen()
        self.loaded = False

    async def ask(self, method: str, **params: Any) -> Any:
        """The result of one command; events that come meanwhile are noted."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        await self._socket.send_json(message | ({"sessionId": self._session} if self._session else {}))
        while True:
            said = json.loads(await self._socket.receive_str(timeout=60))
            if said.get("id") == self._number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return said["result"]
            self._note(said.get("method", ""), said.get("params", {}))

    def _note(self, event: str, told: dict[str, Any]) -> None:
        if event == "Runtime.consoleAPICalled":
            self.seen.complaints.append(str(told["args"]))
        elif event == "Runtime.exceptionThrown":
            self.seen.complaints.append(str(told["exceptionDetails"]))
        elif event == "Log.entryAdded":
            self.seen.complaints.append(f"{told['entry']['level']}: {told['entry']['text']}")
        elif event == "Network.requestWillBeSent":
            self.seen.requests.append(told["request"]["url"])
        elif event == "Page.loadEventFired":
            self.loaded = True

    async def open(self, path: Path, width: int, height: int, *, unfolded: bool = False) -> Seen:
        """Show a file and measure it, with every fold open if ``unfolded``."""
        self.seen, self.loaded = Seen(), False
        phone = width < 600
        await self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )
        await self.ask("Page.navigate", url=path.resolve().as_uri())
        while not self.loaded:
            await self.ask("Runtime.evaluate", expression="new Promise(requestAnimationFrame)", awaitPromise=True)
        script = MEASURE.replace("OPEN", "true" if unfolded else "false")
        found = await self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        for name, value in found["result"]["value"].items():
            setattr(self.seen, name, value)
        return self.seen

    async def shoot(self, to: Path) -> list[Path]:
        """Pictures of the whole page, from top to bottom."""
        made = []
        for number, top in enumerate(range(0, self.seen.height, TALL)):
            clip = {"x": 0, "y": top, "width": self.seen.window, "height": min(TALL, self.seen.height - top),
                    "scale": 1}  # fmt: skip
            shot = await self.ask("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
            made.append(to.with_name(f"{to.stem}-{number}.png"))
            made[-1].write_bytes(base64.b64decode(shot["data"]))
        return made


@contextlib.asynccontextmanager
async def browser(profile: Path) -> AsyncIterator[Tab]:
    """A tab in a browser of its own, which ends with it. ``profile``: a new folder."""
    path = chromium()
    assert path is not None
    process = await asyncio.create_subprocess_exec(
        path, *FLAGS, f"--user-data-dir={profile}", "about:blank",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        async with asyncio.timeout(60):
            address = ""
            while not address:
                line = (await process.stderr.readline()).decode()
                if not line:
                    raise RuntimeError("the browser ended before it could be asked anything")
                if "DevTools listening on " in line:
                    address = line.split("DevTools listening on ")[1].strip()
        drain = asyncio.ensure_future(process.stderr.read())
        async with aiohttp.ClientSession() as client, client.ws_connect(address, max_msg_size=0) as socket:
            tab = Tab(socket)
            target = (await tab.ask("Target.createTarget", url="about:blank"))["targetId"]
            tab._session = (await tab.ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                await tab.ask(f"{domain}.enable")
            yield tab
            tab._session = ""
            await tab.ask("Browser.close")
        await process.wait()
        await drain
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
