"""Usage, prompt cache, latency, limits and faults of the simulated provider."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from harness.accounting.prices import CardPricing, PriceCard
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import NOT_BILLED, Usage
from harness.agents.rendering import render_tool
from harness.models.protocol import Request, TransportError
from harness.models.simulated.provider.provider import Cache, Faults, Latency, RateLimit

from .chat import CORPUS, NAMES, READ, Chat, HandClock, ask, opened, seed, statement, system, user, with_reads

S = 1_000_000
"""Clock ticks a second."""
BLOCK = " seven words of padding for a cache" * 50
"""350 tokens: each of its seven words is one."""


def request(text: str, *more: str, run: int = 1, agent: int = 1, ordinal: int = 1) -> Request:
    return Request("m", (system(text), *map(user, more)), seed=seed(run, agent, ordinal))


def test_the_padding_is_what_it_says() -> None:
    assert count_tokens(BLOCK) == 350


def test_prompt_tokens_are_counted_as_rendered() -> None:
    """By hand: the tools' declarations; each message's text, names and arguments; 4 tokens a message, 3 at the end."""
    messages = (system("Be brief."), user(statement()), *with_reads(NAMES[:2]))
    expected = sum(count_tokens(render_tool(t)) for t in CORPUS) + 3
    for m in messages:
        expected += 4 + count_tokens(m["content"] or "")
        for call in m.get("tool_calls", ()):
            expected += count_tokens(call["function"]["name"]) + count_tokens(call["function"]["arguments"])
    plain = Request("m", messages, CORPUS)
    assert ask(opened(), plain).usage.prompt_tokens == expected
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
    with_form = Request("m", messages, CORPUS, response_format=form)
    assert ask(opened(), with_form).usage.prompt_tokens == expected + count_tokens(json.dumps(form))


def test_reported_over_counted_stays_within_the_declared_band() -> None:
    """Counted as the engine does it: texts, tool declarations, names and arguments without the template around."""
    chat = Chat(opened(), [system("Answer from the documents."), user(statement())])
    while True:
        counted = sum(count_tokens(render_tool(t)) for t in chat.tools)
        for m in chat.messages:
            counted += count_tokens(m["content"] or "")
            counted += sum(
                count_tokens(c["function"]["name"]) + count_tokens(c["function"]["arguments"])
                for c in m.get("tool_calls", ())
            )
        response = chat.step()
        assert 0.8 <= response.usage.prompt_tokens / counted <= 1.25
        if not response.tool_calls:
            break


def test_completion_tokens_are_what_was_written() -> None:
    chat = Chat(opened(), [system("Answer."), user(statement(NAMES[:1]))], tools=(READ,))
    call = chat.step()
    (asked,) = call.tool_calls
    assert call.usage.completion_tokens == 3 + count_tokens("read_document") + count_tokens(asked.arguments)
    answer = chat.step()
    assert answer.usage.completion_tokens == count_tokens(answer.text)
    assert answer.usage.reasoning_tokens == 0


def test_reasoning_comes_on_top() -> None:
    written = ask(opened(), request("Hello.")).usage.completion_tokens
    usage = ask(opened(reasoning_share=2.0), request("Hello.")).usage
    assert (usage.reasoning_tokens, usage.completion_tokens) == (2 * written, 3 * written)


def test_the_default_price_card_bills_like_its_list_price() -> None:
    """1,000 prompt tokens of which 400 cached, 200 written: 600 × 0.15 + 400 × 0.075 + 200 × 0.60 USD a million."""
    bill = opened().pricing.bill(Usage(1000, 200, cached_tokens=400))
    assert bill is not None and bill.total_pusd == 240 * 10**6
    assert opened(price=None).pricing.bill(Usage(1000, 200)) is None
    assert isinstance(opened(price=PriceCard(1.0, 2.0)).pricing, CardPricing)


# -- prompt cache ----------------------------------------------------------------------------------------------------


def test_cached_prefixes_grow_in_steps_from_the_minimum() -> None:
    """A system message of 350 n + 4 tokens is repeated: kept from 1,024 on, in steps of 128."""
    for blocks, kept in ((2, 0), (3, 1024), (4, 1024 + 2 * 128), (5, 1024 + 5 * 128)):  # 704, 1054, 1404, 1754
        clock = HandClock()
        model = opened(clock=clock)
        assert ask(model, request(BLOCK * blocks)).usage.cached_tokens == 0
        clock.now += 10 * S
        assert ask(model, request(BLOCK * blocks, "And?", ordinal=2)).usage.cached_tokens == kept


def test_a_prefix_ends_inside_the_first_message_that_differs() -> None:
    """1,400 tokens alike, then another ending: 4 of the template are not counted inside a message."""
    clock = HandClock()
    model = opened(clock=clock)
    ask(model, request(f"{BLOCK * 4} one end"))
    clock.now += 10 * S
    assert ask(model, request(f"{BLOCK * 4} another end", agent=2)).usage.cached_tokens == 1024 + 2 * 128


def test_tools_come_first_in_the_prefix() -> None:
    clock = HandClock()
    model = opened(clock=clock)
    base = request(BLOCK * 4)
    for tools, cached in (((READ,), False), ((), False), ((READ,), True)):
        hit = ask(model, Request("m", base.messages, tools, seed=base.seed)).usage.cached_tokens
        assert (hit > 0) == cached
        clock.now += 10 * S


def test_a_prefix_is_there_when_its_answer_is_and_for_300_seconds_after_its_last_use() -> None:
    clock = HandClock()
    model = opened(clock=clock)
    first = ask(model, request(BLOCK * 4))
    assert first.latency_s is not None

    def hit(now: float) -> bool:
        clock.now = round(now * S)
        return ask(model, request(BLOCK * 4)).usage.cached_tokens > 0

    assert not hit(first.latency_s / 2)
    assert hit(200)
    assert hit(499)  # 299 seconds after the use at 200
    assert not hit(499 + 305)


def test_runs_share_no_cache() -> None:
    clock = HandClock()
    model = opened(clock=clock)
    ask(model, request(BLOCK * 4, run=1))
    clock.now += 10 * S
    assert ask(model, request(BLOCK * 4, run=2)).usage.cached_tokens == 0


def test_writes_are_reported_on_request() -> None:
    clock = HandClock()
    model = opened(clock=clock, cache=Cache(report_writes=True))
    usage = ask(model, request(BLOCK * 4)).usage  # of 1,404 tokens 1,024 + 2 × 128
    assert (usage.cached_tokens, usage.cache_write_tokens) == (0, 1280)
    clock.now += 10 * S
    usage = ask(model, request(BLOCK * 4, BLOCK, ordinal=2)).usage  # 1,758 tokens
    assert (usage.cached_tokens, usage.cache_write_tokens) == (1280, 1664 - 1280)
    assert ask(opened(cache=Cache(ttl_s=0, report_writes=True)), request(BLOCK * 4)).usage.cache_write_tokens == 0


def test_memory_stays_flat_over_many_runs() -> None:
    clock = HandClock()
    model = opened(clock=clock)
    for run in range(3000):
        ask(model, request(BLOCK * 4, run=run))
        clock.now += 60 * S
    assert model._provider.remembered <= 12  # runs of the last 600 seconds


# -- time ------------------------------------------------------------------------------------------------------------


def test_latency_is_the_declared_sum_in_milliseconds() -> None:
    latency = Latency(ttft_s=0.5, per_prompt_token_s=0.00002, tokens_per_s=80, jitter=0.2)
    assert latency.seconds(10_000, 160, 0.5) == 2.7  # 0.5 + 0.2 + 2.0
    assert (latency.seconds(10_000, 160, 0.0), latency.seconds(10_000, 160, 1.0)) == (2.16, 3.24)


def test_latency_counts_what_was_not_cached() -> None:
    clock = HandClock()
    model = opened(clock=clock, latency=Latency(ttft_s=0, per_prompt_token_s=0.01, tokens_per_s=1e9, jitter=0))
    for cached in (0, 1280):
        response = ask(model, request(BLOCK * 4))
        assert response.usage.cached_tokens == cached
        assert response.latency_s == round((response.usage.prompt_tokens - cached) * 0.01, 3)
        clock.now += 60 * S


# -- limits and faults -------------------------------------------------------------------------------------------------


def test_requests_per_minute() -> None:
    clock = HandClock()
    model = opened(clock=clock, rate_limit=RateLimit(2))
    ask(model, request("a", ordinal=1))
    clock.now = 10 * S
    ask(model, request("a", ordinal=2))
    clock.now = 20 * S
    with pytest.raises(TransportError) as refused:
        ask(model, request("a", ordinal=3))
    fault = refused.value
    assert (fault.kind, fault.retryable, fault.retry_after_s, fault.usage) == ("rate_limited", True, 40.0, NOT_BILLED)
    assert fault.latency_s == 0.05
    ask(model, request("a", run=2, ordinal=3))  # another run has its own limit
    clock.now = 60 * S
    ask(model, request("a", ordinal=3))


def test_faults_strike_attempts_at_their_rates() -> None:
    """2,000 requests, each once: 20 % ± 5 standard deviations of 0.9 %."""
    model = opened(faults=Faults(rate_limited=0.2, server_error=0.2, stall=0.2, retry_after_s=7))
    found: Counter[str] = Counter()
    for run in range(2000):
        try:
            response = ask(model, request("a", run=run))
            found["stall" if (response.latency_s or 0) >= 3600 else "ok"] += 1
        except TransportError as fault:
            found[fault.kind] += 1
            assert fault.usage == NOT_BILLED and fault.latency_s == 0.05
            assert fault.retry_after_s == (7 if fault.kind == "rate_limited" else None)
    for kind, share in {"rate_limited": 0.2, "server_error": 0.2, "stall": 0.2, "ok": 0.4}.items():
        assert abs(found[kind] / 2000 - share) < 0.055


def test_a_retry_is_drawn_anew_and_its_answer_is_the_same() -> None:
    model = opened(faults=Faults(server_error=0.5))
    plain = ask(opened(), request("a")).text
    outcomes = []
    for _ in range(40):
        try:
            outcomes.append(ask(model, request("a")).text)
        except TransportError:
            outcomes.append("fault")
    assert set(outcomes) == {"fault", plain}


def test_max_tokens_cut_what_is_written() -> None:
    chat = Chat(opened(), [system("Answer."), user(statement()), *with_reads(NAMES)])
    whole = ask(chat.model, chat.request())
    cut = ask(chat.model, Request("m", tuple(chat.messages), CORPUS, seed=chat.seed, max_tokens=50))
    assert (cut.finish_reason, cut.usage.completion_tokens) == ("length", 50)
    assert whole.finish_reason == "stop" and whole.text.startswith(cut.text)
    short = Chat(opened(max_output_tokens=20), [system("Answer."), user(statement())]).step()
    assert short.finish_reason == "length" and short.usage.completion_tokens <= 20
