# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


def forward_fn(x, weight):
    return x * weight


class Model(nn.Module):
    """Columns times weights, by a function that a kernel may replace."""

    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))

    def forward(self, x, fn=forward_fn):
        return fn(x, self.weight)


def get_inputs(rows, features):
    return [torch.randn(rows, features)]
