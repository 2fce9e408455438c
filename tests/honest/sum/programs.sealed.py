# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Sealed, Triton, sums of pieces and then their sum
#   needs: [triton]
#   values: { pieces: "max(ceil_div(n, 4096), 1)" }
#   scratch: { partial: { dtype: f32, shape: [pieces] } }
#   launches:
#     - { kernel: piece, grid: [pieces], arguments: [x, partial, i32(n)], constants: { BLOCK: 4096 }, options: { num_warps: 8 } }
#     - { kernel: piece, grid: [1], arguments: [partial, y, i32(pieces)], constants: { BLOCK: next_power_of_2(pieces) } }

# expect: right
# needs: triton
# Blocks, shared memory and the code itself are a compiler's: two code objects of one kernel, in one list.
import triton
import triton.language as tl


@triton.jit
def piece(x, sums, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(sums + tl.program_id(0), tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))
