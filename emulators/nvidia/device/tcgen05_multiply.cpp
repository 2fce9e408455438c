// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tcgen05.mma: D = A B (+ D) with D in tensor memory, A there or in shared memory, B in shared memory. It
// happens behind the block's earlier tcgen05 operations, when no thread can go on without it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/instruction_descriptor.hpp"
#include "emulators/nvidia/device/row_products.hpp"
#include "emulators/nvidia/device/scale_factor.hpp"
#include "emulators/nvidia/device/shared_matrix.hpp"
#include "emulators/nvidia/device/sparsity.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"
#include "emulators/nvidia/device/tensor_memory.hpp"

namespace podium::ptx {
namespace {

constexpr u32 lanes_of_warp = 32;

struct Multiply {
  TensorIssue issue;
  ProxyAccess shared;
  TensorProduct how;
  TensorOperands operands;
  std::array<u32, 8> disabled;
  InstructionDescriptor shape;

  u32 rows() const { return shape.m / how.group; }                     // of each block
  u32 stored() const { return shape.sparse ? shape.k / 2 : shape.k; }  // elements of a row of A
  [[noreturn]] void refuse(const std::string& what) const {
    launch().fail(issue.thread, issue.line, "tcgen05.mma " + what);
  }
  Block& block(u32 index) const { return block_of(*issue.thread, issue.line, how.group, index); }
};

struct Spot {
  u32 lane, column;
};
// Where row m (of a block) and column n of D lie (PTX ISA 9.7.16.10.5, layouts A to G).
Spot spot(const Multiply& p, u32 m, u32 n) {
  const u32 columns = p.shape.n;
  if (p.how.separate_warps && p.shape.m == 32) return {m + 32 * (n / (columns / 4)), n % (columns / 4)};
  if ((p.how.separate_warps && p.shape.m == 64) || (p.how.group == 2 && p.shape.m == 128))
    return {m + 64 * (n / (columns / 2)), n % (columns / 2)};
  if (p.rows() == 64) return {m / 16 * 32 + m % 16, n};
  return {m, n};
}

// Columns of D that a row has side by side in one lane.
u32 columns_of_lane(const Multiply& p) {
  if (p.how.separate_warps && p.shape.m == 32) return p.shape.n / 4;
  return spot(p, 0, p.shape.n / 2).lane == 0 ? p.shape.n : p.shape.n / 2;
}

void read_a(const Multiply& p, MatrixOperand& a) {
  const u32 rows = p.rows(), k = p.stored();
  const u32 size = bytes_of(p.shape.a.element), each = 4 / size;
  for (u32 i = 0; i < p.how.group; ++i) {
    Block& block = p.block(i);
    if (!p.how.a_in_tensor_memory) {
      read_matrix(p.shared, {p.operands.a, block.rank, rows, k, p.shape.a, p.shape.transpose_a}, a, i * rows);
      continue;
    }
    if (p.shape.a.storage == Storage::packed)
      p.refuse("with packed elements of 4 bits and A in tensor memory");
    const u32 first = static_cast<u32>(p.operands.a);
    for (u32 m = 0; m < rows; ++m) {
      const u32 lane = (first >> lane_shift) + (rows == 64 && p.how.group == 1 ? m / 16 * 32 + m % 16 : m);
      const u32* const words = read_tensor_row(p.issue, block, lane, first & column_mask, k / each);
      for (u32 at = 0; at < k; ++at)
        a.set(i * rows + m, at, element(reinterpret_cast<const u8*>(words) + at * size, p.shape.a.element));
    }
  }
}

void read_b(const Multiply& p, MatrixOperand& b) {
  const u32 columns = p.shape.n / p.how.group;
  for (u32 i = 0; i < p.how.group; ++i)
    read_matrix(p.shared, {p.operands.b, p.block(i).rank, columns, p.shape.k, p.shape.b, p.shape.transpose_b},
                b, i * columns);
}

// Where the stored elements of A's rows stand, out of metadata in tensor memory as CuTe describes it: four
// bits for each chunk of a row. Of elements of 16 and 32 bits each block has one column of it, and a lane
// half of the bits of two rows that are eight apart; the descriptor chooses one column of two. Of bytes a
// lane has its row's 64 bits in two columns. Of zeros any metadata will do: CUTLASS has zeros there for rows
// behind the last one.
StoredPlaces places_of(const Multiply& p, const MatrixOperand& a) {
  const Sparsity how = p.shape.a.element == Element::tf32 ? Sparsity::one_of_two : Sparsity::two_of_four;
  const bool wide = bytes_of(p.shape.a.element) > 1;
  const u32 chunks = p.shape.k / chunk_of(how), first = p.operands.metadata & column_mask;
  StoredPlaces places(p.shape.m);
  for (u32 row = 0; row < p.shape.m; ++row) {
    Block& block = p.block(row / p.rows());
    const u32 m = row % p.rows();
    for (u32 chunk = 0; chunk < chunks; ++chunk) {
      const u32 lane = wide ? m % 8 + chunk / 4 * 8 + m / 16 * 16 : m;
      const u32 column = first + (wide ? p.shape.selector : chunk / 8);
      const u32 shift = wide ? chunk % 4 * 4 + m / 8 % 2 * 16 : chunk % 8 * 4;
      const u32 word = read_tensor(p.issue, block, lane, column), bits = word >> shift & 15;
      if (append_places(places[row], how, true, chunk, bits)) continue;
      const u32 stored = chunk_of(how) / 2;
      bool zeros = true;
      for (u32 i = 0; i < stored; ++i) {
        zeros &= a.get(row, chunk * stored + i) == 0;
        places[row].push_back(chunk * chunk_of(how) + i);
      }
      if (!zeros)
        p.refuse(fmt::format(
            "whose sparsity metadata {:#010x} at lane {}, column {} has {:#06b} in bits {} to {}, "
            "for row {}, columns {} to {}; expected {}",
            word, lane, column, bits, shift, shift + 3, row, chunk * chunk_of(how),
            (chunk + 1) * chunk_of(how) - 1,
            how == Sparsity::one_of_two
                ? "0b0100 or 0b1110"
                : "two different numbers of two bits, the smaller one in the low bits"));
    }
  }
  return places;
}

// Scale factors of `rows` rows, 32 to a column, in every quarter of a block's lanes.
void scale(const Multiply& p, MatrixOperand& matrix, Block& block, u32 at, u32 id, u32 first, u32 rows) {
  const u32 count = p.shape.k / p.how.scale_vector;
  if (id + p.how.scale_vector > 4)
    p.refuse(fmt::format("with scale factors from byte {} on: {} do not fit a word", id, p.how.scale_vector));
  for (u32 row = 0; row < rows; ++row) {
    const u32 column = (at & column_mask) + row / lanes_of_warp;
    const u32 word = read_tensor(p.issue, block, row % lanes_of_warp, column);
    for (u32 quarter = 1; quarter < 4; ++quarter) {
      const u32 lane = quarter * lanes_of_warp + row % lanes_of_warp;
      if (read_tensor(p.issue, block, lane, column) != word)
        p.refuse(fmt::format(
            "whose scale factors at column {} differ between lanes {} and {}: each quarter of the "
            "lanes must hold them",
            column, row % lanes_of_warp, lane));
    }
    for (u32 i = 0; i < p.how.scale_vector; ++i)
      matrix.scale(first + row, i * count, count,
                   scale_factor(word >> 8 * (id + i) & 0xff, p.shape.scales_are_exponents));
  }
}

bool is_disabled(const Multiply& p, u32 block, u32 lane) {
  const u32 at = block * tensor_lanes + lane;
  return at / 32 < p.how.masks && (p.disabled[at / 32] >> at % 32 & 1) != 0;
}

// An accumulator, divided as the instruction has it.
u32 scaled(const Multiply& p, u32 c) {
  if (p.how.scale_d == 0) return c;
  if (p.shape.d == Element::f16)
    return half_of(std::ldexp(float_of(f16{static_cast<u16>(c)}), -p.how.scale_d)).bits;
  return bits<u32>(std::ldexp(float_of(c), -p.how.scale_d));
}

// `places`: of a sparse A, the elements of B that each of its rows meets.
void multiply_blocks(const Multiply& p, const MatrixOperand& a, const MatrixOperand& b,
                     const StoredPlaces& places) {
  const u32 first_lane = p.operands.d >> lane_shift, first_column = p.operands.d & column_mask;
  const Columns all(b);
  const u32 together = columns_of_lane(p);
  for (u32 i = 0; i < p.how.group; ++i) {
    Block& block = p.block(i);
    for (u32 m = 0; m < p.rows(); ++m) {
      const auto met = places.empty() ? std::nullopt : std::optional(b.taken(places[i * p.rows() + m]));
      const auto of_row = met ? std::optional<Columns>(*met) : std::nullopt;
      const Columns& columns = of_row ? *of_row : all;
      for (u32 n = 0; n < p.shape.n; n += together) {
        const Spot at = spot(p, m, n);
        const u32 lane = at.lane + first_lane, column = at.column + first_column;
        if (is_disabled(p, i, lane)) continue;
        if (p.operands.accumulate) read_tensor_row(p.issue, block, lane, column, together);
        u32* const d = written_tensor_row(p.issue, block, lane, column, together);
        for (u32 j = 0; j < together; ++j) d[j] = p.operands.accumulate ? scaled(p, d[j]) : 0;
        row_of_products(p.shape.d, a, i * p.rows() + m, columns, n, together, d, wide_sum, p.shape.saturate);
      }
    }
  }
}

void multiply(const Multiply& p) {
  MatrixOperand a(p.shape.m, p.stored()), b(p.shape.n, p.shape.k);
  read_a(p, a);
  read_b(p, b);
  if (p.shape.negate_a) a.negate();
  if (p.shape.negate_b) b.negate();
  if (p.shape.sparse) return multiply_blocks(p, a, b, places_of(p, a));
  if (p.how.scale_vector == 0) return multiply_blocks(p, a, b, {});
  for (u32 i = 0; i < p.how.group; ++i)
    scale(p, a, p.block(i), p.operands.scale_a, p.shape.scale_a_byte, i * p.rows(), p.rows());
  scale(p, b, p.block(0), p.operands.scale_b, p.shape.scale_b_byte, 0, p.shape.n);
  multiply_blocks(p, a, b, {});
}

// What the emulator has of sparse products: metadata of 128 rows a block, beside A in shared memory.
void check_sparsity(const Multiply& p) {
  if (p.how.sparse != p.shape.sparse)
    p.refuse(fmt::format("{} with the instruction descriptor of a {} matrix",
                         p.how.sparse ? ".sp" : "without .sp", p.shape.sparse ? "sparse" : "dense"));
  if (!p.how.sparse) return;
  const bool wide = bytes_of(p.shape.a.element) > 1;
  if (p.rows() != tensor_lanes || p.how.a_in_tensor_memory)
    p.refuse(".sp with A in tensor memory or fewer than 128 rows a block, which the emulator does not know");
  if (p.shape.selector > (wide ? 1 : 0) || p.operands.metadata % 2 != 0 ||
      p.operands.metadata >> lane_shift != 0)
    p.refuse(fmt::format(
        ".sp with metadata at {:#x} and the sparsity selector {}, which the emulator does not know",
        p.operands.metadata, p.shape.selector));
}

void check(const Multiply& p) {
  const auto [m, n, group] = std::array{p.shape.m, p.shape.n, p.how.group};
  const bool scaled = p.how.scale_vector != 0;
  bool right = n % 8 == 0 && n >= 8 && n <= 256;
  if (p.how.separate_warps)
    right &= group == 1 && (m == 32 || m == 64 || m == 128) && (n == 64 || n == 128 || n == 256);
  else if (group == 1)
    right &= (m == 128 && n % 16 == 0) || (m == 64 && !scaled);
  else
    right &= n % 16 == 0 && (m == 256 || m == 128);
  if (scaled && p.how.separate_warps) right = false;
  if (!right)
    p.refuse(fmt::format("of the shape {} x {} with .cta_group::{}, which there is not", m, n, group));
  const u32 lane = p.operands.d >> lane_shift;
  if (lane != 0 && !(lane == 16 && p.rows() == 64 && !p.how.separate_warps && group == 1))
    p.refuse(fmt::format("with D from lane {} on", lane));
}

// Where lanes are disabled nothing is said: others may have them.
void tell_of_order(const Multiply& p) {
  if (std::ranges::any_of(p.disabled, [](u32 lanes) { return lanes != 0; })) return;
  const u32 first_lane = p.operands.d >> lane_shift, first_column = p.operands.d & column_mask;
  const u32 together = columns_of_lane(p);
  for (u32 i = 0; i < p.how.group; ++i)
    for (u32 m = 0; m < p.rows(); m += lanes_of_mark)
      for (u32 n = 0; n < p.shape.n; n += together) {
        const Spot at = spot(p, m, n);
        const u32 lane = at.lane + first_lane, column = at.column + first_column;
        if (lane < tensor_lanes && column + together <= tensor_columns)
          p.issue.thread->block->cluster->products.begins(*p.issue.thread, p.issue.line, p.block(i), lane,
                                                          column, together);
      }
}

}  // namespace

void tensor_multiply(Thread* t, int line, const TensorProduct& how, const TensorOperands& operands) {
  GpuThread& thread = of(t);
  Multiply p{TensorIssue(thread, line, "tcgen05.mma"),
             ProxyAccess(thread, line, "tcgen05.mma reads"),
             how,
             operands,
             {},
             {}};
  const auto shape = decoded(how.kind, how.scale_vector, operands.instruction);
  if (const auto* problem = std::get_if<std::string>(&shape)) p.refuse(*problem);
  p.shape = std::get<InstructionDescriptor>(shape);
  for (u32 i = 0; i < how.masks; ++i) p.disabled[i] = operands.disabled_lanes[i];
  p.operands.disabled_lanes = nullptr;
  check(p);
  check_sparsity(p);
  for (u32 i = 0; i < how.group; ++i) p.block(i);
  tell_of_order(p);
  tensor_later(thread, [p] { multiply(p); });
}

}  // namespace podium::ptx
