# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "JAX: XLA's code of the formula, and a copy into the output", framework: jax, backends: [cuda] }
import jax


@jax.jit
def add(a, b):
    return a + b


def run(a, b):
    return add(a, b)
