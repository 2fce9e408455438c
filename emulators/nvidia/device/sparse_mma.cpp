// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The stored elements of A lie in registers as those of a dense A with half the columns do; an element of D
// is the sum that a dense product would make of them and of the elements of B that they meet.
#include "emulators/nvidia/device/sparse_mma.hpp"

#include <array>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/products.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, warp_lanes = 32, rows = 16, columns = 8;

struct Operands {
  GpuThread* thread;
  int line;
  const SparseMma* how;
  const u32 *a, *b, *c;
  u32* d;
  u32 metadata;
  ScaleData scale_a, scale_b;
};

f32 element_of(u32 word, u32 index, u32 width, Element type) {
  if (width != 4) return element(reinterpret_cast<const u8*>(&word) + index * width / 8, type);
  const u32 code = word >> 4 * index & 15;
  if (type == Element::e2m1) return widened(code, e2m1);
  return static_cast<f32>(type == Element::s4 && code >= 8 ? static_cast<int>(code) - 16
                                                           : static_cast<int>(code));
}

struct Matrices {
  explicit Matrices(Operands* const* all);
  MatrixOperand a, b;
};

Matrices::Matrices(Operands* const* all)
    : a(rows, all[0]->how->metadata.k / 2), b(columns, all[0]->how->metadata.k) {
  const SparseMma& how = *all[0]->how;
  const u32 each = 32 / how.width, block = 4 * each;  // elements of a register, and of four lanes' along k
  for (u32 lane = 0; lane < warp_lanes; ++lane) {
    const u32 group = lane / 4, begin = lane % 4 * each;
    for (u32 e = 0; e < each; ++e) {
      for (u32 r = 0; r < 2 * a.k() / block; ++r)
        a.set(group + 8 * (r % 2), r / 2 * block + begin + e,
              element_of(all[lane]->a[r], e, how.width, how.a));
      for (u32 r = 0; r < b.k() / block; ++r)
        b.set(group, r * block + begin + e, element_of(all[lane]->b[r], e, how.width, how.b));
    }
  }
  std::array<ScaleData, warp_lanes> of_a, of_b;
  for (u32 lane = 0; lane < warp_lanes; ++lane) {
    of_a[lane] = all[lane]->scale_a;
    of_b[lane] = all[lane]->scale_b;
  }
  scale(all[0]->thread, all[0]->line, how.scaling, a, of_a.data(), b, of_b.data());
}

// The stored elements that a step of the sum takes.
std::vector<std::vector<u32>> steps_of(const SparseMma& how) {
  std::vector<std::vector<u32>> steps(how.two_steps ? 2 : 1);
  for (u32 i = 0; i < how.metadata.k / 2; ++i) steps[how.two_steps ? i % 4 / 2 : 0].push_back(i);
  return steps;
}

void finish(Operands* const* all, u32) {
  const SparseMma& how = *all[0]->how;
  const Matrices matrices(all);
  std::array<u32, warp_lanes> words;
  for (u32 lane = 0; lane < warp_lanes; ++lane) words[lane] = all[lane]->metadata;
  const StoredPlaces places =
      stored_places(*all[0]->thread, all[0]->line, "mma.sp", how.metadata, words.data());
  const bool narrow = how.d == Element::f16;
  for (u32 row = 0; row < rows; ++row) {
    std::array<u32, columns> sums{};
    const auto accumulator = [&](u32 column) {
      const u8* const c = reinterpret_cast<const u8*>(all[row % 8 * 4 + column / 2]->c);
      const u32 number = row / 8 * 2 + column % 2;
      return narrow ? read<u16>(c + 2 * number) : read<u32>(c + 4 * number);
    };
    if (!how.two_steps)
      for (u32 column = 0; column < columns; ++column) sums[column] = accumulator(column);
    for (const std::vector<u32>& step : steps_of(how)) {
      std::vector<u32> met;
      for (const u32 i : step) met.push_back(places[row][i]);
      const MatrixOperand a = matrices.a.taken(step), b = matrices.b.taken(met);
      for (u32 column = 0; column < columns; ++column)
        sums[column] = dot_as(how.d, a, row, b, column, sums[column], wide_sum, how.saturate);
    }
    for (u32 column = 0; column < columns; ++column) {
      u8* const d = reinterpret_cast<u8*>(all[row % 8 * 4 + column / 2]->d);
      const u32 number = row / 8 * 2 + column % 2;
      const u32 sum = how.two_steps ? sum_of(how.d, sums[column], accumulator(column)) : sums[column];
      if (narrow)
        write(d + 2 * number, static_cast<u16>(sum));
      else
        write(d + 4 * number, sum);
    }
  }
}

}  // namespace

void multiply_sparse(Thread* t, int line, const SparseMma& how, const u32* a, const u32* b, const u32* c,
                     u32* d, u32 metadata, const ScaleData& scale_a, const ScaleData& scale_b) {
  Operands mine{&of(t), line, &how, a, b, c, d, metadata, scale_a, scale_b};
  meet<Operands>(t, line, all_lanes, "mma.sp", mine, &finish);
}

}  // namespace podium::ptx
