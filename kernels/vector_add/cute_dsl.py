# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "CuTe DSL: 16 bytes of each tensor a thread", framework: torch, backends: [cuda] }
import math

import cuda.bindings.driver as driver
import torch
from cutlass import cute
from cutlass.cute.runtime import from_dlpack

threads = 256


@cute.kernel
def add_pieces(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    i = block * threads + thread
    if i < cute.size(c, mode=[1]):
        c[(None, i)] = a[(None, i)].load() + b[(None, i)].load()


@cute.jit
def add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, stream: driver.CUstream):
    elements = math.gcd(cute.size(c), 128 // c.element_type.width)  # of a piece
    a, b, c = (cute.zipped_divide(one, (elements,)) for one in (a, b, c))
    grid = (cute.ceil_div(cute.size(c, mode=[1]), threads), 1, 1)
    add_pieces(a, b, c).launch(grid=grid, block=(threads, 1, 1), stream=stream)


class Contestant:
    def __init__(self, workload):
        self.stream = driver.CUstream(torch.cuda.current_stream().cuda_stream)
        self.compiled = None

    def run(self, a, b, c):
        if c.numel() == 0:
            return
        tensors = [from_dlpack(one.view(-1), assumed_align=16) for one in (a, b, c)]
        self.compiled = self.compiled or cute.compile(add, *tensors, self.stream)
        self.compiled(*tensors, self.stream)
