// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel may call that C++ does not have.
#include <cmath>
#include <limits>

#include "tests/sdk/kernels.hpp"

using namespace std;  // min, max and the like must stay unambiguous

namespace {
using namespace podium::test;

struct __align__(16) Wide {
  float x;
};
static_assert(sizeof(Wide) == 16);
static_assert(sizeof(float3) == 12 && alignof(float3) == 4);
static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(int2) == 8 && alignof(uint2) == 8);
static_assert(sizeof(double2) == 16 && alignof(double2) == 16 && sizeof(ushort4) == 8 && sizeof(uchar4) == 4);

__device__ __forceinline__ float twice(float x) { return 2 * x; }
__constant__ int table[2] = {3, 4};
__device__ int counter;

__global__ void __launch_bounds__(64, 2) language(const float4* __restrict__ in, float4* __restrict__ out) {
  const float4 v = __ldg(in + threadIdx.x);
  out[threadIdx.x] =
      make_float4(twice(v.x), v.y + static_cast<float>(table[1]), rsqrtf(v.z), fmaf(v.w, 2.0f, 1.0f));
  atomicAdd(&counter, 1);
}
TEST(Language, KeywordsAndVectors) {
  counter = 0;
  vector<float4> in(64, make_float4(1, 2, 4, 8)), out(64);
  launch(language, 1, 64, in.data(), out.data());
  EXPECT_EQ(out[63].x, 2);
  EXPECT_EQ(out[63].y, 6);
  EXPECT_EQ(out[63].z, 0.5f);
  EXPECT_EQ(out[63].w, 17);
  EXPECT_EQ(counter, 64);
  dim3 grid;
  EXPECT_EQ(grid, dim3(1, 1, 1));
  EXPECT_EQ(make_uint3(1, 2, 3).z, 3u);
}

TEST(Language, MinimumAndMaximum) {
  EXPECT_EQ(min(3, -4), -4);
  EXPECT_EQ(max(3u, 4u), 4u);
  EXPECT_EQ(min(3u, 5), 3u);
  EXPECT_EQ(max(-1, 5u), ~0u);
  EXPECT_EQ(min(2.0f, 1.0f), 1.0f);
  EXPECT_EQ(max(2.0f, NAN), 2.0f);
  EXPECT_EQ(max(2ll, 3ll), 3);
  EXPECT_EQ(min(size_t{4}, size_t{5}), 4u);
}

TEST(Language, Bits) {
  EXPECT_EQ(__popc(0xF0F0u), 8);
  EXPECT_EQ(__popcll(~0ull), 64);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  EXPECT_EQ(__brev(1), 0x80000000u);
  EXPECT_EQ(__brevll(2), 1ull << 62);
  EXPECT_EQ(__mulhi(-1, 2), -1);
  EXPECT_EQ(__umulhi(~0u, ~0u), ~0u - 1);
  EXPECT_EQ(__mul64hi(-1, 2), -1);
  EXPECT_EQ(__umul64hi(~0ull, 2), 1u);
  EXPECT_EQ(__mul24(-3, 5), -15);
  EXPECT_EQ(__umul24(0xFF000002u, 3), 6u);
  EXPECT_EQ(__float_as_uint(1.0f), 0x3F800000u);
  EXPECT_EQ(__int_as_float(__float_as_int(-2.5f)), -2.5f);
  EXPECT_EQ(__uint_as_float(0x3F800000u), 1.0f);
  EXPECT_EQ(__longlong_as_double(__double_as_longlong(0.1)), 0.1);
}

TEST(Language, Mathematics) {
  EXPECT_EQ(rsqrt(16.0), 0.25);
  EXPECT_FLOAT_EQ(__expf(1.0f), expf(1.0f));
  EXPECT_FLOAT_EQ(__powf(2.0f, 0.5f), sqrtf(2.0f));
  EXPECT_EQ(__fdividef(1, 4), 0.25f);
  EXPECT_EQ(__saturatef(1.5f), 1);
  EXPECT_EQ(__saturatef(NAN), 0);
  EXPECT_EQ(__frcp_rn(8), 0.125f);
  EXPECT_EQ(__fmaf_rn(0x1.001p0f, 0x1.001p0f, -1), 0x1.0008p-11f);
  EXPECT_EQ(__fadd_rn(__fmul_rn(0x1.001p0f, 0x1.001p0f), -1), 0x1p-11f);  // rounded twice
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rz(-2.5f), -2);
  EXPECT_EQ(__float2int_rd(-2.5f), -3);
  EXPECT_EQ(__float2int_ru(2.1f), 3);
  EXPECT_EQ(__float2int_rn(1e20f), numeric_limits<int>::max());
  EXPECT_EQ(__float2uint_rz(-1.0f), 0u);
  EXPECT_EQ(__float2int_rn(NAN), 0);
}

}  // namespace
