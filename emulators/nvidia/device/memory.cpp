// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Addresses that a site has not seen before, and those that are mistakes.
#include "emulators/nvidia/device/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u64 near_parameters = 4096;  // bytes behind a kernel's, where nothing else is looked for

bool is_held(const Thread* t, u64 at, u32 bytes, u32 align) {
  if ((at & (align - 1)) != 0) return false;
  for (const Held* held = t->held; held; held = held->before)
    if (held->bytes >= bytes && at - held->begin <= held->bytes - bytes) return true;
  return false;
}

[[noreturn]] void misaligned(GpuThread& thread, int line, u64 at, u32 bytes, u32 align) {
  launch().fail(&thread, line,
                fmt::format("an access of {} bytes at {:#x}, which is no multiple of {}", bytes, at, align));
}

// `held`: what the address was made from, as far as is known.
[[noreturn]] void beyond(GpuThread& thread, int line, const Held& held, u64 at, u32 bytes) {
  const std::string where = fmt::format("the {} bytes that a function has there", held.bytes);
  launch().fail(&thread, line,
                at < held.begin
                    ? fmt::format("an access of {} bytes to local memory begins {} bytes before {}", bytes,
                                  held.begin - at, where)
                    : fmt::format("an access of {} bytes to local memory ends {} bytes behind {}", bytes,
                                  at + bytes - held.begin - held.bytes, where));
}
[[noreturn]] void beyond_all(GpuThread& thread, int line, u32 bytes) {
  launch().fail(&thread, line,
                fmt::format("an access of {} bytes to local memory, where no function has any", bytes));
}

// Of a generic address, which may have come from a caller.
u8* find_any_local(GpuThread& thread, int line, u64 at, u32 bytes, u32 align) {
  if (is_held(&thread, at, bytes, align)) return reinterpret_cast<u8*>(at);
  if (at % align != 0) misaligned(thread, line, at, bytes, align);
  if (!thread.held) beyond_all(thread, line, bytes);
  const auto distance = [at](const Held& held) {
    return at < held.begin ? held.begin - at : at - std::min(at, held.begin + held.bytes);
  };
  const Held* nearest = thread.held;
  for (const Held* held = nearest; held; held = held->before)
    if (distance(*held) < distance(*nearest)) nearest = held;
  beyond(thread, line, *nearest, at, bytes);
}

[[noreturn]] void beyond_parameters(GpuThread& thread, int line, u64 at, u32 bytes) {
  const u64 begin = reinterpret_cast<u64>(thread.parameters), size = thread.parameter_bytes;
  launch().fail(&thread, line,
                at < begin ? fmt::format("an access of {} bytes begins {} bytes before the kernel's "
                                         "parameters of {} bytes",
                                         bytes, begin - at, size)
                           : fmt::format("an access of {} bytes ends {} bytes behind the kernel's "
                                         "parameters of {} bytes",
                                         bytes, at + bytes - begin - size, size));
}

}  // namespace

emulation::Allocations& device_memory() {
  static auto* const all = new emulation::Allocations;  // libraries unload after statics are gone
  return *all;
}

std::atomic<bool>& others_may_write() {
  static std::atomic<bool> they_may{false};
  return they_may;
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
  return at - reinterpret_cast<u64>(t->parameters) < t->parameter_bytes;
}

u8* find_global(Thread* t, int line, Site& site, u64 at, u32 bytes, u32 align) {
  GpuThread& thread = of(t);
  if (at % align != 0) misaligned(thread, line, at, bytes, align);
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
  GpuThread& thread = of(t);
  if (is_local(t, at)) return find_any_local(thread, line, at, bytes, align);
  const u64 offset = at - reinterpret_cast<u64>(thread.parameters), size = thread.parameter_bytes;
  if (size >= bytes && offset <= size - bytes) return reinterpret_cast<u8*>(at);
  if (size != 0 && offset < size + near_parameters && !device_memory().find(at, bytes))
    beyond_parameters(thread, line, at, bytes);
  return find_global(t, line, site, at, bytes, align);
}

u8* find_local(Thread* t, int line, u64 at, u32 bytes, u32 align) {
  if (is_held(t, at, bytes, align)) return reinterpret_cast<u8*>(at);
  if (at % align != 0) misaligned(of(t), line, at, bytes, align);
  if (!t->held) beyond_all(of(t), line, bytes);
  beyond(of(t), line, *t->held, at, bytes);
}

u8* find_parameter(Thread* t, int line, u64 at, u32 bytes, u32 align) {
  const u64 offset = at - reinterpret_cast<u64>(t->parameters), size = t->parameter_bytes;
  if (is_local(t, at)) return find_any_local(of(t), line, at, bytes, align);
  if (offset % align != 0 && offset < size) misaligned(of(t), line, at, bytes, align);
  beyond_parameters(of(t), line, at, bytes);
}

void shared_fault(Thread* t, int line, u32 at, u32 bytes, u32 align) {
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
  launch().fail(
      &thread, line,
      offset < shared_begin
          ? fmt::format("an access of {} bytes to shared memory, {} bytes before it begins", bytes,
                        shared_begin - offset)
          : fmt::format("an access of {} bytes to shared memory ends {} bytes behind the block's {} bytes",
                        bytes, offset + bytes - t->shared_end, t->shared_end - shared_begin));
}

u32 reserved_shared(Thread* t) {
  t->shared_first = 0;
  return 0;
}

}  // namespace podium::ptx
