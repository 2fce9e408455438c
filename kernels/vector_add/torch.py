# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "PyTorch: one operator", framework: torch, backends: [cuda] }
import torch


def run(a, b, c):
    torch.add(a, b, out=c)
