# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Triton, one program a row, the row in registers
#   author: Podium
#   needs: [triton]
#   launches:
#     - kernel: softmax
#       grid: [rows]
#       arguments: [x, y, i32(cols)]
#       constants: { BLOCK: next_power_of_2(cols) }
#       options: { num_warps: "min(1024 / warp, max(4, next_power_of_2(cols) / 1024))" }

# A row is read once: its largest element, the sum of exponentials and the quotients come from registers. Lanes beyond
# the row hold minus infinity, whose exponential adds nothing.
import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * cols
    j = tl.arange(0, BLOCK)
    row = tl.load(x + first + j, mask=j < cols, other=-float("inf")).to(tl.float32)
    exponential = tl.exp(row - tl.max(row, 0))
    tl.store(y + first + j, (exponential / tl.sum(exponential, 0)).to(y.dtype.element_ty), mask=j < cols)
