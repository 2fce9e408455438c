# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "JAX: a Pallas kernel for Triton, a piece of a row a program", framework: jax, backends: [cuda] }
import jax
import jax.numpy as jnp
from jax.experimental import pallas
from jax.experimental.pallas import triton

block = 1024


def add(a, b, c):
    i, first = pallas.program_id(0), pallas.program_id(1) * block
    at = (i, pallas.ds(first, block))
    inside = first + jnp.arange(block) < c.shape[1]
    sums = triton.load(a.at[at], mask=inside, other=0) + triton.load(b.at[at], mask=inside, other=0)
    triton.store(c.at[at], sums, mask=inside)


class Contestant:
    def __init__(self, workload):
        n = workload.n
        shape = jax.ShapeDtypeStruct((n, n), {"f16": jnp.float16, "f32": jnp.float32}[workload.types["real"]])
        options = triton.CompilerParams(num_warps=4, num_stages=1)
        add_all = pallas.pallas_call(add, out_shape=shape, grid=(n, pallas.cdiv(n, block)), compiler_params=options)
        self.add = jax.jit(add_all if n else jnp.add)

    def run(self, a, b):
        return self.add(a, b)
