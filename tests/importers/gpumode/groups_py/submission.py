# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from task import input_t, output_t


def custom_kernel(data: input_t) -> output_t:
    return [torch.mm(a, b, out=c) for a, b, c in data[0]]
