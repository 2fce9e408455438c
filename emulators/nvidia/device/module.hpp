// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a translated module tells of itself: a table in the library that the translator's output is compiled
// to.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct Parameter {
  u32 offset, bytes;
};

// Where a line of PTX came from: from `line` on, until the next entry.
struct Origin {
  int line;
  int file;  // in Kernel::files; -1: the compiler did not tell
  int source_line;
};

struct Kernel {
  const char* name;
  Entry entry;
  const Parameter* parameters;
  u32 parameter_count, parameter_bytes;
  u32 static_end;     // offset behind static shared memory, from shared_begin
  u32 dynamic_begin;  // offset of dynamic shared memory
  u32 most_threads;   // .maxntid or .reqntid; 1024 without
  u32 required[3];    // .reqntid; 0 without
  u32 cluster[3];     // .reqnctapercluster; 0 without
  u32 sites;          // memory instructions
  u32 local_bytes;    // of local memory, a thread
  const Origin* origins;
  u32 origin_count;
  const char* const* files;
  bool launches_dependents;  // whether it says griddepcontrol.launch_dependents
};

struct Variable {
  const char* name;
  u8* at;
  u64 bytes;
  bool constant;
};

struct Module {
  u64 hash;  // of the PTX, by which a fatbin finds its translation
  const Kernel* kernels;
  u32 kernel_count;
  const Variable* variables;
  u32 variable_count;
};

// Called by a translated library when it is loaded, and before it is unloaded.
void add_module(const Module*);
void remove_module(const Module*);

// FNV-1a, 64 bits: translator/fatbin.py computes the same.
inline u64 hash_of(const char* text, u64 bytes) {
  u64 hash = 0xcbf29ce484222325;
  for (u64 i = 0; i < bytes; ++i) hash = (hash ^ static_cast<u8>(text[i])) * 0x100000001b3;
  return hash;
}

}  // namespace podium::ptx

// The library's table, to be looked up by name.
inline constexpr const char* podium_module_symbol = "podium_emulated_module";
