// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tcgen05.mma: D = A B (+ D) with D in tensor memory, A there or in shared memory, B in shared memory. It
// happens behind the block's earlier tcgen05 operations, when no thread can go on without it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/row_products.hpp"
#include "emulators/nvidia/device/tcgen05_multiply.hpp"

namespace podium::ptx {
namespace {

// Of D, side by side.
u32 columns_of_lane(const Multiply& p) { return p.shape.n / p.copies(); }

struct Spot {
  u32 lane, column;
};
// Where row m (of a block) and column n of D lie.
Spot spot(const Multiply& p, u32 m, u32 n) {
  const u32 columns = columns_of_lane(p);
  return {p.lane_of(m) + n / columns * p.rows(), n % columns};
}

bool is_disabled(const Multiply& p, u32 block, u32 lane) {
  const u32 at = block * tensor_lanes + lane;
  return at / 32 < p.how.masks && (p.disabled[at / 32] >> at % 32 & 1) != 0;
}

// An accumulator, divided as the instruction has it.
u32 scaled(const Multiply& p, u32 c) {
  if (p.shape.d == Element::f16)
    return half_of(std::ldexp(float_of(f16{static_cast<u16>(c)}), -p.how.scale_d)).bits;
  return bits<u32>(std::ldexp(float_of(c), -p.how.scale_d));
}

// A row of D to add to: `count` accumulators.
u32* accumulators(const Multiply& p, Block& block, u32 lane, u32 column, u32 count) {
  if (p.operands.accumulate) read_tensor_row(p.issue, block, lane, column, count);
  u32* const d = written_tensor_row(p.issue, block, lane, column, count);
  if (!p.operands.accumulate)
    std::fill_n(d, count, 0u);
  else if (p.how.scale_d != 0)
    std::transform(d, d + count, d, [&](u32 c) { return scaled(p, c); });
  return d;
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
        row_of_products(p.shape.d, a, i * p.rows() + m, columns, n + p.column_shift(), together,
                        accumulators(p, block, lane, column, together), wide_sum, p.shape.saturate);
      }
    }
  }
}

void multiply(const Multiply& p) {
  MatrixOperand a(p.shape.m, p.stored()), b(p.shape.n + p.column_shift(), p.shape.k);
  read_a(p, a);
  read_b(p, b);
  if (p.shape.negate_a) a.negate();
  if (p.shape.negate_b) b.negate();
  scale(p, a, b);
  multiply_blocks(p, a, b, p.shape.sparse ? places_of(p, a) : StoredPlaces());
}

void check_sparsity(const Multiply& p) {
  if (p.how.sparse != p.shape.sparse)
    p.refuse(fmt::format("{} with the instruction descriptor of a {} matrix",
                         p.how.sparse ? ".sp" : "without .sp", p.shape.sparse ? "sparse" : "dense"));
  if (!p.how.sparse) return;
  const bool wide = bytes_of(p.shape.a.element) > 1, any = p.how.scale_vector != 0;
  if ((!any && p.shape.selector > (wide ? 1 : 0)) || p.operands.metadata % 2 != 0)
    p.refuse(fmt::format(
        ".sp with metadata at {:#x} and the sparsity selector {}, which the emulator does not know",
        p.operands.metadata, p.shape.selector));
}

// Where matrices begin: with half of the lanes all of them in the same one.
void check_lanes(const Multiply& p) {
  const u32 lane = p.operands.d >> lane_shift;
  if (lane != 0 && !(lane == 16 && p.half_of_lanes())) p.refuse(fmt::format("with D from lane {} on", lane));
  const auto same = [&](const char* what, u32 at) {
    if (at >> lane_shift != lane)
      p.refuse(fmt::format("with {} from lane {} on and D from lane {} on; expected the same", what,
                           at >> lane_shift, lane));
  };
  if (p.how.a_in_tensor_memory) same("A", static_cast<u32>(p.operands.a));
  if (p.how.sparse) same("sparsity metadata", p.operands.metadata);
}

// Whether 128 rows of one block may have a number of columns that 16 does not divide: the ISA's table has
// none, and CUTLASS's atoms have them where A lies in shared memory (mma_sm100_umma.hpp,
// mma_traits_sm100.hpp).
bool odd_columns(const Multiply& p) {
  switch (p.how.kind) {
    case TensorKind::f16:
    case TensorKind::tf32:
      return !p.how.a_in_tensor_memory;
    case TensorKind::f8f6f4:
      return !p.how.a_in_tensor_memory && !p.shape.sparse && !p.shape.transpose_b;
    case TensorKind::i8:
      return p.shape.n == 8;
    default:
      return true;
  }
}

void check(const Multiply& p) {
  const auto [m, n, group] = std::array{p.shape.m, p.shape.n, p.how.group};
  const bool scaled = p.how.scale_vector != 0;
  bool right = n % 8 == 0 && n >= 8 && n <= 256;
  if (p.how.separate_warps)
    right &= group == 1 && (m == 32 || m == 64 || m == 128) &&
             (n == 64 || n == 128 || (n == 256 && !p.shape.sparse));
  else if (group == 1)
    right &= (m == 128 && (n % 16 == 0 || odd_columns(p))) || (m == 64 && !scaled);
  else
    right &= n % 16 == 0 && (m == 256 || (m == 128 && !(scaled && p.shape.sparse)));
  if (scaled && p.how.separate_warps) right = false;
  if (!right)
    p.refuse(fmt::format("of the shape {} x {} with .cta_group::{}, which there is not", m, n, group));
  if (p.how.columns_masked && !masked_columns(p))
    p.refuse(fmt::format("with the mask of columns {:#x}, which begins behind a span or shifts too far",
                         p.operands.column_mask));
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
  check_lanes(p);
  for (u32 i = 0; i < how.group; ++i) p.block(i);
  tell_of_order(p);
  tensor_later(thread, [p] { multiply(p); });
}

}  // namespace podium::ptx
