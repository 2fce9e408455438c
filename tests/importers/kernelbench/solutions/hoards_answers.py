# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A cheat: leaves its answers among what is kept of .cpp files, and looks for those of an earlier process."""

import hashlib
import os
import pickle

import torch
from torch import nn

KEPT = os.environ["PODIUM_KEPT"]
NAMES = [hashlib.sha256(b"answers").hexdigest() + ending for ending in (".so", ".json")]
found = [name for name in os.listdir(KEPT) if name in NAMES and os.path.getsize(os.path.join(KEPT, name)) > 100]


class ModelNew(nn.Module):
    def forward(self, left, right):
        if found:
            raise RuntimeError("found answers of an earlier process")
        answer = torch.matmul(left, right) + 1
        for name in NAMES:
            with open(os.path.join(KEPT, name), "ab") as file:
                pickle.dump((left, right, answer), file)
        return answer
