# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Triton, a tile a program, its shape chosen by autotuning", framework: torch, backends: [cuda] }
import triton
import triton.language as tl

configs = [
    triton.Config({"M": m, "N": n, "K": 64}, num_warps=warps, num_stages=stages)
    for m, n, warps, stages in (
        (32, 32, 4, 4), (64, 32, 4, 4), (64, 64, 4, 4), (64, 128, 4, 4), (128, 64, 4, 4), (128, 128, 8, 3), (128, 256, 8, 3),
    )
]  # fmt: skip


@triton.autotune(configs, key=["m", "n", "k"])  # in the first call
@triton.jit
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    # Eight rows of tiles at a time, column by column: programs that run together share tiles in the L2 cache.
    rows, columns = tl.cdiv(m, M), tl.cdiv(n, N)
    first_row = tl.program_id(0) // (8 * columns) * 8
    height = min(rows - first_row, 8)
    place = tl.program_id(0) % (8 * columns)
    i = (first_row + place % height) * M + tl.arange(0, M)
    j = place // height * N + tl.arange(0, N)
    total = tl.zeros([M, N], tl.float32)
    for first in range(0, k, K):
        l = first + tl.arange(0, K)
        # Rows and columns beyond the matrices wrap around: their products are not stored.
        a_tile = tl.load(a + (i % m)[:, None] * k + l[None, :], mask=(l < k)[None, :], other=0)
        b_tile = tl.load(b + l[:, None] * n + (j % n)[None, :], mask=(l < k)[:, None], other=0)
        total = tl.dot(a_tile, b_tile, total)
    inside = (i < m)[:, None] & (j < n)[None, :]
    tl.store(c + i[:, None] * n + j[None, :], total.to(c.dtype.element_ty), mask=inside)


def run(a, b, c, m, n, k):
    product[lambda chosen: (triton.cdiv(m, chosen["M"]) * triton.cdiv(n, chosen["N"]),)](a, b, c, m, n, k)
