# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


class Model(nn.Module):
    """Random in train mode."""

    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        return self.dropout(x) * 2


n = 1 << 20


def get_inputs():
    return [torch.rand(n)]


def get_init_inputs():
    return []
