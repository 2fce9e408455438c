// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Single matrix instructions against sums of the host's, with elements where AMD's instruction set guides say
// that they lie, written here as formulas of lane and register. "matrix results" and "matrix operands" expect
// elements elsewhere, and must be told so of every instruction; "matrix indices" of every sparse one, "matrix
// modifiers" of every one with fields that change its operands.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "matrix_kernels.hpp"

struct At {
  int lane, item;
};

constexpr bool cdna = TARGET < 0x1000, rdna3 = TARGET == 0x1100;
constexpr bool fnuz = TARGET == 0x942;     // eight-bit numbers without negative zero
constexpr bool flushes = TARGET == 0x90a;  // denormals of matrix products with 16-bit operands

int bits(Kind kind) {
  switch (kind) {
    case Kind::f64:
      return 64;
    case Kind::f32:
    case Kind::i32:
      return 32;
    case Kind::f16:
    case Kind::bf16:
      return 16;
    case Kind::i4:
    case Kind::u4:
      return 4;
    default:
      return 8;
  }
}

bool floats(Kind kind) { return kind <= Kind::bf8; }

// Row of A, or column of B.
At operand(const Core& core, int line, int k, int block) {
  if (cdna) {
    const int held = core.depth * core.m * core.blocks / 64;
    return {line + core.m * (block + core.blocks * (k / held)), k % held};
  }
  if (rdna3) return {line, k};
  const int width = bits(core.a), quarter = k / 4;
  if (WAVE == 32) {
    if (width == 16) return {line + 16 * (quarter % 2), k % 4 + 4 * (k / 8)};
    if (core.depth == 32) return {line + 16 * (k / 16), k % 16};
    return {line + 16 * (k / 8), k % 8};
  }
  if (width == 16) return {line + 16 * (quarter % 2) + 32 * (k / 8), k % 4};
  if (width == 8) return {line + 16 * (k / 8) + 32 * (quarter % 2), k % 4};
  if (core.depth == 32) return {line + 16 * (k / 16) + 32 * (k / 8 % 2), k % 8};
  return {line + 16 * (k / 8), k % 8};
}

At result(const Core& core, int i, int j, int block) {
  if (cdna) {
    const int high = core.d == Kind::f64 ? 1 : 4;  // rows that a lane has one after the other
    const int beside =
        core.m * core.n / high >= 64 ? 1 : 64 * high / (core.m * core.n);  // blocks in a register
    const int across = 64 / core.n / beside;                               // such rows of a block in it
    return {j + core.n * (block % beside + beside * (i / high % across)),
            i % high + high * (i / (high * across)) + core.m * core.n / 64 * (beside == 1 ? block : 0)};
  }
  if (rdna3) return {j + 16 * (i % (WAVE / 16)), i / (WAVE / 16)};
  if (WAVE == 32) return {j + 16 * (i / 8), i % 8};
  return {j + 16 * (i / 8) + 32 * (i / 4 % 2), i % 4};
}

// The block of A that a block's product has: of 2^CBSZ that follow each other all have the one of ABID's
// number.
int block_of_a(const Core& core, int block) {
  const int together = 1 << core.modified.cbsz;
  return block / together * together + core.modified.abid;
}

// The lane whose elements of B a lane is given, by BLGP: as they are; the lower or the upper 32 lanes' for
// all; those of 16 lanes further up; one group of 16 lanes' for all.
int lane_of_b(const Core& core, int lane) {
  switch (const int pattern = core.modified.blgp) {
    case 0:
      return lane;
    case 1:
      return lane % 32;
    case 2:
      return lane % 32 + 32;
    case 3:
      return (lane + 16) % 64;
    default:
      return lane % 16 + 16 * (pattern - 4);
  }
}

