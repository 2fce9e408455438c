// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD's declarations against the bindings that AMD publishes, where a build was told of them; and that
// headers of the others were found.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "backends/telemetry/amd_smi.hpp"

namespace podium::telemetry {
namespace {

std::map<std::string, std::uint64_t> layout_of(const std::string& bindings) {
  const std::string command = "python3 " PODIUM_AMDSMI_LAYOUT " '" + bindings + "'";
  // NOLINTNEXTLINE(bugprone-command-processor): a program of these tests
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "re"), pclose);
  std::map<std::string, std::uint64_t> layout;
  char name[64];
  for (unsigned long long value = 0; std::fscanf(pipe.get(), "%63s %llu", name, &value) == 2;)
    layout[name] = value;
  return layout;
}

TEST(Layout, AmdSmiIsAsItsBindingsSay) {
  const std::string bindings = PODIUM_AMDSMI_BINDINGS;
  if (bindings.empty())
    GTEST_SKIP()
        << "the build was not told of amdsmi_wrapper.py: -DPODIUM_AMDSMI_BINDINGS=FILE, from PyPI's amdsmi";
  auto layout = layout_of(bindings);
  ASSERT_EQ(layout.size(), 12u) << bindings;
  using amd_smi::Metrics;
  EXPECT_EQ(layout["temperature_edge"], offsetof(Metrics, temperature_edge));
  EXPECT_EQ(layout["temperature_hotspot"], offsetof(Metrics, temperature_hotspot));
  EXPECT_EQ(layout["average_socket_power"], offsetof(Metrics, average_socket_power));
  EXPECT_EQ(layout["current_gfxclk"], offsetof(Metrics, current_gfxclk));
  EXPECT_EQ(layout["current_uclk"], offsetof(Metrics, current_uclk));
  EXPECT_EQ(layout["indep_throttle_status"], offsetof(Metrics, indep_throttle_status));
  EXPECT_EQ(layout["current_socket_power"], offsetof(Metrics, current_socket_power));
  EXPECT_EQ(layout["current_gfxclks"], offsetof(Metrics, current_gfxclks));
  EXPECT_LE(layout["metrics"], sizeof(Metrics)) << "the library would write behind it";
  EXPECT_EQ(layout["success"], std::uint64_t(amd_smi::success));
  EXPECT_EQ(layout["init_gpus"], amd_smi::init_gpus);
  EXPECT_EQ(layout["address"], 1u | 3u << 3 | 0x1fu << 8 | 2u << 16);
}

TEST(Layout, HeadersWereFound) {
  std::string missing;
#if !defined(NVML_HEADER)
  missing += " nvml.h (PyPI: nvidia-nvml-dev-cu12)";
#endif
#if !defined(ROCM_SMI_HEADER)
  missing += " rocm_smi/rocm_smi.h (Debian: librocm-smi-dev)";
#endif
  if (!missing.empty()) GTEST_SKIP() << "not compared with, since they were not found:" << missing;
}

}  // namespace
}  // namespace podium::telemetry
