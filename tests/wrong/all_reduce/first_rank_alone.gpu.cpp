// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Only rank 0 writes its result

// expect: not written
#include <podium/all_reduce.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block)
    all_reduce(podium::PackedTensor<const real, 1> x, podium::PackedTensor<real, 1> y, podium::Team team,
               podium::Everywhere<real> shared) {
  const std::int64_t n = x.extent(0);
  for (std::int64_t i = threadIdx.x; i < n; i += block) shared[team.rank][i] = x(i);
  podium::meet(team, 0);
  for (std::int64_t i = threadIdx.x; team.rank == 0 && i < n; i += block) {
    float sum = 0;
    for (int rank = 0; rank < team.ranks; ++rank) sum += podium::cast<float>(shared[rank][i]);
    y(i) = podium::cast<real>(sum);
  }
  podium::meet(team, 0);
}

struct Contestant {
  podium::Everywhere<real> shared;

  explicit Contestant(const problem::Workload& workload)
      : shared(podium::Symmetric(workload.team).take<real>(workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(all_reduce, dim3(1), dim3(block), 0, stream, args.x, args.y, args.team, shared);
  }
};
}  // namespace
