# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium:
#   title: Helion, a tile of the result a program, configuration given
#   framework: torch
#   backends: [cuda]
#   when: m > 1 && n > 1
import helion
import helion.language as hl
import torch

config = helion.Config(block_sizes=[128, 128, 64], l2_groupings=[8], num_warps=8, num_stages=3)


@helion.kernel(config=config, static_shapes=True)
def product(a, b, c):
    for i, j in hl.tile([a.size(0), b.size(1)]):
        total = hl.zeros([i, j], dtype=torch.float32)
        for l in hl.tile(a.size(1)):
            total = torch.addmm(total, a[i, l], b[l, j])
        c[i, j] = total.to(c.dtype)


def run(a, b, c):
    product(a, b, c)
