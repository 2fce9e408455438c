#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What only an emulated device sees is told, and so is what it lacks.
source "$(dirname "$(readlink -f "$0")")/common.sh"

# A barrier is missing; and shared memory is read that nobody wrote, which only its result tells.
contestant() { # NAME STATEMENTS
  cat >"$scratch/$1.gpu.cpp" <<END
// podium: { title: $1 }
#include <podium/vector_add.hpp>
namespace {
using problem::real;
__global__ void add(const real* a, const real* b, real* c, std::int64_t n) {
  __shared__ volatile float tile[64];
  const unsigned t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * 64 + t;
  const float mine = i < n ? podium::cast<float>(a[i]) : 0;
  $2
  if (i < n) c[i] = podium::cast<real>(podium::cast<float>(b[i]) + v);
}
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t n = args.c.size();
    if (n == 0) return;
    podium::launch(add, dim3(unsigned(podium::ceil_div(n, 64))), dim3(64), 0, stream, args.a.data, args.b.data,
                   args.c.data, n);
  }
};
}  // namespace
END
}
contestant racing 'float* const p = const_cast<float*>(tile); p[t] = mine; const float v = mine + 0 * p[t ^ 32];'
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$scratch/racing.gpu.cpp"
says 'racing +device error .*racing.gpu.cpp:[0-9]+ \(PTX line [0-9]+\): a data race: it (reads|writes) 4 bytes of shared memory'
contestant unwritten 'const float v = mine + const_cast<float*>(tile)[t];'
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$scratch/unwritten.gpu.cpp"
says 'unwritten +wrong .*unwritten.gpu.cpp:[0-9]+ \(PTX line [0-9]+\): it reads 4 bytes of shared memory at 0x4[0-9a-f]+ that nobody'
# A function that emulated devices lack: told, and a failure, in the row of whoever checks its status and of whoever does
# not. What only hints is taken.
cp "$source/tests/cheats/sum/honest.hpp" "$scratch"
lacking() { # NAME CALL
  cat >"$scratch/$1.cu" <<END
// podium: { title: $1 }
#include "honest.hpp"
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaArray_t array{};
    const cudaChannelFormatDesc description = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    $2(cudaMallocArray(&array, &description, 16, 16));
    honest_sum(args, stream);
  }
};
}  // namespace
END
}
lacking checks podium::check
lacking ignores void
expect 1 "$podium" verify sum --quiet --device $device --contestant "$scratch/checks.cu" --contestant "$scratch/ignores.cu"
for name in checks ignores; do says "^sum/f32 +$name +threw .*cudaMallocArray: emulated devices do not have this function"; done
expect 0 "$podium" verify sum --quiet --device $device --contestant "$source/tests/cheats/sum/persisting_cache.cu"
says '^sum/f32 +persisting_cache +right '
