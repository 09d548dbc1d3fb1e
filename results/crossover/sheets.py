"""The tables of a size sweep, ready to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from results.bridge import BASELINE
from results.crossover.fits import Fit
from results.crossover.tables import MEASURES, Choice, Crossing, Crossover, Figure, Point, Terms, Verdict, Winner
from results.sheet import Sheet, sheet
from results.writing import NOTHING, count, percent, usd

BEST = {
    "usd": "cheapest,\nas billed",
    "uncached": "cheapest, as\nif uncached",
    "tokens": "fewest\ntokens",
    "score": "best\nscore",
    "net": "most net return,\nas billed",
    "net uncached": "most net return,\nas if uncached",
}
NAMES = {"usd": "USD", "uncached": "USD as if uncached", "tokens": "tokens", "score": "score", "hours": "hours"}
DISPUTED = " *"
CLOSE = " ≈"
ELSEWHERE = " †"


def sheets(found: Crossover) -> Iterator[Sheet | str]:
    """In the order in which they are read, and sentences between them."""
    yield _winners(found)
    yield from _changes(found)
    yield _measured(found)
    yield _fits(found)
    yield from _net_errors(found)
    yield _equations(found)
    if any(e.forecasts for e in found.equations):
        yield _forecasts(found)


def size(value: float) -> str:
    """A size, or a place between sizes, to four digits."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def _first(found: Crossover) -> str:
    """The heading of rows that are choices at sizes."""
    return f"choice, {found.by.rpartition('.')[2]}"


def _number(value: float) -> str:
    """Any size of number, without its sign."""
    return f"{abs(value):,.0f}" if abs(value) >= 1_000 else f"{abs(value):.4g}"


def _tokens(value: float) -> str:
    return count(round(value))


def _score(value: float) -> str:
    return f"{value:.3f}"


def _hours(value: float) -> str:
    return f"{value:.4g}"


WRITTEN: dict[str, Callable[[float], str]] = {
    "usd": usd,
    "uncached": usd,
    "net": usd,
    "net uncached": usd,
    "tokens": _tokens,
    "score": _score,
    "hours": _hours,
}


def _figure(value: Figure | None, written: Callable[[float], str]) -> str:
    if value is None:
        return "unknown"
    text = written(value.value)
    if value.spread is not None:
        return f"{text}\n± {written(value.spread)}"
    if value.interval is not None:
        return f"{text}\n[{written(value.interval[0])}, {written(value.interval[1])}]"
    return text


def _certainty(simulated: bool) -> str:
    """What stands beside a mean."""
    return "± Monte-Carlo" if simulated else "[95 % interval] from 6 clusters"


def _winners(found: Crossover) -> Sheet:
    title = f"Best at each size of {found.by}, by how much over the second ({_certainty(found.simulated)})"
    table = sheet(title, found.simulated, "size", [BEST[v.criterion] for v in found.verdicts])
    by_size = [{w.size: w for w in v.winners} for v in found.verdicts]
    for at in found.sizes:
        table.add(size(at), [_winner(v, of.get(at)) for v, of in zip(found.verdicts, by_size, strict=True)])
    if any(w.close for v in found.verdicts for w in v.winners):
        within = "less than its Monte-Carlo spread" if found.simulated else "0 is in its interval"
        table.notes.append(f"{CLOSE.strip()} the second may as well be the best: the margin is 0, or {within}")
    if any(v.disputed for v in found.verdicts):
        table.notes.append(f"{DISPUTED.strip()} the fitted curves call another choice best there")
    if not found.simulated:
        table.notes.append("intervals are of one margin each, not corrected for having picked the best")
    return table


def _winner(verdict: Verdict, winner: Winner | None) -> str:
    if winner is None:
        return "unknown"
    if winner.margin is None:
        return f"{winner.choice}\n(alone)"
    mark = (CLOSE if winner.close else "") + (DISPUTED if winner.size in verdict.disputed else "")
    return f"{winner.choice}{mark}\n{_figure(winner.margin, WRITTEN[verdict.criterion])}"


