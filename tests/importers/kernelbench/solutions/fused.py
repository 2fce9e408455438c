# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, left, right):
        return torch.addmm(torch.ones((), dtype=left.dtype), left, right)
