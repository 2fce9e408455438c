// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a contestant of a problem with `ranks` has besides its own tensors: its place among the ranks, memory
// that all of them reach, and how they meet. The header of such a problem includes this file.
#pragma once
#include <podium/dialect.hpp>
#include <podium/error.hpp>
#include <podium/platform.hpp>

#include <sched.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace podium {

inline constexpr int most_ranks = 16;
inline constexpr int most_meetings = 512;  // blocks of a kernel that can meet their like

// The beginning of each rank's memory.
struct Meetings {
  std::uint32_t signal[most_meetings][most_ranks];  // of each rank, how often it has come
  std::uint32_t count[most_meetings];               // how often this rank has met the others
};

struct Mailbox {
  std::uint32_t full;
  std::byte contents[2000];
};

// The address of one thing in the memory of every rank.
template <class T>
struct Everywhere {
  T* at[most_ranks];
  PODIUM_BOTH T* operator[](int rank) const { return at[rank]; }
};

// Passes by value into kernels; trivially copyable.
struct Team {
  int rank, ranks;         // this one's number from 0 on, and how many there are
  std::int64_t symmetric;  // bytes of each rank's memory that Symmetric can hand out
  Everywhere<std::byte> memory;
  Mailbox* mailbox;

  PODIUM_BOTH Meetings& meetings(int of) const { return *reinterpret_cast<Meetings*>(memory[of]); }

  // On the host, in the constructor, once: all ranks get what rank 0 has, as the identifier with which a
  // library's ranks find each other. Throws Error if that is too much.
  void from_rank_0(void* data, std::size_t bytes) const {
    if (bytes > sizeof mailbox->contents) {
      char text[128];
      std::snprintf(text, sizeof text, "from_rank_0: found %zu bytes, expected at most %zu", bytes,
                    sizeof mailbox->contents);
      throw Error(text);
    }
    if (rank == 0) {
      std::memcpy(mailbox->contents, data, bytes);
      __atomic_store_n(&mailbox->full, 1u, __ATOMIC_RELEASE);
    } else {
      while (__atomic_load_n(&mailbox->full, __ATOMIC_ACQUIRE) == 0) sched_yield();
      std::memcpy(data, mailbox->contents, bytes);
    }
  }
};

// Hands out the memory that all ranks reach: zeroed before the constructor, 256-byte aligned, at the same
// place on each rank if all ask for the same in the same order. There is at least what the problem's
// `symmetric` says. Throws Error beyond what there is.
class Symmetric {
 public:
  explicit Symmetric(const Team& team) : team_(team) {}

  template <class T = std::byte>
  Everywhere<T> take(std::int64_t count) {
    const auto bytes = (count * static_cast<std::int64_t>(sizeof(T)) + 255) / 256 * 256;
    if (count < 0 || bytes > team_.symmetric - taken_) {
      char text[200];
      std::snprintf(
          text, sizeof text,
          "symmetric memory for %lld elements of %zu bytes exceeds the %lld bytes left of %lld that "
          "this problem allows",
          static_cast<long long>(count), sizeof(T), static_cast<long long>(team_.symmetric - taken_),
          static_cast<long long>(team_.symmetric));
      throw Error(text);
    }
    Everywhere<T> all{};
    for (int rank = 0; rank < team_.ranks; ++rank)
      all.at[rank] = reinterpret_cast<T*>(team_.memory[rank] + sizeof(Meetings) + taken_);
    taken_ += bytes;
    return all;
  }

 private:
  Team team_;
  std::int64_t taken_ = 0;
};
static_assert(sizeof(Meetings) % 256 == 0);

#if defined(PODIUM_KERNELS)

__device__ __forceinline__ void send_signal(std::uint32_t* at, std::uint32_t value) {
#if defined(PODIUM_ON_CUDA)
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#else
  __hip_atomic_store(at, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
#endif
}
__device__ __forceinline__ void await_signal(const std::uint32_t* at, std::uint32_t value) {
  std::uint32_t seen;
  do {
#if defined(PODIUM_ON_CUDA)
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(at) : "memory");
#else
    seen = __hip_atomic_load(const_cast<std::uint32_t*>(at), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
#endif
  } while (static_cast<std::int32_t>(seen - value) < 0);
}
#define PODIUM_MEETS __device__ __forceinline__

#else

inline void send_signal(std::uint32_t* at, std::uint32_t value) {
  __atomic_store_n(at, value, __ATOMIC_RELEASE);
}
inline void await_signal(const std::uint32_t* at, std::uint32_t value) {
  while (static_cast<std::int32_t>(__atomic_load_n(at, __ATOMIC_ACQUIRE) - value) < 0) sched_yield();
}
#define PODIUM_MEETS inline

#endif

#if defined(PODIUM_KERNELS) || defined(PODIUM_EMULATE)

// In a kernel, by all threads of a block, of which there are at least as many as ranks: waits for the block
// of the same number on every rank. What its threads wrote before, anywhere, the others' threads see after.
// As many blocks of a number below most_meetings as are resident may meet; they meet in the order of their
// numbers where they are not.
PODIUM_MEETS void meet(const Team& team, int block) {
  const int thread = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  Meetings& own = team.meetings(team.rank);
#if defined(PODIUM_KERNELS)
  __threadfence_system();
#endif
  __syncthreads();
  const std::uint32_t turn = own.count[block] + 1;
  if (thread < team.ranks) send_signal(&team.meetings(thread).signal[block][team.rank], turn);
  __syncthreads();
  if (thread < team.ranks) await_signal(&own.signal[block][thread], turn);
  if (thread == 0) own.count[block] = turn;
  __syncthreads();
}

#else

// On the CPU, by one thread of each rank: waits for the others. What it wrote before they see after.
PODIUM_MEETS void meet(const Team& team) {
  Meetings& own = team.meetings(team.rank);
  const std::uint32_t turn = own.count[0] + 1;
  for (int rank = 0; rank < team.ranks; ++rank) send_signal(&team.meetings(rank).signal[0][team.rank], turn);
  for (int rank = 0; rank < team.ranks; ++rank) await_signal(&own.signal[0][rank], turn);
  own.count[0] = turn;
}

#endif

namespace wire {

// `numbers`: its rank, how many there are, the mailbox, the bytes of each rank's memory, and the addresses of
// these.
inline podium::Team team(const std::int64_t* numbers) {
  podium::Team team{};
  team.rank = static_cast<int>(numbers[0]);
  team.ranks = static_cast<int>(numbers[1]);
  team.mailbox = reinterpret_cast<Mailbox*>(numbers[2]);
  team.symmetric = numbers[3] - static_cast<std::int64_t>(sizeof(Meetings));
  for (int rank = 0; rank < team.ranks; ++rank)
    team.memory.at[rank] = reinterpret_cast<std::byte*>(numbers[4 + rank]);
  return team;
}

}  // namespace wire
}  // namespace podium
