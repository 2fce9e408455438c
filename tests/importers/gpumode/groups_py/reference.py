# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import torch
from task import input_t, output_t
from utils import close


def ref_kernel(data: input_t) -> output_t:
    pairs, sizes = data
    for (a, b, c), (m, k) in zip(pairs, sizes):
        c[...] = a @ b
    return [c for _, _, c in pairs]


def generate_input(m: list, k: int, groups: int, seed: int) -> input_t:
    torch.manual_seed(seed)
    pairs = []
    for extent in m:
        a = torch.randn(k, extent, device="cuda").t()
        pairs.append((a, torch.randn(k, 2, device="cuda"), torch.zeros(extent, 2, device="cuda")))
    return pairs, [(extent, k) for extent in m]


def check_implementation(data: input_t, output: output_t) -> bool:
    return not [f for e, o in zip(ref_kernel(data), output) for f in close(e, o, 1e-5, 1e-5)]
