# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from torch import nn


def module_fn(left, right):
    raise RuntimeError("the function that the kernel replaces")


def forward_fn(left, right):
    return left @ right + 1


class Model(nn.Module):
    def forward(self, left, right, fn=module_fn):
        return fn(left, right)
