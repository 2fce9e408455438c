// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "NCCL: a group of ncclSend and ncclRecv", needs: [nccl] }
#include <podium/all_to_all.hpp>

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
    check(ncclGroupStart());
    for (int rank = 0; rank < args.team.ranks; ++rank) {
      check(ncclSend(&args.x(rank, 0), n, type, rank, communicator, stream));
      check(ncclRecv(&args.y(rank, 0), n, type, rank, communicator, stream));
    }
    check(ncclGroupEnd());
  }
};
}  // namespace
