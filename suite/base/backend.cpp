// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/backend.hpp"

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"

namespace podium {
namespace {

constexpr int narrow = 32, wide = 64;

int warp_of_sm(std::string_view) { return narrow; }

// GFX10, the first with five digits and letters, brought waves of 32.
int warp_of_gfx(std::string_view architecture) {
  return architecture.substr(0, architecture.find(':')).size() < std::string_view("gfx1000").size() ? wide
                                                                                                    : narrow;
}

constexpr int kib = 1024;

// The CUDA programming guide's technical specifications by compute capability. All have 48 KiB.
int shared_memory_of_sm(std::string_view architecture) {
  struct Row {
    std::string_view capability;
    int amount;  // KiB
  };
  constexpr Row rows[] = {{"70", 96},   {"72", 96},   {"75", 64},   {"80", 163}, {"86", 99},
                          {"87", 163},  {"88", 99},   {"89", 99},   {"90", 227}, {"100", 227},
                          {"101", 227}, {"103", 227}, {"110", 227}, {"120", 99}, {"121", 99}};
  architecture.remove_prefix(std::min(architecture.size(), std::string_view("sm_").size()));
  const auto capability = architecture.substr(0, architecture.find_first_not_of("0123456789"));
  const auto* const found = std::ranges::find(rows, capability, &Row::capability);
  return (found == std::end(rows) ? 48 : found->amount) * kib;
}

// AMD's LDS.
int shared_memory_of_gfx(std::string_view architecture) {
  return (architecture.starts_with("gfx950") ? 160 : 64) * kib;
}

std::vector<Backend> table() {
  return {
      {.name = "cuda",
       .devices = "NVIDIA GPUs",
       .vendor = "NVIDIA",
       .gpu = true,
       .device_memory = true,
       .interpreters = true,
       .prefix = "sm_",
       .warp = warp_of_sm,
       .shared_memory = shared_memory_of_sm,
       .source = "cu",
       .architecture_flags = {"-gencode=arch=compute_${number},code=${code}"},
       .host_flag_prefix = "-Xcompiler=",
       .device_code_flag = "-cubin",
       .program_flags = {"--arch", "${code}", "-I", "${program}"},
       .macros = {"cuda", "cublas", "cudnn"},
       .emulator = {.architectures = {"sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a"},
                    .programs = "cuda-emulated",
                    .asynchronous = true}},
      {.name = "hip",
       .devices = "AMD GPUs",
       .vendor = "AMD",
       .gpu = true,
       .device_memory = true,
       .prefix = "gfx",
       .warp = warp_of_gfx,
       .shared_memory = shared_memory_of_gfx,
       .source = "hip",
       .architecture_flags = {"--offload-arch=${code}"},
       .device_code_flag = "--genco",
       .program_flags = {"--offload-arch=${code}", "-I${program}"},
       .macros = {"hip", "hipblas", "miopen", "rocblas"},
       .emulator = {.architectures = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"},
                    .programs = "hip"}},
      {.name = "host",
       .devices = "the CPU",
       .processor = true,
       .interpreters = true,
       .quick_by_default = true,
       .source = "cpp",
       .program_flags = {"-I${program}"}},
  };
}

}  // namespace

const std::vector<Backend>& backends() {
  static const std::vector<Backend> all = table();
  return all;
}

const Backend* find_backend(std::string_view name) {
  const auto found = std::ranges::find(backends(), name, &Backend::name);
  return found == backends().end() ? nullptr : &*found;
}

const Backend& backend_named(std::string_view name) {
  if (const Backend* const found = find_backend(name)) return *found;
  throw Error("backend: " + found_one_of(name, backend_names()));
}

const Backend& recorded_backend(std::string_view name) {
  static const Backend unknown{.gpu = true, .device_memory = true};
  const Backend* const found = find_backend(name);
  return found ? *found : unknown;
}

const Backend& processor_backend() { return *std::ranges::find_if(backends(), &Backend::processor); }

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const auto& backend : backends()) names.push_back(backend.name);
  return names;
}

std::vector<std::string> backend_names_processor_first() {
  auto names = backend_names();
  std::ranges::stable_partition(names, [](const auto& name) { return !backend_named(name).gpu; });
  return names;
}

bool of_backend(std::string_view architecture, const Backend& backend) {
  return !backend.prefix.empty() && architecture.starts_with(backend.prefix);
}

const Backend* backend_of(std::string_view architecture) {
  const auto found =
      std::ranges::find_if(backends(), [&](const Backend& one) { return of_backend(architecture, one); });
  return found == backends().end() ? nullptr : &*found;
}

}  // namespace podium
