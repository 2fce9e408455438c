# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
def backward_fn(grad_output, x, weight, scale, power):
    return grad_output * scale, (grad_output * x).sum(0) * 2 * weight
