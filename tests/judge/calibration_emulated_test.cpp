// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The GPU's text of the calibration's kernels, its threads emulated: which of them reads, writes and computes
// what. Arithmetic of narrow types is assembly and left out.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "suite/problem/program/calibrate_words.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using namespace program;

constexpr int groups = 5;
constexpr std::size_t threads = 256, accumulators = 8, rounds_a_step = 16;
constexpr std::uint64_t never = 0x1122334455667788;

using Words = std::array<std::uint64_t, 16>;

void run(const char* kernel, const Words& words) {
  static DoubleProgram program(
      compile_program(emulation_prologue +
                      "static void __threadfence_system() {}\n#define asm(...)\n#include \"calibrate.hpp\"\n"
                      "#undef asm\n" +
                      emulation_epilogue));
  program.run(kernel, words, groups);
}

std::uint64_t address(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

// Whether some thread's result is `wanted`.
bool stores(const char* kernel, Words words, std::uint64_t wanted = never) {
  std::uint64_t result = ~wanted;
  words[calibrate_to] = address(&result);
  words[calibrate_never] = wanted;
  run(kernel, words);
  return result == wanted;
}

TEST(EmulatedCalibration, EveryPacketIsReadInEveryPass) {
  constexpr std::size_t packets = 10 * threads + 77;
  alignas(16) static std::array<std::uint64_t, 2 * (packets + 1)> numbers;
  Words words{};
  words[calibrate_from] = address(numbers.data());
  words[calibrate_count] = packets;
  for (const std::uint64_t passes : {1, 2, 3, 5}) {
    words[calibrate_passes] = passes;
    for (const char* kernel : {"calibrate_read", "calibrate_read_cached"}) {
      EXPECT_FALSE(stores(kernel, words));
      for (const std::size_t at :
           {std::size_t{0}, std::size_t{1}, packets, 2 * packets - 2, 2 * packets - 1}) {
        numbers[at] = never;
        EXPECT_TRUE(stores(kernel, words)) << kernel << " does not read word " << at;
        numbers[at] = 0;
      }
      numbers[2 * packets] = never;  // beyond
      EXPECT_FALSE(stores(kernel, words)) << kernel;
      numbers[2 * packets] = 0;
    }
  }
}

// What one group has read in one pass another one reads in the next: two words whose sum is expected meet in
// one thread only if both passes were that thread's.
TEST(EmulatedCalibration, PassesMoveOnToAnotherPart) {
  constexpr std::size_t part = 2 * threads;  // packets of a group
  alignas(16) static std::array<std::uint64_t, 2 * groups * part> numbers;
  Words words{};
  words[calibrate_from] = address(numbers.data());
  words[calibrate_count] = groups * part;
  words[calibrate_passes] = 2;
  const std::size_t next = 37 % groups;
  numbers[0] = never ^ 0xF0;
  numbers[2 * part * next] = 0xF0;
  EXPECT_TRUE(stores("calibrate_read_cached", words));
  words[calibrate_passes] = 1;
  EXPECT_FALSE(stores("calibrate_read_cached", words));
}

TEST(EmulatedCalibration, EveryPacketIsWritten) {
  constexpr std::size_t packets = 7 * threads + 5;
  alignas(16) static std::array<std::uint64_t, 2 * (packets + 1)> numbers;
  numbers.fill(0xAB);
  Words words{};
  words[calibrate_to] = address(numbers.data());
  words[calibrate_count] = packets;
  words[calibrate_never] = never;
  run("calibrate_write", words);
  for (std::size_t i = 0; i < 2 * packets; ++i) ASSERT_EQ(numbers[i], i % 2 == 0 ? never : 1u) << i;
  EXPECT_EQ(numbers[2 * packets], 0xABu);
}

template <class Real, class Bits>
void expect_thread(CalibratedType type, const char* kernel, std::size_t thread) {
  constexpr std::size_t steps = 3;
  const FusedBits& bits = fused_bits[static_cast<int>(type)];
  std::vector<std::uint64_t> start(threads * accumulators);
  Words words{};
  words[calibrate_to] = address(start.data());
  words[calibrate_count] = start.size();
  words[calibrate_keep] = bits.start.keep;
  words[calibrate_fixed] = bits.start.fixed;
  run("calibrate_fill", words);

  std::uint64_t all = 0;
  for (std::size_t i = 0; i < accumulators; ++i) {
    Real x;
    std::memcpy(&x, reinterpret_cast<const std::byte*>(start.data()) + (thread * accumulators + i) * sizeof x,
                sizeof x);
    for (std::size_t round = 0; round < steps * rounds_a_step; ++round) {
      const std::size_t which = (i + round) % 2;
      x = std::fma(x, std::bit_cast<Real>(static_cast<Bits>(bits.factor[which])),
                   std::bit_cast<Real>(static_cast<Bits>(bits.summand[which])));
    }
    all ^= std::bit_cast<Bits>(x);
  }
  words[calibrate_from] = address(start.data());
  words[calibrate_count] = steps;
  for (std::size_t k = 0; k < 2; ++k) {
    words[calibrate_factors + k] = bits.factor[k];
    words[calibrate_factors + 2 + k] = bits.summand[k];
  }
  EXPECT_TRUE(stores(kernel, words, all)) << "thread " << thread;
  words[calibrate_count] = steps + 1;
  EXPECT_FALSE(stores(kernel, words, all)) << "thread " << thread;
}

TEST(EmulatedCalibration, EveryThreadMultipliesAndAdds) {
  for (const std::size_t thread : {std::size_t{0}, std::size_t{100}, threads - 1}) {
    expect_thread<double, std::uint64_t>(CalibratedType::f64, "calibrate_f64", thread);
    expect_thread<float, std::uint32_t>(CalibratedType::f32, "calibrate_f32", thread);
  }
}

TEST(EmulatedCalibration, OperationsAreThoseOfAllThreads) {
  std::array<std::uint64_t, calibrated_types> operations{};
  Words words{};
  words[calibrate_to] = address(operations.data());
  run("calibrate_operations", words);
  constexpr std::uint64_t one_lane = 2 * rounds_a_step * accumulators * threads;
  EXPECT_EQ(operations, (std::array<std::uint64_t, calibrated_types>{one_lane, one_lane, 2 * one_lane, 0}));
}

}  // namespace
}  // namespace podium::judge
