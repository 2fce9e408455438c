// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NCCL's and RCCL's communicator of all ranks, and their checked calls. Both libraries have the same names.
#pragma once
#include <podium/error.hpp>
#include <podium/ranks.hpp>

#if defined(PODIUM_ON_CUDA)
#include <nccl.h>
#else
#include <rccl/rccl.h>
#endif

#include <string>
#include <type_traits>

namespace collective {

template <class T>
constexpr ncclDataType_t type = std::is_same_v<T, float> ? ncclFloat32 : ncclBfloat16;

inline void check(ncclResult_t result) {
#if defined(PODIUM_ON_CUDA)
  constexpr const char* library = "NCCL: ";
#else
  constexpr const char* library = "RCCL: ";
#endif
  if (result != ncclSuccess) throw podium::Error(library + std::string(ncclGetErrorString(result)));
}

class Communicator {
 public:
  explicit Communicator(const podium::Team& team) {
    ncclUniqueId id{};
    if (team.rank == 0) check(ncclGetUniqueId(&id));
    team.from_rank_0(&id, sizeof id);
    check(ncclCommInitRank(&communicator_, team.ranks, id, team.rank));
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() { ncclCommDestroy(communicator_); }
  operator ncclComm_t() const { return communicator_; }

 private:
  ncclComm_t communicator_{};
};

}  // namespace collective
