# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn


class AutogradFunction(torch.autograd.Function):
    backward_fn = None

    @staticmethod
    def forward(ctx, x, weight, power):
        scale = weight**power
        ctx.save_for_backward(x, weight, scale)
        ctx.power = power
        return x * scale

    @staticmethod
    def backward(ctx, grad_output):
        grad_x, grad_weight = AutogradFunction.backward_fn(grad_output, *ctx.saved_tensors, ctx.power)
        return grad_x, grad_weight, None


def forward_fn(x, weight, power):
    return x * weight**power


class Model(nn.Module):
    """Columns times a power of weights."""

    def __init__(self, features, power=2):
        super().__init__()
        self.weight, self.power = nn.Parameter(torch.randn(features)), power

    def forward(self, x, fn=forward_fn):
        return fn(x, self.weight, self.power)


def get_inputs(rows, features):
    return [torch.randn(rows, features, requires_grad=True)]