double small_float(unsigned x, int exponent_bits, int fraction_bits, bool without_negative_zero) {
  const int exponent = int(x >> fraction_bits) & ((1 << exponent_bits) - 1),
            fraction = int(x) & ((1 << fraction_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1 + without_negative_zero;
  const double sign = x >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
  if (without_negative_zero) {
    if (x == 0x80) return NAN;
  } else if (exponent_bits == 4) {
    if ((x & 0x7f) == 0x7f) return NAN;
  } else if (exponent == (1 << exponent_bits) - 1) {
    return fraction ? NAN : sign * INFINITY;
  }
  return sign * (exponent ? std::ldexp(1 + std::ldexp(fraction, -fraction_bits), exponent - bias)
                          : std::ldexp(fraction, 1 - bias - fraction_bits));
}

template <class To, class From>
To as(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

double value(Kind kind, std::uint64_t x) {
  switch (kind) {
    case Kind::f64:
      return as<double>(x);
    case Kind::f32:
      return double(as<float>(std::uint32_t(x)));
    case Kind::f16:
      return small_float(unsigned(x), 5, 10, false);
    case Kind::bf16:
      return double(as<float>(std::uint32_t(x) << 16));
    case Kind::fp8:
      return small_float(unsigned(x), 4, 3, fnuz);
    case Kind::bf8:
      return small_float(unsigned(x), 5, 2, fnuz);
    case Kind::i32:
      return double(std::int32_t(x));
    case Kind::i8:
      return double(std::int8_t(x));
    case Kind::i4:
      return double(int(x & 15) - (x & 8 ? 16 : 0));
    default:
      return double(x);
  }
}

double flushed(double x, double least) { return flushes && std::fabs(x) < least ? std::copysign(0.0, x) : x; }

// c + sum of a[k] b[k], rounded as the type of the result is, k after k.
std::uint64_t expected(const Core& core, const std::vector<double>& a, const std::vector<double>& b,
                       std::uint64_t c) {
  if (core.d == Kind::i32) {
    std::int64_t sum = std::int32_t(c);
    for (std::size_t k = 0; k < a.size(); ++k) sum += std::int64_t(a[k]) * std::int64_t(b[k]);
    if (core.modified.clamp) sum = std::clamp(sum, std::int64_t{INT32_MIN}, std::int64_t{INT32_MAX});
    return std::uint32_t(sum);
  }
  const auto signs = [&](double x) {
    if (core.modified.negative[2] & 2) x = std::fabs(x);
    return core.modified.negative[2] & 1 ? -x : x;
  };
  if (core.d == Kind::f64) {
    double sum = signs(as<double>(c));
    for (std::size_t k = 0; k < a.size(); ++k) sum = std::fma(a[k], b[k], sum);
    return as<std::uint64_t>(sum);
  }
  const double least = core.a == Kind::f16 ? 0x1p-14 : 0x1p-126;
  const bool flush = bits(core.a) == 16;
  float sum = float(signs(value(core.d, c)));
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double x = flush ? flushed(a[k], least) : a[k], y = flush ? flushed(b[k], least) : b[k];
    sum = std::fma(float(x), float(y), sum);
  }
  if (flush) sum = float(flushed(double(sum), 0x1p-126));
  if (core.d == Kind::f16) return as<std::uint16_t>(_Float16(sum));
  if (core.d == Kind::bf16) {
    const auto word = as<std::uint32_t>(sum);
    const bool up = (word & 0xffff) > 0x8000 || (word & 0x1ffff) == 0x18000;
    return std::isnan(sum) ? 0x7fc0 : std::uint16_t((word >> 16) + up);
  }
  return as<std::uint32_t>(sum);
}

bool same(Kind kind, std::uint64_t found, std::uint64_t expected) {
  if (found == expected) return true;
  if (!floats(kind)) return false;
  const double x = value(kind, found), y = value(kind, expected);
  return x == y || (std::isnan(x) && std::isnan(y));
}

// Elements whose sums of products are exact whatever their order, or, where one product of a sum is not zero,
// edges.
std::uint64_t number(Kind kind, bool edge, std::mt19937& random) {
  if (!floats(kind)) return random() & ((1ull << bits(kind)) - 1);
  const int x = int(random() % 17) - 8;
  switch (kind) {
    case Kind::f64: {
      const double edges[] = {0.0, -0.0, 1e308, -1e308, 5e-324, 1e-160, INFINITY, -INFINITY, NAN, 1.5};
      return as<std::uint64_t>(edge ? edges[random() % std::size(edges)] : x / 8.0);
    }
    case Kind::f32: {
      const float edges[] = {0.F, -0.F, 3e38F, -3e38F, 1e-45F, 1e-20F, INFINITY, -INFINITY, NAN, 1.5F};
      return as<std::uint32_t>(edge ? edges[random() % std::size(edges)] : float(x) / 8);
    }
    case Kind::f16: {
      const std::uint16_t edges[] = {0,     0x8000, 0x7bff, 0xfbff, 1,     0x83ff,
                                     0x400, 0x7c00, 0xfc00, 0x7e00, 0x3c01};
      return edge ? edges[random() % std::size(edges)] : as<std::uint16_t>(_Float16(float(x) / 4));
    }
    case Kind::bf16: {
      const std::uint16_t edges[] = {0,    0x8000, 0x7f7f, 0xff7f, 1,      0x807f,
                                     0x80, 0x7f80, 0xff80, 0x7fc0, 0x3f81, 0x1f80};
      return edge ? edges[random() % std::size(edges)] : as<std::uint32_t>(float(x) / 4) >> 16;
    }
    default: {  // all of a byte's, or few that are small
      if (edge) return random() & 255;
      const int one = kind == Kind::fp8 ? (fnuz ? 0x40 : 0x38) : fnuz ? 0x40 : 0x3c;
      const int step = kind == Kind::fp8 ? 8 : 4;  // to the next power of two
      return x == 0 ? 0 : unsigned(one + (x & 1) * step - (x & 2) * step) | (x < 0 ? 0x80u : 0u);
    }
  }
}

struct Registers {
  std::vector<std::uint32_t> words;
  Registers(int items, int width) : words(std::size_t(items * width + 31) / 32 * WAVE) {}
  void set(At at, int width, std::uint64_t x) {
    const int word = at.item * width / 32, shift = at.item * width % 32;
    words[std::size_t(word * WAVE + at.lane)] |= std::uint32_t(x) << shift;
    if (width == 64) words[std::size_t((word + 1) * WAVE + at.lane)] = std::uint32_t(x >> 32);
  }
  std::uint64_t get(At at, int width) const {
    const int word = at.item * width / 32, shift = at.item * width % 32;
    const std::uint64_t low = words[std::size_t(word * WAVE + at.lane)] >> shift;
    if (width == 64) return low | std::uint64_t(words[std::size_t((word + 1) * WAVE + at.lane)]) << 32;
    return low & ((1ull << width) - 1);
  }
};

std::uint32_t* on_device(const std::vector<std::uint32_t>& x) {
  void* at = nullptr;
  if (hipMalloc(&at, x.size() * 4) != hipSuccess ||
      hipMemcpy(at, x.data(), x.size() * 4, hipMemcpyDefault) != hipSuccess)
    std::abort();
  return static_cast<std::uint32_t*>(at);
}

// Of sparse products, those elements of A that are there: two of any four, the one at line % depth among
// them.
std::vector<bool> kept(const Core& core, std::mt19937& random) {
  std::vector<bool> there(std::size_t(core.blocks * core.m * core.depth), core.set < 0);
  for (std::size_t at = 0; core.set >= 0 && at < there.size(); at += 4) {
    const std::size_t depth = std::size_t(core.depth), wanted = at / depth % depth;
    const std::size_t first = wanted / 4 == at % depth / 4 ? wanted % 4 : random() % 4;
    there[at + first] = there[at + (first + 1 + random() % 3) % 4] = true;
  }
  return there;
}

// How many elements are wrong; the first is told.
int wrong_elements(const Core& core, bool edges, const std::string& mistake, std::mt19937& random) {
  Core said = core;  // what the host goes by
  if (mistake == "modifiers") said.modified = {};
  const auto index = [&](int block, int line, int k) {
    return std::size_t((block * core.m + line) * core.depth + k);
  };
  const std::size_t count = std::size_t(core.blocks * core.m * core.depth);
  std::vector<std::uint64_t> a(count), b(count), c(std::size_t(core.blocks * core.m * core.n));
  for (int block = 0; block < core.blocks; ++block)
    for (int line = 0; line < core.m; ++line)
      for (int k = 0; k < core.depth; ++k) {
        const bool counts = !edges || !floats(core.a) || k == line % core.depth;
        a[index(block, line, k)] = counts ? number(core.a, edges, random) : 0;
        b[index(block, line, k)] = number(core.b, edges, random);
      }
  for (auto& x : c) {
    x = number(core.d, edges, random);
    if (core.modified.clamp) x = random() % 2 ? INT32_MAX - x % 4096 : INT32_MIN + x % 4096;
  }
  const std::vector<bool> there = kept(core, random);

  const int copies = rdna3 ? WAVE / 16 : 1, slot = core.one_half ? 2 : 1;
  const int held = core.depth * core.m * core.blocks * copies / WAVE,
            sums = core.m * core.n * core.blocks / WAVE;
  const bool sparse = core.set >= 0;
  Registers in_a(sparse ? held / 2 : held, bits(core.a)), in_index(1, 32), in_b(held, bits(core.b)),
      lies_b(held, bits(core.b)), in_c(sums * slot, bits(core.d)), out = in_c;
  const auto sum_at = [&](int i, int j, int block) {
    const At at = result(core, i, j, block);
    return At{at.lane, at.item * slot + slot - 1};
  };
  for (int block = 0; block < core.blocks; ++block)
    for (int line = 0; line < core.m; ++line) {
      for (int k = 0; k < core.depth; ++k)
        for (int copy = 0; copy < copies; ++copy) {
          At at = operand(core, line, k, block);
          at.lane += 16 * copy;
          const auto group = there.begin() + long(index(block, line, k - k % 4));
          const int before = int(std::count(group, group + k % 4, true));
          const At packed{at.lane, sparse ? at.item / 4 * 2 + before : at.item};
          if (there[index(block, line, k)]) {
            in_a.set(packed, bits(core.a), a[index(block, line, k)]);
            const int which = mistake == "indices" ? (k + 1) % 4 : k % 4;
            if (sparse)
              in_index.words[std::size_t(at.lane)] |= std::uint32_t(which)
                                                      << (core.set * held + packed.item * 2);
          }
          lies_b.set(at, bits(core.b), b[index(block, line, k)]);
          if (mistake == "operands") at.lane ^= 1;
          in_b.set(at, bits(core.b), b[index(block, line, k)]);
        }
      for (int j = 0; j < core.n; ++j)
        in_c.set(sum_at(line, j, block), bits(core.d), c[std::size_t((block * core.m + line) * core.n + j)]);
    }

  const Words words{on_device(in_a.words), on_device(in_b.words), on_device(in_c.words), on_device(out.words),
                    on_device(in_index.words)};
  core.kernel<<<1, WAVE>>>(words);
  if (hipMemcpy(out.words.data(), words.d, out.words.size() * 4, hipMemcpyDefault) != hipSuccess) {
    std::printf("FAILED %s: %s\n", core.name, hipGetErrorString(hipGetLastError()));
    std::exit(2);
  }
  int wrong = 0;
  for (int block = 0; block < core.blocks; ++block)
    for (int i = 0; i < core.m; ++i)
      for (int j = 0; j < core.n; ++j) {
        std::vector<double> x, y;
        for (int k = 0; k < core.depth; ++k) {
          if (!there[index(block, i, k)]) continue;
          At at = operand(core, j, k, block);
          const auto sign = [&](int which) {
            return said.modified.negative[which] >> (at.item % 2) & 1 ? -1.0 : 1.0;
          };
          x.push_back(sign(0) * value(core.a, a[index(block_of_a(said, block), i, k)]));
          at.lane = lane_of_b(said, at.lane);
          y.push_back(sign(1) * value(core.b, lies_b.get(at, bits(core.b))));
        }
        const auto sum = expected(said, x, y, c[std::size_t((block * core.m + i) * core.n + j)]);
        const auto found =
            out.get(mistake == "results" ? sum_at(j, i, block) : sum_at(i, j, block), bits(core.d));
        if (same(core.d, found, sum)) continue;
        if (wrong++ == 0)
          std::printf("FAILED %s (%s), row %d, column %d, block %d: found %llx, expected %llx\n", core.name,
                      edges ? "edges" : "random", i, j, block, static_cast<unsigned long long>(found),
                      static_cast<unsigned long long>(sum));
      }
  for (const void* at : {static_cast<const void*>(words.a), static_cast<const void*>(words.b),
                         static_cast<const void*>(words.c), static_cast<const void*>(words.d),
                         static_cast<const void*>(words.index)})
    if (hipFree(const_cast<void*>(at)) != hipSuccess) std::abort();
  return wrong;
}

int main(int argc, char** argv) {
  const std::string mistake = argc > 1 ? argv[1] : "";
  std::mt19937 random(20250117);
  int failed = 0, count = 0;
  for (const Core& core : cores) {
    if (mistake == "indices" && core.set < 0) continue;
    if (mistake == "modifiers" && !core.modified.any()) continue;
    int wrong = 0;
    ++count;
    for (int turn = 0; turn < 4; ++turn) wrong += wrong_elements(core, turn % 2 == 1, mistake, random);
    failed += wrong > 0;
  }
  std::printf("%d matrix instructions, %d failed\n", count, failed);
  return failed > 0;
}
