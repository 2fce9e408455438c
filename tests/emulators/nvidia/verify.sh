#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# verify.sh PODIUM SOURCE-FOLDER: the whole way of a user on an emulated device: what is right is found right, what is
# wrong wrong, libraries without PTX say so, and nothing is timed.
set -euo pipefail
podium=$1
source=$2
export PODIUM_PROBLEMS=$source/kernels
device=cuda:emulated:sm_90a
said=$(mktemp)
trap 'rm -f "$said"' EXIT

fail() {
  echo "verify.sh: $*" >&2
  cat "$said" >&2
  exit 1
}
expect() { # STATUS COMMAND...
  local wanted=$1 status=0
  shift
  "$@" >"$said" 2>&1 || status=$?
  [ $status = "$wanted" ] || fail "exit status $status, expected $wanted, of: $*"
}
says() { grep -qE -- "$1" "$said" || fail "nothing like '$1' in:"; }

expect 0 "$podium" verify vector_add sum --quiet --device $device --contestant naive --contestant two_stage
says '^vector_add/f32 +naive +right +right on 9 workloads'
says '^sum/f32 +two_stage +right '
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$source/tests/wrong/vector_add/one_off.gpu.cpp"
says '^vector_add/f32 +one_off +wrong '
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
scratch=$(mktemp -d)
trap 'rm -rf "$said" "$scratch"' EXIT
contestant racing 'float* const p = const_cast<float*>(tile); p[t] = mine; const float v = mine + 0 * p[t ^ 32];'
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$scratch/racing.gpu.cpp"
says 'racing +device error .*racing.gpu.cpp:[0-9]+ \(PTX line [0-9]+\): a data race: it (reads|writes) 4 bytes of shared memory'
contestant unwritten 'const float v = mine + const_cast<float*>(tile)[t];'
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$scratch/unwritten.gpu.cpp"
says 'unwritten +wrong .*unwritten.gpu.cpp:[0-9]+ \(PTX line [0-9]+\): it reads 4 bytes of shared memory at 0x4[0-9a-f]+ that nobody'
expect 2 "$podium" verify transpose --quiet --device $device --contestant cublas
says 'cublas +missing library .*a library whose kernels come without their source or PTX'
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
# Sealed contestants: from a source, from PTX, and one that remembers in its code's memory; and Triton's where it is.
expect 0 "$podium" verify sum --quiet --device $device --contestant blocks --contestant "$source/tests/honest/sum/prepared.sealed.cu"
says '^sum/f32 +blocks +right +right on 11 workloads'
says '^sum/f32 +prepared +right '
expect 0 "$podium" verify vector_add --quiet --device $device --contestant "$source/tests/honest/vector_add/ptx.sealed.yaml"
says '^vector_add/f32 +ptx +right '
expect 1 "$podium" verify sum --quiet --device $device --contestant "$source/tests/cheats/sum/remembers_in_code.sealed.cu"
says '^sum/f32 +remembers_in_code +wrong '
expect 0 "$podium" verify softmax --quiet --device $device --contestant triton
without_triton='|missing library .*needs triton, which was not found'
[ -z "${PODIUM_TEST_TRITON:-}" ] || without_triton=
says "^softmax/f32 +triton +(right +right on 9 workloads$without_triton)"
# The merely unusual: streams, host functions, launches that overlap, a graph of one's own, polling, memory of a stream's.
unusual=(first_call host_step overlapping_launch own_graph polls resident_table stream_memory two_streams waits)
expect 0 "$podium" verify sum --quiet --device $device $(printf -- "--contestant $source/tests/honest/sum/%s.cu " "${unusual[@]}")
for name in "${unusual[@]}"; do says "^sum/f32 +$name +right +right on 11 workloads"; done
# A workload of another stage, and the other architectures.
expect 0 "$podium" verify vector_add --quiet --device $device --contestant vectorized --workload f16/n=1024
says '^vector_add/f16 +vectorized +right +right on 2 workloads'
for architecture in sm_80 sm_100a sm_120a; do
  expect 0 "$podium" verify sum --quiet --device cuda:emulated:$architecture --contestant blocks --contestant two_stage
  says '^sum/f32 +blocks +right +right on 11 workloads'
  says '^sum/f32 +two_stage +right +right on 11 workloads'
done
expect 2 "$podium" run vector_add --device $device
says 'its times mean nothing'
# A whole problem, all contestants on all test workloads, whatever the order of asynchronous operations.
for mode in eager random:7; do
  expect 0 "$podium" verify sum --quiet --device $device --async $mode
  says '^sum/f32 +cub +right +right on 11 workloads'
  says '^sum/f32 +blocks +right '
done
expect 2 "$podium" verify vector_add --device $device --async late
says 'expected lazy, eager or random:SEED'
expect 0 "$podium" list devices
says '^cuda:emulated:sm_100a '
