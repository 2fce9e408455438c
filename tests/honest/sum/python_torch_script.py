# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "TorchScript adds blocks, then their sums", framework: torch }

# expect: right
# needs: python torch
# with: --setup-timeout 60
import torch


@torch.jit.script
def blocks(x: torch.Tensor, y: torch.Tensor, size: int):
    whole = x.numel() // size * size
    total = x[:whole].view(-1, size).sum(1).sum() + x[whole:].sum()
    y.copy_(total)


class Contestant:
    def __init__(self):
        blocks(torch.ones(3), torch.empty(()), 1)  # compiles

    def run(self, x, y):
        blocks(x, y, 1024)
