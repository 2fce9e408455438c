// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Addresses that a site has not seen before, and those that are mistakes.
#include "emulators/nvidia/device/memory.hpp"

#include <fmt/format.h>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {

emulation::Allocations& device_memory() {
  static auto* const all = new emulation::Allocations;  // libraries unload after statics are gone
  return *all;
}

void note_pairs(Thread* t, int line) {
  launch().note(
      Note::pairs, of(t), line,
      "a sum of f16x2 or bf16x2 in another block's shared memory adds integers of 32 bits here, and is not "
      "atomic, as ptxas 13.0 has it");
}

bool is_local(const Thread* t, u64 at) {
  const auto& thread = *static_cast<const GpuThread*>(t);
  return thread.fiber->holds(reinterpret_cast<const void*>(at));
}

bool is_parameter(const Thread* t, u64 at) {
  const auto* const parameters = static_cast<const GpuThread*>(t)->parameters;
  return at - reinterpret_cast<u64>(parameters) < launch().kernel().parameter_bytes;
}

u8* find_global(Thread* t, int line, Site& site, u64 at, u32 bytes, u32 align) {
  GpuThread& thread = of(t);
  if (at % align != 0)
    launch().fail(
        &thread, line,
        fmt::format("an access of {} bytes at {:#x}, which is no multiple of {}", bytes, at, align));
  if (const auto window = device_memory().find(at, bytes)) {
    site.begin = window->begin;
    site.limit = window->end - window->begin - bytes;
    site.cells = cells_of(window->begin, window->end, launch().worker());
    return reinterpret_cast<u8*>(at);
  }
  if (is_shared(t, at) || is_local(t, at))
    launch().fail(&thread, line,
                  fmt::format("an access to global memory at {:#x}, which is {} memory", at,
                              is_local(t, at) ? "local" : "shared"));
  launch().fail(
      &thread, line,
      fmt::format("an access of {} bytes to global memory at {:#x}: {}", bytes, at,
                  at < 4096 ? "it is a null pointer, or near one" : device_memory().explain(at, bytes)));
}

u8* find_generic(Thread* t, int line, Site& site, u64 at, u32 bytes, u32 align) {
  if (is_shared(t, at)) {
    const u32 address = static_cast<u32>(shared_of(t, at));
    return shared(t, line, address, bytes, align);
  }
  const auto* const parameters = of(t).parameters;
  const u64 offset = at - reinterpret_cast<u64>(parameters);
  if (is_local(t, at) || offset + bytes <= launch().kernel().parameter_bytes)
    return reinterpret_cast<u8*>(at);
  return find_global(t, line, site, at, bytes, align);
}

u8* shared_elsewhere(Thread* t, int line, u32 at, u32 bytes, u32 align) {
  GpuThread& thread = of(t);
  if (at % align != 0)
    launch().fail(&thread, line,
                  fmt::format("an access of {} bytes at shared address {:#x}, which is no multiple of {}",
                              bytes, at, align));
  if (at >> rank_shift >= t->blocks)
    launch().fail(&thread, line,
                  fmt::format("an access to the shared memory of block {} of the cluster, which has {}",
                              at >> rank_shift, t->blocks));
  const u32 offset = at & offset_mask;
  if (thread.knows_reserved && offset + bytes <= shared_begin) return t->shared + at;
  launch().fail(
      &thread, line,
      offset < shared_begin
          ? fmt::format("an access of {} bytes to shared memory, {} bytes before it begins", bytes,
                        shared_begin - offset)
          : fmt::format("an access of {} bytes to shared memory ends {} bytes behind the block's {} bytes",
                        bytes, offset + bytes - t->shared_end, t->shared_end - shared_begin));
}

u32 reserved_shared(Thread* t) {
  of(t).knows_reserved = true;
  return 0;
}

}  // namespace podium::ptx
