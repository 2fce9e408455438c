# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


class Model(nn.Module):
    """The product of two matrices, shifted. With a second sentence."""

    def forward(self, left, right):
        return left @ right + 1


rows = 1024
inner = 2 * 512
cols = inner // 2


def get_inputs():
    return [torch.rand(rows, inner), torch.rand(inner, cols)]


def get_init_inputs():
    return []
