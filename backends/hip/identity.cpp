// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/hip/identity.hpp"

#include <algorithm>
#include <fstream>

#include "backends/telemetry/amd_partition.hpp"
#include "backends/telemetry/kfd.hpp"
#include "backends/telemetry/library.hpp"

namespace podium::gpu {
namespace {

namespace fs = std::filesystem;

// MiB, by the first name that a product's contains: those of a longer name stand before those of its
// beginning. Source: ROCm's documentation, "AMD GPU specifications" (reference/gpu-specs), columns "L3 Cache"
// of Instinct and "Infinity Cache" of Radeon; of MI308, which is not there, AMD's white paper on the CDNA 3
// architecture.
struct Published {
  const char* name;
  int mebibytes;
};
constexpr Published published[] = {
    // Instinct
    {"MI300", 256},
    {"MI308", 256},
    {"MI325", 256},
    {"MI350", 256},
    {"MI355", 256},
    // Radeon, RDNA 3 and 4
    {"7600", 32},
    {"7700 XT", 48},
    {"W7700", 64},
    {"7800 XT", 64},
    {"7900 GRE", 64},
    {"7900 XTX", 96},
    {"7900 XT", 80},
    {"9060", 32},
    {"9070 GRE", 48},
    {"9070", 64},
    // Radeon PRO
    {"R9600D", 48},
    {"R9700", 64},
    {"V710", 56},
    {"W7800 48GB", 96},
    {"W7800", 64},
    {"W7900", 96},
};

std::string line_of(const fs::path& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\n')) line.pop_back();
  return line;
}

}  // namespace

std::int64_t infinity_cache(const std::string& pci, const std::string& product, const fs::path& sys) {
  try {
    const auto at = telemetry::pci_address(pci);
    for (const auto& gpu : telemetry::kfd_gpus(sys))  // partitions of a GPU differ in the function alone
      if (gpu.domain == at.domain && gpu.bus == at.bus && gpu.device == at.device && gpu.far_cache > 0)
        return gpu.far_cache;
  } catch (const telemetry::Unavailable&) {  // no such address: the table
  }
  const auto known = std::ranges::find_if(
      published, [&](const Published& p) { return product.find(p.name) != std::string::npos; });
  return known == std::end(published) ? 0 : std::int64_t{known->mebibytes} << 20;
}

std::string partition(const std::string& pci, const std::function<std::string()>& ask, const fs::path& sys) {
  const fs::path device = sys / "bus/pci/devices" / pci;
  if (!fs::exists(device)) return ask();
  return telemetry::partition_name(line_of(device / "current_compute_partition"),
                                   line_of(device / "current_memory_partition"));
}

}  // namespace podium::gpu
