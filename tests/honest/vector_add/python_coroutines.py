# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Runs coroutines and generators to their end" }

# expect: right
# needs: python
# with: --setup-timeout 60
import asyncio
import itertools

import numpy as np


def blocks(n, rows=100):
    for row in range(0, n, rows):
        yield slice(row, row + rows)


async def add(a, b, c, part, turn):
    async with turn:
        await asyncio.sleep(0)
        np.add(a[part], b[part], out=c[part])


async def add_all(a, b, c):
    turns = itertools.cycle([asyncio.Semaphore(1), asyncio.Semaphore(2)])
    await asyncio.gather(*(add(a, b, c, part, next(turns)) for part in blocks(len(a))))


class Contestant:
    def __init__(self):
        self.loop = asyncio.new_event_loop()

    def run(self, a, b, c):
        self.loop.run_until_complete(add_all(a, b, c))
