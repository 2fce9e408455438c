// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/scale_factor.hpp"
#include "emulators/nvidia/device/tcgen05_multiply.hpp"

namespace podium::ptx {
namespace {

constexpr u32 lanes_of_warp = 32, bits_of_word = 32;

// `count` words of a row from an address on, which every copy of the row must hold: each part of the lanes
// reads its own.
const u32* words_of_row(const Multiply& p, Block& block, u32 at, u32 row, u32 count, const char* what) {
  const u32 lane = p.lane_of(row) + (at >> lane_shift), column = at & column_mask;
  const u32* const words = read_tensor_row(p.issue, block, lane, column, count);
  for (u32 copy = 1; copy < p.copies(); ++copy) {
    const u32 other = lane + copy * p.rows();
    const u32* const copied = read_tensor_row(p.issue, block, other, column, count);
    for (u32 i = 0; i < count; ++i)
      if (copied[i] != words[i])
        p.refuse(
            fmt::format("whose {} at column {} differs between lanes {} and {}: each {} lanes must hold it",
                        what, column + i, lane, other, p.rows()));
  }
  return words;
}

// Of one block's rows.
void scale_rows(const Multiply& p, MatrixOperand& matrix, Block& block, u32 at, u32 id, u32 first, u32 rows) {
  const u32 count = matrix.k() / p.how.scale_vector;
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

}  // namespace

void Multiply::refuse(const std::string& what) const {
  launch().fail(issue.thread, issue.line, "tcgen05.mma " + what);
}

void read_a(const Multiply& p, MatrixOperand& a) {
  const u32 rows = p.rows(), k = p.stored();
  const bool packed = p.shape.a.storage == Storage::packed;
  const u32 each = packed ? 8 : bits_of_word / 8 / bytes_of(p.shape.a.element);  // elements of a word
  for (u32 i = 0; i < p.how.group; ++i) {
    Block& block = p.block(i);
    if (!p.how.a_in_tensor_memory) {
      read_matrix(p.shared, {p.operands.a, block.rank, rows, k, p.shape.a, p.shape.transpose_a}, a, i * rows);
      continue;
    }
    const u32 first = static_cast<u32>(p.operands.a);
    std::vector<f32> row(k);
    for (u32 m = 0; m < rows; ++m) {
      const u32* const words = words_of_row(p, block, first, m, k / each, "A");
      for (u32 at = 0; at < k; ++at) {
        const u32 word = words[at / each] >> at % each * (bits_of_word / each);
        row[at] = packed ? widened(word & 15, e2m1)
                         : element(reinterpret_cast<const u8*>(&word), p.shape.a.element);
      }
      a.set_row(i * rows + m, 0, row.data(), k);
    }
  }
}

void read_b(const Multiply& p, MatrixOperand& b) {
  const u32 columns = b.rows() / p.how.group;
  for (u32 i = 0; i < p.how.group; ++i)
    read_matrix(p.shared, {p.operands.b, p.block(i).rank, columns, p.shape.k, p.shape.b, p.shape.transpose_b},
                b, i * columns);
  if (!p.how.columns_masked) return;
  const auto masked = masked_columns(p);
  for (u32 column = 0; column < p.shape.n; ++column)
    for (u32 k = 0; (*masked)[column] && k < p.shape.k; ++k) b.set(column + p.column_shift(), k, 0);
}

// Out of metadata in tensor memory as CuTe describes it: four bits for each chunk of a row. Of elements of 16
// and 32 bits each block has one column of it, and a lane half of the bits of two rows that are eight apart;
// the descriptor chooses one column of two. Of narrower ones a lane has its row's 64 bits in two columns. Of
// zeros any metadata will do: CUTLASS has zeros there for rows behind the last one.
StoredPlaces places_of(const Multiply& p, const MatrixOperand& a) {
  const Sparsity how = p.shape.a.element == Element::tf32     ? Sparsity::one_of_two
                       : p.shape.a.storage == Storage::packed ? Sparsity::two_pairs_of_four
                                                              : Sparsity::two_of_four;
  const bool wide = bytes_of(p.shape.a.element) > 1;
  const u32 chunks = p.shape.k / chunk_of(how), first = p.operands.metadata;
  StoredPlaces places(p.shape.m);
  for (u32 row = 0; row < p.shape.m; ++row) {
    Block& block = p.block(row / p.rows());
    const u32 m = row % p.rows();
    for (u32 chunk = 0; chunk < chunks; ++chunk) {
      const u32 place = wide ? m % 8 + chunk / 4 * 8 + m / 16 * 16 : m;
      const u32 at = first + (wide ? p.shape.selector : chunk / 8);
      const u32 shift = wide ? chunk % 4 * 4 + m / 8 % 2 * 16 : chunk % 8 * 4;
      const u32 word = *words_of_row(p, block, at, place, 1, "sparsity metadata"), bits = word >> shift & 15;
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
            word, p.lane_of(place) + (at >> lane_shift), at & column_mask, bits, shift, shift + 3, row,
            chunk * chunk_of(how), (chunk + 1) * chunk_of(how) - 1,
            how == Sparsity::one_of_two
                ? "0b0100 or 0b1110"
                : "two different numbers of two bits, the smaller one in the low bits"));
    }
  }
  return places;
}

// Scale factors lie 32 rows to a column, in every quarter of a block's lanes.
void scale(const Multiply& p, MatrixOperand& a, MatrixOperand& b) {
  if (p.how.scale_vector == 0) return;
  for (u32 i = 0; i < p.how.group; ++i)
    scale_rows(p, a, p.block(i), p.operands.scale_a, p.shape.scale_a_byte, i * p.rows(), p.rows());
  scale_rows(p, b, p.block(0), p.operands.scale_b, p.shape.scale_b_byte, 0, p.shape.n);
}

// Spans of zeros and of B's columns in turn, for each copy of the rows its own: which comes first, and how
// much of it is passed over. As the ISA's examples have it, and CuTe: bits 40 to 47 count zeros, which the
// table beside them says the other way round.
std::optional<std::vector<bool>> masked_columns(const Multiply& p) {
  const u64 mask = p.operands.column_mask;
  const auto field = [&](u32 at) { return static_cast<u32>(mask >> at & 0xff); };
  std::vector<bool> masked(p.shape.n);
  if (p.column_shift() > (p.shape.m == 32 ? 16 : 32)) return std::nullopt;
  if ((mask >> 39 & 1) == 0) return masked;
  const u32 zeros = field(40) + 1, used = field(48) + 1, size = p.shape.n / p.copies();
  for (u32 copy = 0; copy < p.copies(); ++copy) {
    bool zero = (mask >> (32 + copy) & 1) != 0;
    const u32 span = zero ? zeros : used, passed = field(8 * copy);
    if (passed >= span) return std::nullopt;
    u32 left = span - passed;
    for (u32 column = 0; column < size; ++column, --left) {
      if (left == 0) {
        zero = !zero;
        left = zero ? zeros : used;
      }
      masked[copy * size + column] = zero;
    }
  }
  return masked;
}

}  // namespace podium::ptx
