// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "RCCL: ncclReduceScatter", needs: [rccl] }
#include <podium/reduce_scatter.hpp>

#include "../all_reduce/communicator.hpp"

namespace {
using collective::check;
constexpr ncclDataType_t type = collective::type<problem::real>;

struct Contestant {
  collective::Communicator communicator;

  explicit Contestant(const problem::Workload& workload) : communicator(workload.team) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto n = static_cast<std::size_t>(args.n);
    if (n == 0) return;
    check(ncclReduceScatter(args.x.data, args.y.data, n, type, ncclSum, communicator, stream));
  }
};
}  // namespace
