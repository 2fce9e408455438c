# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "nvmath-python: cuBLASLt, planned in the first call", framework: torch, backends: [cuda] }
import torch
from nvmath.linalg.advanced import Matmul, MatmulOptions


class Contestant:
    def __init__(self):
        self.product = None

    def run(self, a, b, c):
        # In place: the result is written into c, which is read only where beta is not zero.
        if self.product is None:
            self.product = Matmul(a, b, c, alpha=1.0, beta=0.0, options=MatmulOptions(inplace=True))
            self.product.plan()
        else:
            self.product.reset_operands_unchecked(a=a, b=b, c=c)
        self.product.execute(stream=torch.cuda.current_stream())
