# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "cuda.core: CUDA C++ compiled by NVRTC in the constructor", framework: cuda.core, types: { real: [f32] } }
try:
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, Stream, launch
except ImportError:  # before version 1
    from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, Stream, launch

source = r"""
extern "C" __global__ void add(const float* a, const float* b, float* c, long long count) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}
"""


def address(array):
    return array.__cuda_array_interface__["data"][0]


class Contestant:
    def __init__(self, workload):
        device = Device()
        device.set_current()
        arch = "".join(map(str, device.compute_capability))
        options = ProgramOptions(std="c++17", arch=f"sm_{arch}")
        self.kernel = Program(source, code_type="c++", options=options).compile("cubin").get_kernel("add")
        self.stream = Stream.from_handle(int(workload.stream))

    def run(self, a, b, c, n):
        count = n * n
        if count:
            blocks = LaunchConfig(grid=(count + 255) // 256, block=256)
            launch(self.stream, blocks, self.kernel, address(a), address(b), address(c), count)
