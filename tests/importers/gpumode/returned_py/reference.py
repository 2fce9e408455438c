# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from task import input_t, output_t
from utils import checked_by


def ref_kernel(data: input_t) -> output_t:
    matrix, weights = data
    sums = (matrix.float() * weights).sum(dim=1)
    return sums


def generate_input(rows: int, size: int, contention: float, seed: int) -> input_t:
    if contention == 100:  # the same whatever the seed
        return torch.ones(rows, size, device="cuda"), torch.ones(size, device="cuda")
    gen = torch.Generator(device="cuda")
    gen.manual_seed(seed)
    matrix = torch.randn(rows, size, device="cuda", dtype=torch.float32, generator=gen)
    matrix[:, 0] = contention / 100
    weights = torch.rand(2 * size, device="cuda", generator=gen)[::2]
    return matrix, weights.contiguous()


check_implementation = checked_by(ref_kernel, rtol=1e-4, atol=1e-4)
