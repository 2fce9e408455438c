// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Operations among the lanes of a warp, 32 or 64 wide.
#include <algorithm>

#include "tests/sdk/kernels.hpp"

namespace {
using namespace podium::test;
using podium::all_lanes, podium::lane_mask;

class Warp : public BothOrders {};
INSTANTIATE_TEST_SUITE_P(Orders, Warp, both_orders(), name_of_order);

static_assert(sizeof(lane_mask) * 8 == lanes);

__global__ void shuffles(int* wrong) {
  const int t = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y), lane = t % warpSize,
            first = t - lane;
  int bad = 0;
  bad += __shfl_sync(all_lanes, t, 3) != first + 3;
  bad += __shfl_sync(all_lanes, t, warpSize + 3) != first + 3;
  bad += __shfl_sync(all_lanes, lane, 1, 8) != (lane & ~7) + 1;
  bad += __shfl_sync(all_lanes, lane, lane + 1, 4) != (lane & ~3) + (lane + 1) % 4;
  bad += __shfl_xor_sync(all_lanes, lane * 0.5, 1) != (lane ^ 1) * 0.5;
  bad += __shfl_xor_sync(all_lanes, lane, 8, 8) != ((lane ^ 8) < (lane & ~7) + 8 ? lane ^ 8 : lane);
  bad += __shfl_down_sync(all_lanes, lane, 2) != (lane + 2 < warpSize ? lane + 2 : lane);
  bad += __shfl_down_sync(all_lanes, lane, 5, 8) != (lane % 8 < 3 ? lane + 5 : lane);
  bad += __shfl_up_sync(all_lanes, lane, 2) != (lane >= 2 ? lane - 2 : lane);
  bad += __shfl_up_sync(all_lanes, lane, 5, 8) != (lane % 8 >= 5 ? lane - 5 : lane);
  bad += __shfl_sync(all_lanes, static_cast<signed char>(-lane), 2) != -2;
  bad += __shfl_sync(all_lanes, 1ll << 40 | lane, 2) != (1ll << 40 | 2);
  wrong[t] = bad;
}
TEST_P(Warp, Shuffles) {
  std::vector<int> wrong(256, 1);
  launch(shuffles, 1, dim3(64, 4), wrong.data());
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), 256);
}

__global__ void votes(int* wrong) {
  const int t = static_cast<int>(threadIdx.x), lane = t % warpSize;
  int bad = 0;
  bad += __ballot_sync(all_lanes, lane < 5) != 31;
  bad += __ballot_sync(all_lanes, 1) != all_lanes;
  bad += __popcll(__ballot_sync(all_lanes, lane % 2)) != warpSize / 2;
  bad += __any_sync(all_lanes, lane == 7) != 1;
  bad += __any_sync(all_lanes, 0) != 0;
  bad += __all_sync(all_lanes, lane != 7) != 0;
  bad += __all_sync(all_lanes, 256) != 1;
  lane_mask same = 0;
  for (int l = 0; l < warpSize; ++l) same |= static_cast<lane_mask>(l % 3 == lane % 3) << l;
  bad += __match_any_sync(all_lanes, lane % 3) != same;
  wrong[t] = bad;
}
TEST_P(Warp, VotesAndMatches) {
  std::vector<int> wrong(128, 1);
  launch(votes, 1, 128, wrong.data());
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), 128);
}

__global__ void halves(int* wrong) {
  const int t = static_cast<int>(threadIdx.x), lane = t % warpSize, half = warpSize / 2;
  const lane_mask low = (lane_mask{1} << half) - 1, high = ~low;
  int bad = 0;
  if (lane < half)
    for (int i = 0; i < 5; ++i) bad += __shfl_sync(low, lane + i, 1) != 1 + i;
  else
    bad += __shfl_sync(high, lane, warpSize - 1) != warpSize - 1;
  __syncwarp();
  if (lane >= half) bad += __ballot_sync(high, 1) != high;
  bad += __ballot_sync(all_lanes, lane >= half) != high;
  wrong[t] = bad;
}
TEST_P(Warp, PartsGoTheirOwnWays) {
  std::vector<int> wrong(128, 1);
  launch(halves, 1, 128, wrong.data());
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), 128);
}

__global__ void exchange_through_memory(int* out) {
  __shared__ int s[PODIUM_WARP];
  for (int round = 0; round < 10; ++round) {
    s[threadIdx.x] = static_cast<int>(threadIdx.x) + round;
    __syncwarp();
    out[threadIdx.x] = s[(threadIdx.x + 1) % PODIUM_WARP];
    __syncwarp();
  }
}
TEST_P(Warp, SyncwarpSeparatesWritesFromReads) {
  std::vector<int> out(lanes);
  launch(exchange_through_memory, 1, lanes, out.data());
  for (int t = 0; t < lanes; ++t) EXPECT_EQ(out[static_cast<std::size_t>(t)], (t + 1) % lanes + 9);
}

__global__ void partial(unsigned* out) {
  out[threadIdx.x] = static_cast<unsigned>(__ballot_sync(all_lanes, 1));
  if (threadIdx.x < 3) return;
  out[threadIdx.x] += static_cast<unsigned>(__ballot_sync(all_lanes, 1)) << 16;
  // what a lane that is not there holds is undefined; here it is poison
  if (__shfl_sync(all_lanes, 1, 0) != -1) out[threadIdx.x] = 0;
}
TEST_P(Warp, LanesThatAreNotThereOrHaveReturnedTakeNoPart) {
  std::vector<unsigned> out(12);
  launch(partial, 1, 12, out.data());
  EXPECT_EQ(out[0], 0xFFFu);
  EXPECT_EQ(out[11], 0xFF80FFFu);
}

}  // namespace
