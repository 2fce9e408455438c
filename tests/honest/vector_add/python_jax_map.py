# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "JAX maps an addition over rows", framework: jax }

# expect: right
# needs: python jax
# with: --setup-timeout 60
import jax


@jax.jit
def added(a, b):
    return jax.vmap(lambda left, right: left + right)(a, b)


def run(a, b):
    return added(a, b)
