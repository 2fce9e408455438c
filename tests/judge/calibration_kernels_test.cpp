// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of `podium calibrate` do the work that is counted: a result that the test has computed by
// itself is stored if, and only if, it is the one that is never expected.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "suite/problem/program/calibrate_words.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using namespace program;

const DoubleProgram& kernels() {
  static const DoubleProgram program(
      compile_program("#include \"calibrate.hpp\"\n", default_flags + " -march=native"));
  return program;
}

std::uint64_t address(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

class Kernels : public testing::Test {
 protected:
  using Words = std::array<std::uint64_t, 16>;

  void run(const char* kernel, const Words& words, int groups) {
    const_cast<DoubleProgram&>(kernels()).run(kernel, words, groups);
  }
  // Whether the kernel stores a result when `never` comes out.
  bool stores(const char* kernel, Words words, std::uint64_t never, int groups = 1) {
    std::uint64_t result = ~never;
    words[calibrate_to] = address(&result);
    words[calibrate_never] = never;
    run(kernel, words, groups);
    EXPECT_TRUE(result == never || result == ~never);
    return result == never;
  }
  std::vector<std::uint64_t> filled(std::size_t count, BitPattern pattern) {
    std::vector<std::uint64_t> numbers(count);
    Words words{};
    words[calibrate_to] = address(numbers.data());
    words[calibrate_count] = count;
    words[calibrate_keep] = pattern.keep;
    words[calibrate_fixed] = pattern.fixed;
    run("calibrate_fill", words, 3);
    return numbers;
  }
  std::vector<std::uint64_t> operations() {
    std::vector<std::uint64_t> all(calibrated_types);
    Words words{};
    words[calibrate_to] = address(all.data());
    run("calibrate_operations", words, 2);
    return all;
  }

  // The loop of a dtype, number by number: which of the two factors and summands it meets goes by the number
  // of its register and of the round.
  template <class Real, class Bits>
  void expect_loop(CalibratedType type, const char* kernel) {
    constexpr int rounds_a_step = 16, steps = 5;
    const FusedBits& bits = fused_bits[static_cast<int>(type)];
    const std::uint64_t a_step = operations().at(static_cast<std::size_t>(type));
    const auto numbers = static_cast<std::size_t>(a_step / (2 * rounds_a_step));  // in all registers
    const auto real = [](std::uint64_t word) { return std::bit_cast<Real>(static_cast<Bits>(word)); };
    const std::size_t words_used = numbers * sizeof(Real) / sizeof(std::uint64_t);
    ASSERT_EQ(words_used % 10, 0u);  // ten registers on the CPU
    alignas(64) static std::array<std::uint64_t, 1024> start;
    const auto drawn = filled(start.size(), bits.start);
    std::ranges::copy(drawn, start.begin());

    std::uint64_t fused = 0, separate = 0;
    const std::size_t lanes = numbers / 10;
    for (std::size_t i = 0; i < numbers; ++i) {
      Real x, y;
      std::memcpy(&x, reinterpret_cast<const std::byte*>(start.data()) + i * sizeof(Real), sizeof(Real));
      y = x;
      const std::size_t of_register = i / lanes;
      for (std::size_t round = 0; round < rounds_a_step * steps; ++round) {
        const std::size_t which = (of_register + round) % 2;
        const Real a = real(bits.factor[which]), b = real(bits.summand[which]);
        x = std::fma(x, a, b);
        y = y * a;
        y = y + b;
      }
      EXPECT_GT(std::abs(x), Real(0));
      EXPECT_LT(std::abs(x), Real(8));
      const std::size_t shift = 8 * (i * sizeof(Real) % sizeof(std::uint64_t));
      fused ^= std::uint64_t{std::bit_cast<Bits>(x)} << shift;
      separate ^= std::uint64_t{std::bit_cast<Bits>(y)} << shift;
    }

    Words words{};
    words[calibrate_from] = address(start.data());
    words[calibrate_count] = steps;
    for (std::size_t k = 0; k < 2; ++k) {
      words[calibrate_factors + k] = bits.factor[k];
      words[calibrate_factors + 2 + k] = bits.summand[k];
    }
    // A processor without multiply-adds rounds twice.
    EXPECT_TRUE(stores(kernel, words, fused) || stores(kernel, words, separate));
    EXPECT_FALSE(stores(kernel, words, fused ^ separate ^ 1));
    words[calibrate_count] = steps - 1;
    EXPECT_FALSE(stores(kernel, words, fused) || stores(kernel, words, separate))
        << "a step fewer is as good";
  }
};

TEST_F(Kernels, MultiplyAddsInF64) {
  expect_loop<double, std::uint64_t>(CalibratedType::f64, "calibrate_f64");
}
TEST_F(Kernels, MultiplyAddsInF32) {
  expect_loop<float, std::uint32_t>(CalibratedType::f32, "calibrate_f32");
}

TEST_F(Kernels, TwiceAsManyNumbersOfHalfTheSize) {
  const auto all = operations();
  EXPECT_GT(all[0], 0u);
  EXPECT_EQ(all[1], 2 * all[0]);
  EXPECT_TRUE(all[2] == 0 || all[2] == 4 * all[0]);
  EXPECT_EQ(all[3], 0u);  // no CPU multiplies and adds in bf16
}

TEST_F(Kernels, ReadsEveryByteOnce) {
  alignas(64) static std::array<std::uint64_t, 4098> numbers;
  std::ranges::copy(filled(numbers.size(), i8_pattern), numbers.begin());
  std::uint64_t all = 0;
  for (const std::uint64_t number : numbers) all ^= number;
  Words words{};
  words[calibrate_from] = address(numbers.data());
  words[calibrate_count] = numbers.size() * 8 / packet_bytes;
  words[calibrate_passes] = 3;
  for (const char* kernel : {"calibrate_read", "calibrate_read_cached"}) {
    EXPECT_TRUE(stores(kernel, words, all)) << kernel;
    for (const std::size_t at : {std::size_t{0}, numbers.size() / 2, numbers.size() - 1}) {
      numbers[at] ^= 4;
      EXPECT_FALSE(stores(kernel, words, all)) << kernel << " does not see word " << at;
      numbers[at] ^= 4;
    }
  }
  words[calibrate_passes] = 2;  // each number twice
  EXPECT_TRUE(stores("calibrate_read_cached", words, 0));
}

TEST_F(Kernels, WritesEveryPacketAndNoneBeyond) {
  alignas(64) static std::array<std::uint64_t, 4100> numbers;
  numbers.fill(0xAB);
  Words words{};
  words[calibrate_to] = address(numbers.data() + 2);
  words[calibrate_count] = (numbers.size() - 4) / 2;
  words[calibrate_never] = 0x1234;
  run("calibrate_write", words, 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool outside = i < 2 || i >= numbers.size() - 2;
    ASSERT_EQ(numbers[i], outside ? 0xABu : i % 2 == 0 ? 0x1234u : 1u) << i;
  }
}

TEST_F(Kernels, RandomOperandsAreFloatsFromAnEighthToTwo) {
  int low = 0, negative = 0;
  const auto words = filled(1 << 14, f64_pattern);
  for (const std::uint64_t word : words) {
    const double x = std::bit_cast<double>(word);
    ASSERT_GE(std::abs(x), 0.125);
    ASSERT_LT(std::abs(x), 2);
    low += std::abs(x) < 0.25;
    negative += x < 0;
  }
  EXPECT_NEAR(negative, 1 << 13, 400);  // six standard deviations
  EXPECT_NEAR(low, 1 << 12, 350);
  for (const std::uint64_t word : filled(1 << 12, f32_pattern))
    for (const int shift : {0, 32}) {
      const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(word >> shift));
      ASSERT_TRUE(std::abs(x) >= 0.125F && std::abs(x) < 2) << x;
    }
}

TEST_F(Kernels, TheSignalIsTheTicket) {
  std::uint64_t page = 0;
  Words words{};
  words[calibrate_to] = address(&page);
  words[calibrate_count] = 77;
  run("calibrate_signal", words, 3);
  EXPECT_EQ(page, 77u);
}

}  // namespace
}  // namespace podium::judge
