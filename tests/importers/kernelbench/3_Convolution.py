# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


class Model(nn.Module):
    """A convolution with weights, and a bias that is a parameter of its own."""

    def __init__(self, channels, features, width):
        super().__init__()
        self.convolution = nn.Conv2d(channels, features, width)
        self.bias = nn.Parameter(torch.randn(features, 1, 1))

    def forward(self, x):
        return torch.relu(self.convolution(x)) + self.bias


batch = 16
channels = 8
features = 32
width = 3
size = 128


def get_inputs():
    return [torch.rand(batch, channels, size, size)]


def get_init_inputs():
    return [channels, features, width]
