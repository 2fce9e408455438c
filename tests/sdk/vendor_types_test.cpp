// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The SDK's types of eight and four bits may be reinterpret_cast to CUDA's: same size, same bits, and the
// same rounding as CUDA's own functions, which have a version for the CPU.
#include <gtest/gtest.h>

#if HAS_CUDA_FP8
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <podium/dtype.hpp>

#include <bit>
#include <cmath>
#include <cstring>

namespace {
using podium::cast;

template <class Ours, class Theirs>
constexpr bool same_storage =
    sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs) && sizeof(Ours) == 1;
static_assert(same_storage<podium::e4m3, __nv_fp8_e4m3>);
static_assert(same_storage<podium::e5m2, __nv_fp8_e5m2>);

bool same_number(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Numbers of every exponent and of many fractions, both signs, infinities and NaN.
template <class F>
void each_float(F f) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 4099)
    f(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    f(std::bit_cast<float>(bits << 16));  // ties of all types
}

template <class Ours, class Theirs>
void expect_same(__nv_fp8_interpretation_t format) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    Theirs theirs;
    std::memcpy(&theirs, &byte, 1);
    ASSERT_TRUE(same_number(cast<float>(Ours{byte}), static_cast<float>(theirs))) << bits;
  }
  each_float([&](float x) {
    const double wide = static_cast<double>(x) * 1.000000003;
    if (std::isnan(x)) {  // whose sign CUDA keeps here and drops there
      ASSERT_TRUE(std::isnan(cast<float>(cast<Ours>(x))) && std::isnan(cast<float>(cast<Ours>(wide))));
    } else {
      ASSERT_EQ(cast<Ours>(x).bits, __nv_cvt_float_to_fp8(x, __NV_SATFINITE, format)) << x;
      ASSERT_EQ(cast<Ours>(wide).bits, __nv_cvt_double_to_fp8(wide, __NV_SATFINITE, format)) << wide;
    }
  });
}
TEST(CudaTypes, E4m3) { expect_same<podium::e4m3, __nv_fp8_e4m3>(__NV_E4M3); }
TEST(CudaTypes, E5m2) { expect_same<podium::e5m2, __nv_fp8_e5m2>(__NV_E5M2); }

static_assert(same_storage<podium::e8m0, __nv_fp8_e8m0>);
static_assert(same_storage<podium::e2m1x2, __nv_fp4x2_e2m1>);

TEST(CudaTypes, E8m0) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    __nv_fp8_e8m0 theirs;
    std::memcpy(&theirs, &byte, 1);
    ASSERT_TRUE(same_number(cast<float>(podium::e8m0{byte}), static_cast<float>(theirs))) << bits;
  }
}
TEST(CudaTypes, PairsOfE2m1) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const podium::e2m1x2 ours{static_cast<std::uint8_t>(bits)};
    const auto theirs = static_cast<float2>(std::bit_cast<__nv_fp4x2_e2m1>(ours));
    ASSERT_EQ(cast<float>(ours.low()), theirs.x) << bits;
    ASSERT_EQ(cast<float>(ours.high()), theirs.y) << bits;
  }
  each_float([&](float x) {
    ASSERT_EQ(cast<podium::e2m1>(x).bits, __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest)) << x;
  });
}
}  // namespace
#else
TEST(CudaTypes, AreOfTheSameBits) { GTEST_SKIP() << "no cuda_fp8.h was found: scripts/setup --cuda"; }
#endif
