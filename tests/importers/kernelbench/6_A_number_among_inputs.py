# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


class Model(nn.Module):
    """A vector times a number, whose size a class reads."""

    def forward(self, x, factor):
        assert x.shape[0] == n
        return x * factor


n = 4096


def get_inputs():
    return [torch.rand(n), 2.5]


def get_init_inputs():
    return []
