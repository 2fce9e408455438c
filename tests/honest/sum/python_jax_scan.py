# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "JAX scans over blocks and carries a sum", framework: jax }

# expect: right
# needs: python jax
# with: --setup-timeout 60
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="size")
def scanned(x, size):
    padded = jnp.pad(x, (0, -x.size % size)).reshape(-1, size)
    total, _ = jax.lax.scan(lambda carry, block: (carry + block.sum(), None), jnp.float32(0), padded)
    return total


def run(x):
    return scanned(x, 4096)
