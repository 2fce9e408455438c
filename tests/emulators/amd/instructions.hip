// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Single instructions on random and edge operands, against what the host computes from
// the words of AMD's instruction set guides. The emulator is made from AMD's pseudo-code; nothing here is.
// "instructions break" expects one wrong result, and must be told so.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "instruction_table.hpp"

// NaNs are one value: which one the hardware makes is not what is tested. Results are of `bits` bits.
bool same(std::uint64_t found, std::uint64_t expected, int bits) {
  if (bits == 32 && std::isnan(as<float>(std::uint32_t(found))) &&
      std::isnan(as<float>(std::uint32_t(expected))))
    return true;
  if (bits == 64 && std::isnan(as<double>(found)) && std::isnan(as<double>(expected))) return true;
  if (bits == 16) {  // two halves
    for (int h = 0; h < 2; ++h) {
      const auto a = as<_Float16>(std::uint16_t(found >> (16 * h))),
                 b = as<_Float16>(std::uint16_t(expected >> (16 * h)));
      if (as<std::uint16_t>(a) != as<std::uint16_t>(b) && !(a != a && b != b)) return false;
    }
    return true;
  }
  return found == expected;
}

std::vector<std::uint32_t> operands(std::mt19937& random) {
  const float edges[] = {0.F,      -0.F,     1.F,     -1.F,      0.5F,
                         1.5F,     2.5F,     -2.5F,   INFINITY,  -INFINITY,
                         NAN,      1e-45F,   -1e-40F, 0x1p-126F, 0x1.fffffep127F,
                         0x1p31F,  -0x1p31F, 0x1p32F, 65504.F,   65520.F,
                         0x1p-24F, 3e9F,     -3e9F,   0x1p24F};
  const std::uint32_t words[] = {0,          1,          2,          31,         32,         33,        63,
                                 0x7fffffff, 0x80000000, 0xffffffff, 0x00ffffff, 0x00800000, 0x0c0d0b08};
  std::vector<std::uint32_t> all(count);
  for (auto& x : all) {
    const auto kind = random() % 4;
    x = kind == 0   ? as<std::uint32_t>(edges[random() % std::size(edges)])
        : kind == 1 ? words[random() % std::size(words)]
        : kind == 2
            ? std::uint32_t(random())
            : as<std::uint32_t>(std::ldexp(float(random() % 2000001) / 1e6F - 1, int(random() % 24) - 12));
  }
  return all;
}

std::uint32_t* on_device(const std::vector<std::uint32_t>& x) {
  void* at = nullptr;
  if (hipMalloc(&at, x.size() * 4) != hipSuccess ||
      hipMemcpy(at, x.data(), x.size() * 4, hipMemcpyDefault) != hipSuccess)
    std::abort();
  return static_cast<std::uint32_t*>(at);
}

int main(int argc, char**) {
  std::mt19937 random(20240607);
  const auto a = operands(random), b = operands(random), c = operands(random);
  std::uint64_t* out = nullptr;
  if (hipMalloc(&out, count * sizeof *out) != hipSuccess) return 2;
  const Operands x{on_device(a), on_device(b), on_device(c), out};
  int failed = 0;
  for (const Test& test : tests) {
    test.kernel<<<count / 256, 256>>>(x);
    std::vector<std::uint64_t> found(count);
    if (hipMemcpy(found.data(), out, count * sizeof *out, hipMemcpyDefault) != hipSuccess) {
      std::printf("FAILED %s: %s\n", test.name, hipGetErrorString(hipGetLastError()));
      return 1;
    }
    if (argc > 1 && &test == tests) found[count / 2] ^= 1;
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t expected = test.expected(a[i], b[i], c[i]);
      if (same(found[i], expected, test.bits)) continue;
      if (wrong++ == 0)
        std::printf("FAILED %s of %08x %08x %08x: found %llx, expected %llx\n", test.name, a[i], b[i], c[i],
                    static_cast<unsigned long long>(found[i]), static_cast<unsigned long long>(expected));
    }
    failed += wrong > 0;
  }
  std::printf("%zu instructions, %d operands each, %d failed\n", std::size(tests), count, failed);
  return failed > 0;
}
