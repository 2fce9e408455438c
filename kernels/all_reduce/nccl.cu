// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "NCCL: ncclAllReduce", needs: [nccl] }
#include <nccl.h>
#include <podium/all_reduce.hpp>

#include <string>
#include <type_traits>

namespace {
using problem::real;
constexpr ncclDataType_t type = std::is_same_v<real, float> ? ncclFloat32 : ncclBfloat16;

void check(ncclResult_t result) {
  if (result != ncclSuccess) throw podium::Error("NCCL: " + std::string(ncclGetErrorString(result)));
}

struct Contestant {
  ncclComm_t communicator{};

  explicit Contestant(const problem::Workload& workload) {
    const auto& team = workload.team;
    ncclUniqueId id{};
    if (team.rank == 0) check(ncclGetUniqueId(&id));
    team.from_rank_0(&id, sizeof id);
    check(ncclCommInitRank(&communicator, team.ranks, id, team.rank));
  }
  Contestant(const Contestant&) = delete;
  ~Contestant() { ncclCommDestroy(communicator); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto n = static_cast<std::size_t>(args.n);
    if (n == 0) return;
    check(ncclAllReduce(args.x.data, args.y.data, n, type, ncclSum, communicator, stream));
  }
};
}  // namespace
