# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x
