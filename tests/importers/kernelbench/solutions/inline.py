# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from torch import nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
torch::Tensor shifted(torch::Tensor left, torch::Tensor right) { return torch::matmul(left, right).add_(1); }
"""
extension = load_inline("shifted_product", cpp_sources=SOURCE, functions=["shifted"])


class ModelNew(nn.Module):
    def forward(self, left, right):
        return extension.shifted(left, right)
