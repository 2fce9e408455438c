// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Our declarations of NVML against its header.
#include <gtest/gtest.h>
#include <nvml.h>

#include <cstddef>
#include <type_traits>

#include "backends/telemetry/nvml.hpp"

namespace podium::telemetry {
namespace {

// One function type, but for the names of handles and enumerations: the same sizes and kinds of parameters.
template <class T>
struct Plain {
  using type = T;
};
template <class T>
  requires std::is_enum_v<T>
struct Plain<T> {
  using type = int;  // 4 bytes, passed alike
};
template <>
struct Plain<nvmlDevice_t> {
  using type = nvml::Device;
};
template <>
struct Plain<nvmlDevice_t*> {
  using type = nvml::Device*;
};
template <>
struct Plain<nvmlGpmSample_t> {
  using type = nvml::GpmSample;
};
template <>
struct Plain<nvmlGpmSample_t*> {
  using type = nvml::GpmSample*;
};
template <>
struct Plain<nvmlGpmSupport_t*> {
  using type = nvml::GpmSupport*;
};
template <>
struct Plain<nvmlGpmMetricsGet_t*> {
  using type = nvml::GpmMetricsGet*;
};
template <class F>
struct PlainFunction;
template <class R, class... P>
struct PlainFunction<R(P...)> {
  using type = typename Plain<R>::type(typename Plain<P>::type...);
};
template <class Theirs, class Ours>
constexpr bool agree = std::is_same_v<typename PlainFunction<Theirs>::type, Ours>;

TEST(Layout, NvmlIsAsItsHeaderSays) {
  static_assert(sizeof(nvmlReturn_t) == sizeof(nvml::Return) && sizeof(nvmlClockType_t) == sizeof(int));
  EXPECT_TRUE((agree<decltype(nvmlInit_v2), nvml::Init>));
  EXPECT_TRUE((agree<decltype(nvmlShutdown), nvml::Shutdown>));
  EXPECT_TRUE((agree<decltype(nvmlErrorString), nvml::ErrorString>));
  EXPECT_TRUE((agree<decltype(nvmlDeviceGetHandleByPciBusId_v2), nvml::HandleByPci>));
  EXPECT_TRUE((agree<decltype(nvmlDeviceGetClockInfo), nvml::ClockInfo>));
  EXPECT_TRUE((agree<decltype(nvmlDeviceGetTemperature), nvml::Temperature>));
  EXPECT_TRUE((agree<decltype(nvmlDeviceGetPowerUsage), nvml::PowerUsage>));
  EXPECT_TRUE((agree<decltype(nvmlDeviceGetTotalEnergyConsumption), nvml::TotalEnergy>));
  EXPECT_TRUE((agree<decltype(nvmlDeviceGetCurrentClocksThrottleReasons), nvml::EventReasons>));
  EXPECT_EQ(int(NVML_SUCCESS), nvml::success);
  EXPECT_EQ(int(NVML_CLOCK_SM), nvml::clock_sm);
  EXPECT_EQ(int(NVML_CLOCK_MEM), nvml::clock_memory);
  EXPECT_EQ(int(NVML_TEMPERATURE_GPU), nvml::temperature_gpu);
  EXPECT_EQ(static_cast<unsigned long long>(nvmlClocksThrottleReasonApplicationsClocksSetting),
            nvml::reason_setting);
  EXPECT_EQ(static_cast<unsigned long long>(nvmlClocksThrottleReasonSwPowerCap), nvml::reason_power_cap);
  EXPECT_EQ(static_cast<unsigned long long>(nvmlClocksThrottleReasonHwSlowdown), nvml::reason_slowdown);
  EXPECT_EQ(static_cast<unsigned long long>(nvmlClocksThrottleReasonSwThermalSlowdown), nvml::reason_thermal);
  EXPECT_EQ(static_cast<unsigned long long>(nvmlClocksThrottleReasonHwThermalSlowdown),
            nvml::reason_hardware_thermal);
  EXPECT_EQ(static_cast<unsigned long long>(nvmlClocksThrottleReasonHwPowerBrakeSlowdown),
            nvml::reason_power_brake);
}

TEST(Layout, CountersOfNvmlAreAsItsHeaderSays) {
  EXPECT_TRUE((agree<decltype(nvmlGpmQueryDeviceSupport), nvml::GpmQuery>));
  EXPECT_TRUE((agree<decltype(nvmlGpmSampleAlloc), nvml::GpmSampleAlloc>));
  EXPECT_TRUE((agree<decltype(nvmlGpmSampleFree), nvml::GpmSampleFree>));
  EXPECT_TRUE((agree<decltype(nvmlGpmSampleGet), nvml::GpmSampleGet>));
  EXPECT_TRUE((agree<decltype(nvmlGpmMetricsGet), nvml::GpmMetricsRead>));
  EXPECT_EQ(sizeof(nvmlGpmSupport_t), sizeof(nvml::GpmSupport));
  EXPECT_EQ(offsetof(nvmlGpmSupport_t, isSupportedDevice), offsetof(nvml::GpmSupport, supported));
  EXPECT_EQ(NVML_GPM_SUPPORT_VERSION, int(nvml::GpmSupport{}.version));
  EXPECT_EQ(sizeof(nvmlGpmMetric_t), sizeof(nvml::GpmMetric));
  EXPECT_EQ(offsetof(nvmlGpmMetric_t, metricId), offsetof(nvml::GpmMetric, id));
  EXPECT_EQ(offsetof(nvmlGpmMetric_t, nvmlReturn), offsetof(nvml::GpmMetric, status));
  EXPECT_EQ(offsetof(nvmlGpmMetric_t, value), offsetof(nvml::GpmMetric, value));
  EXPECT_LE(sizeof(nvmlGpmMetricsGet_t), sizeof(nvml::GpmMetricsGet)) << "the library may read behind it";
  EXPECT_EQ(offsetof(nvmlGpmMetricsGet_t, numMetrics), offsetof(nvml::GpmMetricsGet, count));
  EXPECT_EQ(offsetof(nvmlGpmMetricsGet_t, sample1), offsetof(nvml::GpmMetricsGet, from));
  EXPECT_EQ(offsetof(nvmlGpmMetricsGet_t, sample2), offsetof(nvml::GpmMetricsGet, to));
  EXPECT_EQ(offsetof(nvmlGpmMetricsGet_t, metrics), offsetof(nvml::GpmMetricsGet, metrics));
  EXPECT_EQ(NVML_GPM_METRICS_GET_VERSION, int(nvml::GpmMetricsGet{}.version));
  EXPECT_EQ(unsigned(NVML_GPM_METRIC_SM_UTIL), nvml::gpm_sm_util);
  EXPECT_EQ(unsigned(NVML_GPM_METRIC_SM_OCCUPANCY), nvml::gpm_sm_occupancy);
  EXPECT_EQ(unsigned(NVML_GPM_METRIC_ANY_TENSOR_UTIL), nvml::gpm_any_tensor_util);
  EXPECT_EQ(unsigned(NVML_GPM_METRIC_DRAM_BW_UTIL), nvml::gpm_dram_bandwidth_util);
}

}  // namespace
}  // namespace podium::telemetry
