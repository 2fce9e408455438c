# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from torch import nn


class ModelNew(nn.Module):
    def forward(self, left, right):
        return (left @ right + 1)[:1]