def _changes(found: Crossover) -> Iterator[Sheet]:
    single = next((c.label for c in found.choices if c.topology == BASELINE), None)
    tables = [(f"Where the best choice changes, over {found.by}", [(v, v.crossings) for v in found.verdicts])]
    if single is not None and len(found.choices) > 2:
        title = f"Where {single} and each other choice change places, over {found.by}"
        tables.append((title, [(v, v.against_single) for v in found.verdicts]))
    for title, groups in tables:
        columns = ["below → above", "at size", "", "means change\nbetween", "without any\none size"]
        table = sheet(title, found.simulated, "by", columns)
        for verdict, crossings in groups:
            for crossing in crossings:
                table.add(_by(verdict), _crossing(crossing))
            if not crossings:
                table.add(_by(verdict), [_unchanged(verdict), *[NOTHING] * 4])
        if any(c.between and not _inside(c) for _, crossings in groups for c in crossings):
            table.notes.append(f"{ELSEWHERE.strip()} not where the curves cross: too little is known to say where")
        table.notes.append(
            "without any one size: from where to where it moves, and in how many of the fits it is found"
        )
        yield table


def _by(verdict: Verdict) -> str:
    return BEST[verdict.criterion].replace("\n", " ")


def _crossing(crossing: Crossing) -> list[str]:
    between = NOTHING
    if crossing.between is not None:
        between = " and ".join(map(size, crossing.between)) + ("" if _inside(crossing) else ELSEWHERE)
    moved = NOTHING
    if crossing.low is not None and crossing.high is not None:
        moved = f"{size(crossing.low)} to {size(crossing.high)}\n({crossing.held} of {crossing.of})"
    kind = "EXTRAPOLATED" if crossing.extrapolated else "interpolated"
    return [f"{crossing.below} → {crossing.above}", size(crossing.size), kind, between, moved]


def _inside(crossing: Crossing) -> bool:
    return crossing.between is not None and crossing.between[0] <= crossing.size <= crossing.between[1]


def _unchanged(verdict: Verdict) -> str:
    if verdict.searched is None:
        return "fewer than two curves that can be compared"
    low, high = map(size, verdict.searched)
    return f"no change from {low} to {high}"


def _measured(found: Crossover) -> Sheet:
    title = f"Measured: means of a sample, failures included ({_certainty(found.simulated)})"
    columns = ["samples\n(clusters)", "not ok,\nleft out", *(NAMES[m].replace(" as if ", "\nas if ") for m in MEASURES)]
    table = sheet(title, found.simulated, _first(found), columns)
    for choice in found.choices:
        same = choice.fixed and all(p.figures == choice.points[0].figures for p in choice.points)
        for point in choice.points[:1] if same else choice.points:
            table.add(f"{choice.label}, {'any size' if same else size(point.size)}", _point(point))
        table.rule()
    if any(p.left_out for c in found.choices for p in c.points):
        table.notes.append("left out: runs on samples that another choice does not have at that size")
    return table


def _point(point: Point) -> list[str]:
    figures = [_figure(point.figures[m], WRITTEN[m]) for m in MEASURES]
    return [f"{count(point.pairs)}\n({count(point.clusters)})", f"{point.failed}, {point.left_out}", *figures]


def _fits(found: Crossover) -> Sheet:
    title = f"Fitted over n = {found.by}: the form that best foretells sizes left out, and its mean errors"
    columns = ["curve", "each size\nleft out", "largest\nheld out"]
    table = sheet(title, found.simulated, "choice, measure", columns)
    for choice in found.choices:
        for measure in MEASURES:
            fit = choice.fits[measure]
            errors = [NOTHING] * 2
            if fit is not None:
                errors = [_error(measure, error) for error in (fit.error, fit.largest_error)]
            table.add(f"{choice.label}, {NAMES[measure]}", [_curve(choice, fit), *errors])
        table.rule()
    held = sorted({f.size for c in found.choices for fit in c.fits.values() if fit is not None for f in fit.largest})
    if held:
        table.notes.append(f"largest held out: {', '.join(map(size, held))}, foretold by the smaller sizes alone")
    table.notes.append("errors: per cent of what was measured; of scores, points of score")
    return table


