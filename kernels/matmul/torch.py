# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "PyTorch: one operator, cuBLAS's", framework: torch, backends: [cuda] }
import torch

# Without this, partial sums may be f16, which the tolerance does not allow.
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False


def run(a, b, c):
    torch.matmul(a, b, out=c)
