// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The backends, in one table: all that sets them apart outside of backends/. A new one is a row here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace podium {

// In arguments of compilers ${code} stands for the architecture ("sm_90a") and ${number} for what follows the
// prefix ("90a"); command.hpp explains the others.
struct Backend {
  std::string name;               // of programs, presets, options and keys: "cuda"
  std::string devices;            // for people: "NVIDIA GPUs"
  std::string vendor;             // of its GPUs; "": it is none
  bool gpu = false;               // kernels are launched on it: streams, events, graphs
  bool processor = false;         // of this machine: one device, without a number
  bool device_memory = false;     // of its own; the judge's flush reaches its caches, its rate bounds times
  bool interpreters = false;      // it has a worker's library, which they load
  bool quick_by_default = false;  // `podium run` takes quick workloads, all problems with one choice of types

  std::string prefix;                                    // of architectures: "sm_"; "": they are no vendor's
  int (*warp)(std::string_view architecture) = nullptr;  // lanes of a warp; of GPUs
  int (*shared_memory)(std::string_view architecture) = nullptr;  // bytes that a block may have; of GPUs

  std::string source;                           // suffix of the files that its compiler takes: "cu"
  std::vector<std::string> architecture_flags;  // generate code for ${code}
  std::string host_flag_prefix;                 // hands an option to the compiler of host code
  std::string device_code_flag;                 // compiles to device code alone; of GPUs
  std::vector<std::string> program_flags;       // of judge's programs
  std::vector<std::string> macros;  // how the names of its headers' macros begin: cudaStreamLegacy

  struct Emulator {
    std::vector<std::string> architectures;  // in the order of their age; none: there is no emulator
    std::string programs;                    // of judge and worker on emulated devices: "cuda-emulated"
    bool asynchronous = false;               // it can order asynchronous operations: --async
  };
  Emulator emulator = {};

  bool code_by_architecture() const { return !architecture_flags.empty(); }
};

// In the order of preference.
const std::vector<Backend>& backends();

const Backend* find_backend(std::string_view name);   // null: there is none
const Backend& backend_named(std::string_view name);  // throws podium::Error if there is none
// The backend of a record, which may be one that this Podium does not have: that is taken for a GPU's.
const Backend& recorded_backend(std::string_view name);
const Backend& processor_backend();  // the backend of this machine's
std::vector<std::string> backend_names();
std::vector<std::string> backend_names_processor_first();

// Whether `architecture` ("sm_90", "gfx942:sramecc+") is one of that backend's vendor.
bool of_backend(std::string_view architecture, const Backend& backend);
const Backend* backend_of(std::string_view architecture);  // null: of no vendor

}  // namespace podium
