# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Triton, one program a row, warps chosen by autotuning", framework: torch, backends: [cuda] }

# The first call tunes. The kernel is that of triton_jit.py, so the two rows show what tuning changes.
import triton
import triton.language as tl


@triton.autotune([triton.Config({}, num_warps=warps) for warps in (1, 2, 4, 8, 16, 32)], key=["cols"])
@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * cols
    j = tl.arange(0, BLOCK)
    row = tl.load(x + first + j, mask=j < cols, other=-float("inf")).to(tl.float32)
    exponential = tl.exp(row - tl.max(row, 0))
    tl.store(y + first + j, (exponential / tl.sum(exponential, 0)).to(y.dtype.element_ty), mask=j < cols)


def run(x, y, rows, cols):
    softmax[(rows,)](x, y, cols, BLOCK=triton.next_power_of_2(cols))
