// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What crosses the edge between worker and plugin: plain numbers in the order of the YAML, and functions that
// never throw. Needs neither generated code nor a vendor's header, so that the worker is the same for every
// problem.
#pragma once
#include <cstdint>

namespace podium::wire {

// One tensor. `host`: the same numbers in host memory, for structure; else null. Extents and strides (in
// elements) are as many as the tensor's rank, and are read during the call only.
struct Tensor {
  void* data;
  void* host;
  const std::int64_t* extents;
  const std::int64_t* strides;
};

// What is known before the call. Structure stays where it is while an instance made from it lives.
struct Workload {
  const std::int64_t* axes;
  const double* parameters;
  const Tensor* structure;
  const char* name;  // as the problem's file has it
};

enum class Memory : std::int32_t { device = 0, pinned = 1 };

// What the worker does for a contestant. The worker keeps this alive as long as the instance made with it.
struct Services {
  void* owner;  // handed back to the functions
  // Zeroed, 256-byte aligned memory that the worker frees once the instance is destroyed; null if there is no
  // more.
  void* (*allocate)(void* owner, Memory kind, std::uint64_t bytes);
  std::uint64_t scratch_limit;  // bytes that one instance may have, of both kinds together
};

}  // namespace podium::wire

namespace podium::plugin {

inline constexpr std::int32_t abi = 2;  // goes up with every change of this file's meaning

// What create, bind, run and destroy return; message() tells more. missing: a package of an interpreter's.
enum Result : std::int32_t { well = 0, failed = 1, unsupported = 2, missing = 3 };

// What podium_contestant() returns. `abi` and `hash` keep their places for ever; all else is read only if
// they fit.
struct Table {
  std::int32_t abi;
  std::int32_t bytes;        // sizeof(Table)
  const char* hash;          // of the interface that the plugin was compiled against
  const char* (*message)();  // the sentence of the last call that failed; never null
  // A new instance, for one workload and structure. `*self` is set only on success.
  std::int32_t (*create)(const wire::Workload&, const wire::Services&, void* stream, void** self);
  // One set of tensors, in the order of the file; as many sets as there are calls behind one gate, each bound
  // once.
  std::int32_t (*bind)(const wire::Workload&, const wire::Tensor* tensors, void** bound);
  std::int32_t (*run)(void* self, const void* bound, void* stream);
  // Destroys an instance (or null) and `count` bound sets.
  std::int32_t (*destroy)(void* self, void** bound, std::int32_t count);
};

using Entry = const Table* (*)();
inline constexpr char entry[] =
    "podium_contestant";  // the one symbol a plugin exports, of type Entry, extern "C"

}  // namespace podium::plugin
