// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Broken rules become exceptions out of the launch that say where.
#include <exception>

#include "tests/sdk/kernels.hpp"

namespace {
using namespace podium::test;
using podium::all_lanes, testing::AllOf, testing::HasSubstr;

class Misuse : public BothOrders {};
INSTANTIATE_TEST_SUITE_P(Orders, Misuse, both_orders(), name_of_order);

constexpr int first_barrier = __LINE__ + 3;
__global__ void different_barriers() {
  if (threadIdx.x < 10)
    __syncthreads();
  else
    __syncthreads();
}
TEST_P(Misuse, DifferentBarriers) {
  const auto error = error_of([] { launch(different_barriers, 4, 64); });
  EXPECT_THAT(error, AllOf(HasSubstr("threads of one block wait in different barriers"), HasSubstr("block ("),
                           HasSubstr("threads (0,0,0) to (9,0,0): wait in __syncthreads at "),
                           HasSubstr("misuse_test.cpp:" + std::to_string(first_barrier)),
                           HasSubstr("threads (10,0,0) to (63,0,0): wait in __syncthreads at "),
                           HasSubstr("misuse_test.cpp:" + std::to_string(first_barrier + 2))));
}

__global__ void missing_lanes() {
  if (threadIdx.x < 16) __shfl_xor_sync(all_lanes, 1, 1);
  __syncthreads();
}
TEST_P(Misuse, Deadlock) {
  EXPECT_THAT(error_of([] { launch(missing_lanes, 1, 64); }),
              AllOf(HasSubstr("deadlock"), HasSubstr("(15,0,0): wait in __shfl_xor_sync at "),
                    HasSubstr("(63,0,0): wait in __syncthreads at ")));
}

__global__ void mask_lacks_caller() { __shfl_sync(podium::lane_mask{1}, 1, 0); }
TEST_P(Misuse, MaskWithoutItsCaller) {
  EXPECT_THAT(error_of([] { launch(mask_lacks_caller, 1, 2); }),
              AllOf(HasSubstr("thread (1,0,0): a lane calls a warp operation whose mask lacks it"),
                    HasSubstr("misuse_test.cpp:")));
}

__global__ void different_operations() {
  if (threadIdx.x % 2)
    __shfl_sync(all_lanes, 1, 0);
  else
    __ballot_sync(all_lanes, 1);
}
__global__ void different_masks() {
  const auto most = static_cast<podium::lane_mask>(all_lanes << 1);
  __ballot_sync(threadIdx.x % 2 ? most : all_lanes, 1);
}
TEST_P(Misuse, LanesInDifferentOperations) {
  EXPECT_THAT(error_of([] { launch(different_operations, 1, lanes); }),
              HasSubstr("lanes of one warp meet in different warp operations"));
  EXPECT_THAT(error_of([] { launch(different_masks, 1, lanes); }),
              HasSubstr("lanes of one warp meet in different warp operations"));
}

__global__ void index_beyond(podium::Tensor<float, 3> t) {
  __syncthreads();
  if (threadIdx.x == 3 && blockIdx.y == 1) t(0, blockIdx.y, threadIdx.x - 4) = 1;
}
constexpr int beyond_line = __LINE__ - 2;
TEST_P(Misuse, IndexOutOfRange) {
  float numbers[6] = {};
  const podium::Tensor<float, 3> t{numbers, {1, 2, 3}, {6, 3, 1}};
  EXPECT_THAT(error_of([&] { launch(index_beyond, dim3(1, 2), 5, t); }),
              AllOf(HasSubstr("block (0,1,0), thread (3,0,0): "),
                    HasSubstr("misuse_test.cpp:" + std::to_string(beyond_line)),
                    HasSubstr("index (0, 1, 4294967295) is outside a tensor of extents (1, 2, 3)")));
}
TEST(MisuseOnTheHost, IndexOutOfRange) {
  const podium::Tensor<float, 2> t{nullptr, {2, 3}, {3, 1}};
  EXPECT_THAT([&] { t(-1, 0); }, testing::ThrowsMessage<std::out_of_range>(HasSubstr("index (-1, 0)")));
  EXPECT_THROW(t(2, 0), std::out_of_range);
  EXPECT_THROW(t(0, 3), std::out_of_range);
}

__global__ void beyond_shared() {
  PODIUM_DYNAMIC_SHARED(char, s);
  s[100] = 0;
}
TEST_P(Misuse, WritingBeyondDynamicSharedMemory) {
  EXPECT_THAT(error_of([] { podium::launch(beyond_shared, 1, 1, 100, {}); }),
              HasSubstr("wrote beyond the block's dynamic shared memory"));
  EXPECT_EQ(error_of([] { podium::launch(beyond_shared, 1, 1, 101, {}); }), "no error");
}

__global__ void throws(int what) {
  std::vector<int> v(2);
  if (what == 0) throw 42;
  v.at(threadIdx.x) = what;
}
TEST_P(Misuse, ExceptionsLeaveTheLaunch) {
  EXPECT_THAT(error_of([] { launch(throws, 64, 64, 1); }), HasSubstr("_M_range_check"));
  EXPECT_THAT(error_of([] { launch(throws, 1, 1, 0); }),
              HasSubstr("thread (0,0,0): an exception that is not a std::exception"));
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  EXPECT_FALSE(std::current_exception());
}

__global__ void sum(int* total) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, __popcll(__ballot_sync(all_lanes, 1)));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, s);
}
TEST_P(Misuse, LaterLaunchesAreWell) {
  for (int time = 0; time < 20; ++time) {
    error_of([] { launch(different_barriers, 4, 1024); });
    error_of([] { launch(missing_lanes, 4, 64); });
    error_of([] { launch(throws, 4, 1024, 1); });
    int total = 0;
    launch(sum, 10, 1024, &total);
    ASSERT_EQ(total, 10 * 1024 * lanes);
  }
}

}  // namespace
