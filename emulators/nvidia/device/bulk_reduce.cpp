// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Bulk copies that reduce, and stores that complete at an mbarrier: they happen as late as they may.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "emulators/nvidia/device/atomics.hpp"
#include "emulators/nvidia/device/bulk_groups.hpp"
#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/footprint.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/proxies.hpp"
#include "emulators/nvidia/device/races.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/tensor_copy.hpp"

namespace podium::ptx {
namespace {

constexpr u32 unit = 16;  // bytes: addresses and sizes are multiples of it

template <class T>
void reduce_as(u8* to, const u8* from, Reduction how) {
  const T b = read<T>(from);
  switch (how) {
    case Reduction::add:
      if constexpr (std::is_same_v<T, f64>)
        atomic_add<T>(to, b, true);  // there is none in shared memory
      else
        atomic_add<T>(to, b);
      return;
    case Reduction::min:
      atomic_min<T>(to, b);
      return;
    case Reduction::max:
      atomic_max<T>(to, b);
      return;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) switch (how) {
      case Reduction::bit_and:
        atomic_and<T>(to, b);
        return;
      case Reduction::bit_or:
        atomic_or<T>(to, b);
        return;
      case Reduction::bit_xor:
        atomic_xor<T>(to, b);
        return;
      case Reduction::inc:
        atomic_inc<T>(to, b);
        return;
      case Reduction::dec:
        atomic_dec<T>(to, b);
        return;
      default:
        break;
    }
  write(to, b);
}

void reduce_range(u8* to, const u8* from, u32 bytes, TensorType type, Reduction how) {
  const u32 size = unit_of(type).global_bytes;
  for (u32 i = 0; i < bytes; i += size) reduce_element(to + i, from + i, type, how);
}

void check_size(Thread* t, int line, u32 bytes) {
  if (bytes % unit != 0)
    launch().fail(&of(t), line,
                  fmt::format("a bulk reduction of {} bytes, which is no multiple of {}", bytes, unit));
}

}  // namespace

void reduce_element(u8* to, const u8* from, TensorType type, Reduction how) {
  switch (type) {
    case TensorType::u32_:
      return reduce_as<u32>(to, from, how);
    case TensorType::s32_:
      return reduce_as<s32>(to, from, how);
    case TensorType::u64_:
      return reduce_as<u64>(to, from, how);
    case TensorType::s64_:
      return reduce_as<s64>(to, from, how);
    case TensorType::f16_:
      return reduce_as<f16>(to, from, how);
    case TensorType::bf16_:
      return reduce_as<bf16>(to, from, how);
    case TensorType::f64_:
      return reduce_as<f64>(to, from, how);
    case TensorType::u8_:
      return reduce_as<u8>(to, from, how);
    case TensorType::u16_:
      return reduce_as<u16>(to, from, how);
    default:
      return reduce_as<f32>(to, from, how);
  }
}

void bulk_reduce_global(Thread* t, int line, u64 to, u32 from, u32 bytes, TensorType type, Reduction how) {
  check_size(t, line, bytes);
  Site nowhere;
  u8* const target = find_global(t, line, nowhere, to, bytes, unit);
  leave_footprint(of(t), line, to, bytes, true);
  write_global_by_copy(of(t), nowhere, to, bytes);
  const u8* const source = shared(t, line, from, bytes, unit);
  touch_shared(t, line, source, bytes, Touching::reads_by_copy);
  in_a_group(t, line, from, bytes, [=] { reduce_range(target, source, bytes, type, how); });
}

void bulk_reduce_shared(Thread* t, int line, u32 to, u32 from, u32 bytes, u32 mbarrier, TensorType type,
                        Reduction how) {
  needs_cluster(t, line, "cp.reduce.async.bulk to shared memory");
  check_size(t, line, bytes);
  u8* const target = shared(t, line, to, bytes, unit);
  const u8* const source = shared(t, line, from, bytes, unit);
  touch_shared(t, line, target, bytes, Touching::will_reduce);
  touch_shared(t, line, source, bytes, Touching::reads_by_copy);
  mbarrier_check(t, line, mbarrier);
  CopyOrder& copies = of(t).block->cluster->copies;
  copies.begins(of(t), line, to, bytes, mbarrier, true);
  copies.reads(of(t), line, from, bytes, mbarrier);
  launch().later(*of(t).block->cluster, [=, &copies] {
    reduce_range(target, source, bytes, type, how);
    copies.ends(of(t), line, to, bytes, mbarrier, true);
    mbarrier_complete(t, line, mbarrier, bytes);
  });
}

void async_store(Thread* t, int line, u32 to, const u8* values, u32 count, u32 mbarrier, TensorType type,
                 Reduction how) {
  constexpr u32 most = 32;
  needs_cluster(t, line, how == Reduction::none ? "st.async" : "red.async");
  const u32 size = unit_of(type).global_bytes, bytes = count * size;
  u8* const target = shared(t, line, to, bytes, bytes);
  touch_shared(t, line, target, bytes, how == Reduction::none ? Touching::will_write : Touching::will_add);
  mbarrier_check(t, line, mbarrier);
  if (to >> rank_shift != mbarrier >> rank_shift)
    launch().fail(
        &of(t), line,
        fmt::format("an asynchronous store to block {} of the cluster with an mbarrier of block {}: both "
                    "must lie in the same shared memory",
                    to >> rank_shift, mbarrier >> rank_shift));
  std::array<u8, most> kept{};
  std::memcpy(kept.data(), values, bytes);
  CopyOrder& copies = of(t).block->cluster->copies;
  copies.begins(of(t), line, to, bytes, mbarrier, how != Reduction::none);
  launch().later(*of(t).block->cluster, [=, &copies] {
    if (how == Reduction::none)
      std::memcpy(target, kept.data(), bytes);
    else
      for (u32 i = 0; i < count; ++i) reduce_element(target + i * size, kept.data() + i * size, type, how);
    copies.ends(of(t), line, to, bytes, mbarrier, how != Reduction::none);
    mbarrier_complete(t, line, mbarrier, bytes);
  });
}

}  // namespace podium::ptx
