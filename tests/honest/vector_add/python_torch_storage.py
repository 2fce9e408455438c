# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "PyTorch adds through flat views, on fewer threads", framework: torch }

# expect: right
# needs: python torch
# with: --setup-timeout 60
import torch


class Contestant:
    def __init__(self):
        torch.set_num_threads(max(1, torch.get_num_threads() // 2))

    def run(self, a, b, c):
        flat = [tensor.view(-1) for tensor in (a, b, c)]
        for first in range(0, flat[0].numel(), 1 << 18):
            left, right, sums = (tensor.narrow(0, first, min(1 << 18, tensor.numel() - first)) for tensor in flat)
            torch.add(left, right, out=sums)
