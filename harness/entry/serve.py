"""The command that serves the simulated model of a composed configuration over HTTP."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from collections.abc import Sequence
from pathlib import Path

from harness.entry.aside import Parser, ending
from harness.entry.commandline import CommandLine
from harness.entry.composition import composition
from harness.entry.manifest import new_experiment_id
from harness.entry.wiring import wire
from harness.errors import ConfigError
from harness.models.protocol import Model
from harness.models.simulated import SimulatedModel

PORT = 8089
"""The port of ``conf/model/openai_compatible.yaml``'s base URL."""
MODULE = "harness/models/server/__main__.py"


def main(argv: Sequence[str]) -> int:
    """Serve until SIGINT or SIGTERM. Exit codes: 0 ended by one of them (or help was printed), 2 the input is wrong."""
    return ending(_serve_by, argv)


def _serve_by(argv: Sequence[str]) -> int:
    options, words = _parser().parse_known_args(argv)
    model = served_model(words)
    if model is not None:
        asyncio.run(_serve(model, options))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="python -m harness.models.server",
        description="Serves the simulated model over HTTP in the OpenAI chat protocol.",
        epilog="All other words are those of `python -m harness`: key=value, group=option. The task is the one whose "
        "questions the model can answer. Example: python -m harness.models.server task=qa_corpus task.docs=2 --port 0",
        allow_abbrev=False,
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=PORT, help=f"port, 0 for a free one (default: {PORT})")
    parser.add_argument("--log", type=Path, help="append a JSON line for each completion request to this file")
    parser.add_argument("--speed", type=float, default=1.0, help="divides the model's latency (default: 1; inf: none)")
    return parser


def served_model(words: Sequence[str]) -> Model | None:
    """The model of the one configuration that the words give, told what its task knows; None when they only asked for
    help. Raises ConfigError."""
    command = CommandLine.parse([MODULE, *words])
    if command.multirun:
        raise ConfigError("a server has one configuration: leave out -m, and start a server for each.")
    experiment_id = new_experiment_id()
    cells = composition(command, experiment_id)
    if not cells:
        return None
    model = wire(cells, command, experiment_id).cells[0].cell.model
    if not model.simulated:
        raise ConfigError(
            f"model '{model.name}' is not simulated, and only a simulated model is served: choose model=simulated."
        )
    return model


async def _serve(model: Model, options: argparse.Namespace) -> None:
    # Only now: this brings an HTTP server in, which a wrong word need not wait for.
    from harness.models.server.app import StandIn, listening
    from harness.models.server.clock import ServerClock
    from harness.models.server.log import ServedLog

    logging.basicConfig(format="%(name)s: %(message)s", level=logging.WARNING)
    stop = _stop()  # before anybody is told that the server is there
    clock = ServerClock(options.speed)
    log = ServedLog(options.log)
    try:
        await model.open(clock)
        await model.weigh([model.name])  # loads the tokeniser, which the first request need not wait for
        stand_in = StandIn(model, clock, log, _held_s(model))
        async with listening(stand_in.app(), options.host, options.port) as url:
            print(f"serving simulated model '{model.name}' at {url}", flush=True)
            await stop.wait()
        await model.close()
    finally:
        log.close()


def _held_s(model: Model) -> float | None:
    """The seconds from which an answer is a stall, where the model stalls at all."""
    if isinstance(model, SimulatedModel) and model.faults.stall > 0:
        return model.faults.stall_s
    return None


def _stop() -> asyncio.Event:
    """Set by SIGINT or SIGTERM; one that whoever started us ignores stays ignored."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            loop.add_signal_handler(number, stop.set)
    return stop
