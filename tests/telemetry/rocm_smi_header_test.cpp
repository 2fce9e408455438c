// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Our declarations of ROCm SMI against its header, of whichever version it is.
#include <gtest/gtest.h>
#include <rocm_smi/rocm_smi.h>

#include <type_traits>

#include "backends/telemetry/rocm_smi.hpp"

namespace podium::telemetry {
namespace {

// By offsets: a header of ROCm 5 has the plain form, a later one the flagged.
template <class Ours>
bool has_form() {
  return sizeof(rsmi_frequencies_t) == sizeof(Ours) &&
         offsetof(rsmi_frequencies_t, num_supported) == offsetof(Ours, supported) &&
         offsetof(rsmi_frequencies_t, current) == offsetof(Ours, current) &&
         offsetof(rsmi_frequencies_t, frequency) == offsetof(Ours, frequency);
}

TEST(Layout, RocmSmiIsAsItsHeaderSays) {
  EXPECT_TRUE(has_form<rocm_smi::Frequencies>() || has_form<rocm_smi::FlaggedFrequencies>());
  EXPECT_LE(sizeof(rsmi_frequencies_t), sizeof(rocm_smi::AnyFrequencies));
  EXPECT_EQ(sizeof(rsmi_version_t), sizeof(rocm_smi::Version));
  EXPECT_EQ(offsetof(rsmi_version_t, major), offsetof(rocm_smi::Version, major));
  EXPECT_EQ(offsetof(rsmi_version_t, build), offsetof(rocm_smi::Version, build));
  EXPECT_EQ(int(RSMI_STATUS_SUCCESS), rocm_smi::success);
  EXPECT_EQ(int(RSMI_CLK_TYPE_SYS), rocm_smi::clock_system);
  EXPECT_EQ(int(RSMI_CLK_TYPE_MEM), rocm_smi::clock_memory);
  EXPECT_EQ(int(RSMI_TEMP_CURRENT), rocm_smi::temperature_current);
  EXPECT_EQ(std::uint32_t(RSMI_TEMP_TYPE_JUNCTION), rocm_smi::temperature_junction);

  // Called with our types, so that a changed parameter does not compile.
  static_assert(std::is_invocable_v<decltype(rsmi_init), std::uint64_t>);
  static_assert(std::is_invocable_v<decltype(rsmi_num_monitor_devices), std::uint32_t*>);
  static_assert(std::is_invocable_v<decltype(rsmi_dev_pci_id_get), std::uint32_t, std::uint64_t*>);
  static_assert(std::is_invocable_v<decltype(rsmi_dev_gpu_clk_freq_get), std::uint32_t, rsmi_clk_type_t,
                                    rsmi_frequencies_t*>);
  static_assert(std::is_invocable_v<decltype(rsmi_dev_temp_metric_get), std::uint32_t, std::uint32_t,
                                    rsmi_temperature_metric_t, std::int64_t*>);
  static_assert(
      std::is_invocable_v<decltype(rsmi_dev_power_ave_get), std::uint32_t, std::uint32_t, std::uint64_t*>);
  static_assert(std::is_invocable_v<decltype(rsmi_dev_energy_count_get), std::uint32_t, std::uint64_t*,
                                    float*, std::uint64_t*>);
  static_assert(sizeof(rsmi_clk_type_t) == sizeof(int) && sizeof(rsmi_temperature_metric_t) == sizeof(int));
}

}  // namespace
}  // namespace podium::telemetry
