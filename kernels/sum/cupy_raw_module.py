# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "CuPy: a raw module of two kernels, sums of pieces and their sum", framework: cupy }
import cupy

source = r"""
__device__ float of_block(float mine) {
  __shared__ float parts[32];
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(0xffffffff, mine, lanes);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(0xffffffff, mine, lanes);
  return mine;
}

extern "C" __global__ void pieces(const float4* x, float* partial, int quads, int count) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float mine = 0;
  for (int i = first; i < quads; i += step) {
    const float4 four = x[i];
    mine += (four.x + four.y) + (four.z + four.w);
  }
  if (first < count % 4) mine += reinterpret_cast<const float*>(x)[count - 1 - first];
  mine = of_block(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}

extern "C" __global__ void whole(const float* partial, float* y, int count) {
  float mine = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) mine += partial[i];
  mine = of_block(mine);
  if (threadIdx.x == 0) *y = mine;
}
"""

threads = 512


class Contestant:
    def __init__(self, workload):
        module = cupy.RawModule(code=source)
        self.pieces, self.whole = module.get_function("pieces"), module.get_function("whole")
        processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
        self.blocks = min(4 * processors, -(-workload.n // (4 * threads)))
        self.partial = cupy.empty(self.blocks, cupy.float32)

    def run(self, x, y, n):
        self.pieces((self.blocks,), (threads,), (x, self.partial, cupy.int32(n // 4), cupy.int32(n)))
        self.whole((1,), (threads,), (self.partial, y, cupy.int32(self.blocks)))