def _curve(choice: Choice, fit: Fit | None) -> str:
    if fit is None:
        return "none: fewer than three sizes are known"
    if fit.form == "joined":
        return "means joined by lines"
    if choice.fixed:
        return f"{_number(fit.coefficients[0])} (does not depend on it)"
    a, b, c = fit.coefficients
    terms = [(a, ""), (2 * c, "·n(n−1)/2")] if fit.form == "channels" else [(a, ""), (b, "·n"), (c, "·n²")]
    shown = [(value, power) for value, power in terms if value] or [(0.0, "")]
    first, *rest = shown
    text = f"{'−' if first[0] < 0 else ''}{_number(first[0])}{first[1]}"
    return text + "".join(f" {'−' if value < 0 else '+'} {_number(value)}{power}" for value, power in rest)


def _error(measure: str, error: float | None) -> str:
    return percent(error) if measure != "score" else NOTHING if error is None else _score(error)


def _net_errors(found: Crossover) -> Iterator[str]:
    for verdict in found.verdicts:
        if verdict.error:
            each = ", ".join(f"{label} {usd(error)}" for label, error in verdict.error.items())
            yield f"Mean error of the {_by(verdict)} at sizes left out, USD: {each}."


def _equations(found: Crossover) -> Sheet:
    title = "Cost equation: workers·steps·c + C_plan + workers·steps·C_sync + C_merge (tokens by activity)"
    unknown = any(t.unknown for e in found.equations for t in e.terms)
    columns = ["workers", "steps\nof each", "c", "C_plan", "C_sync", "C_merge", "verifi-\ncation", "total"]
    columns += ["unknown"] if unknown else []
    table = sheet(title, found.simulated, _first(found), columns)
    for equation in found.equations:
        fixed = found.choice(equation.choice).fixed
        for terms in equation.terms:
            cells = _terms(terms) + ([_tokens(terms.unknown)] if unknown else [])
            table.add(f"{equation.choice}, {'any size' if fixed else size(terms.size)}", cells)
        table.rule()
    table.notes.append("the equation has no place for verification; it is added to the total")
    return table


def _terms(terms: Terms) -> list[str]:
    made = [NOTHING if v is None else f"{v:.1f}" for v in (terms.workers, terms.steps)]
    a_step = [NOTHING if v is None else _tokens(v) for v in (terms.step, terms.sync)]
    plan, merge, verification, total = map(_tokens, (terms.plan, terms.merge, terms.verification, terms.total))
    return [*made, a_step[0], plan, a_step[1], merge, verification, total]


def _forecasts(found: Crossover) -> Sheet:
    title = "The cost equation on the largest sizes, estimated on the smaller ones alone: tokens of a run"
    columns = ["measured", "constant\nterms", "error", "growing\nterms", "error"]
    table = sheet(title, found.simulated, _first(found), columns)
    for equation in found.equations:
        for forecast in equation.forecasts:
            cells: list[str] = []
            for foretold in (forecast.constant, forecast.growing):
                cells += _foretold(foretold, forecast.measured)
            table.add(f"{equation.choice}, {size(forecast.size)}", [_tokens(forecast.measured), *cells])
    table.notes.append("constant: c, C_plan, C_sync, C_merge as estimated, workers and steps as they are at that size")
    table.notes.append("growing: each term follows a curve of its own over the size")
    return table


def _foretold(value: float | None, measured: float) -> Sequence[str]:
    if value is None:
        return [NOTHING] * 2
    return [_tokens(value), NOTHING if not measured else f"{100 * (value - measured) / measured:+.1f} %"]
