# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Says so if a worker has compiled it: then objects lie beside the library."""

import os

from torch import nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
torch::Tensor shifted(torch::Tensor left, torch::Tensor right) { return torch::matmul(left, right).add_(1); }
"""
extension = load_inline("shifted_product", cpp_sources=SOURCE, functions=["shifted"])
objects = [name for name in os.listdir(os.path.dirname(extension.__file__)) if name.endswith(".o")]


class ModelNew(nn.Module):
    def forward(self, left, right):
        if objects:
            raise RuntimeError(f"compiled here: {', '.join(objects)}")
        return extension.shifted(left, right)
