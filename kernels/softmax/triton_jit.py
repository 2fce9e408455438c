# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Triton, one program a row, compiled when it is called
#   framework: torch
#   backends: [cuda]

# The kernel and its launch are those of triton.sealed.py: what differs is who launches it.
import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * cols
    j = tl.arange(0, BLOCK)
    row = tl.load(x + first + j, mask=j < cols, other=-float("inf")).to(tl.float32)
    exponential = tl.exp(row - tl.max(row, 0))
    tl.store(y + first + j, (exponential / tl.sum(exponential, 0)).to(y.dtype.element_ty), mask=j < cols)


def run(x, y, rows, cols):
    block = triton.next_power_of_2(cols)
    softmax[(rows,)](x, y, cols, BLOCK=block, num_warps=min(32, max(4, block // 1024)))
