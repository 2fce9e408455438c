// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Our declarations of AMD SMI against a header made from AMD's bindings, of one version.
#include <gtest/gtest.h>
#include <amdsmi.hpp>

#include <type_traits>

#include "backends/telemetry/amd_smi.hpp"

namespace podium::telemetry {
namespace {

using amd_smi::Metrics;

// One function type, but for the names of types: the same sizes and kinds of parameters. The address is a
// union of 8 bytes, which is passed as the integer in it is.
template <class T>
struct Plain {
  using type = T;
};
template <>
struct Plain<amdsmi_bdf_t> {
  using type = amd_smi::Bdf;
};
template <>
struct Plain<amdsmi_gpu_metrics_t*> {
  using type = Metrics*;
};
template <class F>
struct PlainFunction;
template <class R, class... P>
struct PlainFunction<R(P...)> {
  // The bindings call an enumeration what it is stored as.
  using type = std::make_signed_t<R>(typename Plain<P>::type...);
};
template <class Theirs, class Ours>
constexpr bool agree = std::is_same_v<typename PlainFunction<Theirs>::type, Ours>;

TEST(Layout, FunctionsAreAsTheBindingsSay) {
  EXPECT_TRUE((agree<decltype(amdsmi_init), amd_smi::Init>));
  EXPECT_TRUE((agree<decltype(amdsmi_shut_down), amd_smi::ShutDown>));
  EXPECT_TRUE((agree<decltype(amdsmi_get_processor_handle_from_bdf), amd_smi::ProcessorFromBdf>));
  EXPECT_TRUE((agree<decltype(amdsmi_get_gpu_metrics_info), amd_smi::MetricsInfo>));
  EXPECT_TRUE((agree<decltype(amdsmi_get_gpu_compute_partition), amd_smi::Partition>));
  EXPECT_TRUE((agree<decltype(amdsmi_get_gpu_memory_partition), amd_smi::Partition>));
  EXPECT_TRUE((agree<decltype(amdsmi_get_energy_count), amd_smi::EnergyCount>));
}

TEST(Layout, ConstantsAreAsTheBindingsSay) {
  EXPECT_EQ(AMDSMI_STATUS_SUCCESS, std::uint64_t(amd_smi::success));
  EXPECT_EQ(AMDSMI_INIT_AMD_GPUS, amd_smi::init_gpus);
}

TEST(Layout, AnAddressIsAsTheBindingsSay) {
  amdsmi_bdf_t address{};
  address.parts.function_number = 1;
  address.parts.device_number = 3;
  address.parts.bus_number = 0x1f;
  address.parts.domain_number = 2;
  EXPECT_EQ(address.as_uint, amd_smi::address(2, 0x1f, 3, 1));
}

TEST(Layout, MetricsAreAsTheBindingsSay) {
  const auto same = [](std::size_t ours, std::size_t our_bytes, std::size_t theirs, std::size_t their_bytes) {
    return ours == theirs && our_bytes == their_bytes;
  };
#define EXPECT_SAME(field)                                                                                  \
  EXPECT_TRUE(same(offsetof(Metrics, field), sizeof(Metrics::field), offsetof(amdsmi_gpu_metrics_t, field), \
                   sizeof(amdsmi_gpu_metrics_t::field)))                                                    \
      << #field
  EXPECT_SAME(temperature_edge);
  EXPECT_SAME(temperature_hotspot);
  EXPECT_SAME(average_socket_power);
  EXPECT_SAME(current_gfxclk);
  EXPECT_SAME(current_uclk);
  EXPECT_SAME(indep_throttle_status);
  EXPECT_SAME(current_socket_power);
  EXPECT_SAME(current_gfxclks);
#undef EXPECT_SAME
  EXPECT_LE(sizeof(amdsmi_gpu_metrics_t), sizeof(Metrics)) << "the library would write behind it";
}

}  // namespace
}  // namespace podium::telemetry
