"""The Redis operations that one delivery is made of, through redis-py and nothing else: the yardstick of the bus."""

from __future__ import annotations

import asyncio
import time

from redis.asyncio import Redis

_TAKE = """
local queued = redis.call('LRANGE', KEYS[1], 0, -1)
if #queued > 0 then redis.call('DEL', KEYS[1]) end
return queued
"""


def seconds_each(url: str, text: bytes, count: int) -> float:
    """Real seconds of one delivery, the mean over ``count``: a pipelined LPUSH and PUBLISH, ``get_message``, and a
    script that empties the list."""

    async def main() -> float:
        client = Redis.from_url(url)
        pubsub = client.pubsub()
        take = client.register_script(_TAKE)
        mailbox, channel = b"raw:mailbox", b"raw:channel"
        try:
            await pubsub.subscribe(channel)
            await pubsub.get_message(timeout=None)
            await take(keys=[mailbox])
            started = time.perf_counter()
            for _ in range(count):
                pipeline = client.pipeline(transaction=False)
                pipeline.lpush(mailbox, text)
                pipeline.publish(channel, b"bob")
                await pipeline.execute()
                await pubsub.get_message(timeout=None)
                await take(keys=[mailbox])
            return (time.perf_counter() - started) / count
        finally:
            await pubsub.aclose()  # type: ignore[no-untyped-call]
            await client.aclose()

    return asyncio.run(main())
