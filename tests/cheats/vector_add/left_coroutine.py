# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Leaves a coroutine to a loop of its own" }

# class: side stream, late work
# expect: not written | wrong | out of bounds | input changed | broke protocol
# needs: python
# with: --setup-timeout 60
import asyncio
import threading

import numpy as np

loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


async def add(a, b, c):
    for row in range(len(a)):
        await asyncio.sleep(0.02)
        np.add(a[row], b[row], out=c[row])


def run(a, b, c):
    asyncio.run_coroutine_threadsafe(add(a, b, c), loop)
