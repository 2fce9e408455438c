#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# ranks.sh PODIUM SOURCE-FOLDER [all]: two emulated devices, a process each, that reach each other's symmetric memory. Of
# three problems Podium's own contestants, and mistakes that only a group makes. With `all`, of all eight problems, all
# test workloads and types, and by four ranks, too.
source "$(dirname "$(readlink -f "$0")")/common.sh"

if [ "${3:-}" = all ]; then
  for problem in all_gather all_gather_matmul all_reduce all_to_all broadcast halo_exchange matmul_reduce_scatter reduce_scatter; do
    own=(copies peer)
    [ $problem != all_reduce ] || own=(copies one_shot two_shot)
    expect 0 "$podium" verify $problem --quiet --device $device --contestant "${own[@]}"
    for types in f32-2ranks bf16-2ranks f32-4ranks bf16-4ranks; do
      [ $problem-${types%-*} != halo_exchange-bf16 ] || continue
      for contestant in "${own[@]}"; do says "^$problem/$types +$contestant +right"; done
    done
  done
  exit
fi

for one in all_gather:sequence:peer all_reduce:n=1025:one_shot,two_shot reduce_scatter:whole_numbers:peer; do
  IFS=: read -r problem workload contestants <<<"$one"
  IFS=, read -ra own <<<"copies,$contestants"
  expect 0 "$podium" verify $problem --quiet --device $device --workload "f32-2ranks/$workload" --contestant "${own[@]}"
  for contestant in "${own[@]}"; do says "^$problem/f32-2ranks +$contestant +right"; done
done

# What each rank does with `own`, its part, and `other`, that of the other one. The second may come late once.
contestant() { # NAME SECONDS STATEMENTS
  cat >"$scratch/$1.gpu.cpp" <<END
// podium: { title: $1 }
#include <podium/all_reduce.hpp>
#include <chrono>
#include <thread>
namespace {
using problem::real;
__global__ void add(const real* x, real* y, std::int64_t n, podium::Team team, podium::Everywhere<real> shared) {
  real* const own = shared[team.rank];
  real* const other = shared[1 - team.rank];
  $3
}
struct Contestant {
  podium::Everywhere<real> shared;
  int late = $2;
  explicit Contestant(const problem::Workload& workload)
      : shared(podium::Symmetric(workload.team).take<real>(2 * workload.n)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.team.rank == 1) std::this_thread::sleep_for(std::chrono::seconds(late));
    late = 0;
    podium::launch(add, dim3(1), dim3(128), 0, stream, args.x.data, args.y.data, args.n, args.team, shared);
  }
};
}  // namespace
END
}
mistake() { # VERDICT STATEMENTS
  contestant mistake 0 "$2"
  expect 1 "$podium" verify all_reduce --quiet --timeout 20 --setup-timeout 20 --device $device --workload f32-2ranks/n=1025 --contestant "$scratch/mistake.gpu.cpp"
  says "mistake +$1"
}
each='for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x)'
# Right, though one waits for longer than threads may for what their own device does.
contestant honest 6 "$each own[i] = x[i]; podium::meet(team, 0); $each y[i] = own[i] + other[i]; podium::meet(team, 0);"
expect 0 "$podium" verify all_reduce --quiet --device $device --workload f32-2ranks/n=1025 --contestant "$scratch/honest.gpu.cpp"
mistake 'wrong ' "$each own[i] = x[i]; podium::meet(team, 0); $each y[i] = own[i] + own[i]; podium::meet(team, 0);"
mistake 'hung .*rank 1: .*rank 0 waits' "$each own[i] = x[i]; if (team.rank == 0) podium::meet(team, 0); $each y[i] = own[i]; while (team.rank == 1) __nanosleep(1000);"
mistake 'device error .*rank 1: .*an access of 4 bytes to global memory' "$each own[i] = x[i]; podium::meet(team, 0); $each y[i] = own[i] + other[(std::int64_t(team.rank) << 40) + i]; podium::meet(team, 0);"
